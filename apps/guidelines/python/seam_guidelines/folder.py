"""Folders of campaigns, and what is written into them.

    campaign.txt  environment.txt           copies of the files that the campaign is made of
    inputs/1x2/run-01.csv                   the experiments of a run, in its order
    jobs/1x2.sh                             a job script for each deployment
    results/1x2/run-01.csv                  the times of a run
    analysis/  plots/  report.html          what is made of them
"""

import random
import shlex
from dataclasses import dataclass
from pathlib import Path

from .campaign import Campaign, Deployment, parse_campaign
from .environment import Environment, filled_in, parse_environment
from .experiment import COLUMNS, Experiment
from .placed import UsageError, read_file, write_file
from .program import Program


@dataclass(frozen=True)
class KernelRun:
    """One call of the measuring program; numbers count from 1."""

    deployment: Deployment
    number: int
    input: Path
    output: Path

    def __str__(self) -> str:
        return f"deployment {self.deployment}, run {self.number}"


@dataclass
class Folder:
    """A campaign in its folder."""

    place: Path  # absolute
    campaign: Campaign
    environment: Environment

    def runs(self) -> list[KernelRun]:
        """Returns all runs: the first of each deployment, then the second, and so on."""
        return [
            self._run(deployment, number)
            for number in range(1, self.campaign.runs + 1)
            for deployment in self.campaign.deployments
        ]

    def runs_on(self, deployment: Deployment) -> list[KernelRun]:
        """Returns the runs of one deployment."""
        return [run for run in self.runs() if run.deployment == deployment]

    def job_script(self, deployment: Deployment) -> Path:
        """Returns the path of a deployment's job script."""
        return self.place / "jobs" / f"{deployment}.sh"

    def command_of(self, run: KernelRun, program: Program) -> str:
        """Returns the command of one run, for a shell."""
        settings = [*self.environment.settings, *self.campaign.settings]
        kernel: list[object] = [program.path, "run", run.input, "--output", run.output, "--resume"]
        kernel += ["--head", f"campaign={self.campaign.name}"]
        kernel += ["--head", f"deployment={run.deployment}", "--head", f"run={run.number}"]
        values = {
            "mpiexec": program.launcher(),
            "processes": str(run.deployment.processes),
            "nodes": str(run.deployment.nodes),
            "per-node": str(run.deployment.per_node),
            "kernel": shlex.join(map(str, kernel)),
        }
        before = shlex.join(["env", *settings]) + " " if settings else ""
        return before + filled_in(self.environment.launch, values)

    def _run(self, deployment: Deployment, number: int) -> KernelRun:
        name = Path(str(deployment)) / f"run-{number:02}.csv"
        return KernelRun(deployment, number, self.place / "inputs" / name, self.place / "results" / name)


def open_folder(place: Path, program: Program) -> Folder:
    """Opens a folder that open_or_generate() has made."""
    asked, here = place / "campaign.txt", place / "environment.txt"
    if not asked.exists():
        raise UsageError(f"'{place}': no folder of a campaign (expected campaign.txt in it)")
    return Folder(
        place.absolute(),
        parse_campaign(read_file(asked), str(asked), program),
        parse_environment(read_file(here), str(here)),
    )


@dataclass(frozen=True)
class Source:
    """The text of a file, and the name by which errors call it."""

    text: str
    name: str


def open_or_generate(place: Path, asked: Source, here: Source, program: Program) -> Folder:
    """Writes input files and job scripts, unless the folder has them already.

    Each run has the experiments in another random order, which follows from the campaign's seed, the
    deployment and the number of the run. The folder must be new, or have the same campaign and environment.
    """
    made = Folder(
        place.absolute(),
        parse_campaign(asked.text, asked.name, program),
        parse_environment(here.text, here.name),
    )
    _check_dimensions(made.campaign, asked.name, program)
    copies = {place / "environment.txt": here.text, place / "campaign.txt": asked.text}
    if (place / "campaign.txt").exists():
        if any(read_file(copy) != text for copy, text in copies.items()):
            raise UsageError(
                f"'{place}': the folder holds another campaign or environment (expected a new folder, or "
                f"that of {asked.name})"
            )
        return made
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise UsageError(f"'{place}': there are other files (expected a new folder)")
    _generate(made, program)
    for copy, text in copies.items():  # the campaign last: from now on the folder is whole
        write_file(copy, text)
    return made


def _check_dimensions(asked: Campaign, name: str, program: Program) -> None:
    for deployment in asked.deployments:
        problem = program.problem_with(asked.experiments, deployment.processes)
        if problem:
            raise UsageError(f"{name}: deployment {deployment}: {problem.line}")


def _generate(made: Folder, program: Program) -> None:
    for run in made.runs():
        write_file(run.input, _input_text(made.campaign, run))
        run.output.parent.mkdir(parents=True, exist_ok=True)
    for deployment in made.campaign.deployments:
        write_file(made.job_script(deployment), _job_text(made, deployment, program))


def _input_text(asked: Campaign, run: KernelRun) -> str:
    title = f"# experiments of campaign {asked.name}, {run} of {asked.runs}"
    lines = [title, ",".join(COLUMNS)]
    lines += [experiment.line() for experiment in _permuted(asked, run)]
    return "".join(line + "\n" for line in lines)


def _permuted(asked: Campaign, run: KernelRun) -> list[Experiment]:
    """Permutes the experiments, in the same way on all machines."""
    chance = random.Random(f"{asked.seed} {run.deployment} {run.number}")
    return sorted(asked.experiments, key=lambda _: chance.random())


def _job_text(made: Folder, deployment: Deployment, program: Program) -> str:
    """A job script: the lines for Slurm, and the runs that are not done yet."""
    minutes = made.campaign.minutes
    slurm = [
        f"--job-name={made.campaign.name}-{deployment}",
        f"--nodes={deployment.nodes}",
        f"--ntasks-per-node={deployment.per_node}",
        f"--time={minutes * made.campaign.runs}",
        *made.environment.slurm,
    ]
    lines = ["#!/bin/sh", *("#SBATCH " + option for option in slurm)]
    for run in made.runs_on(deployment):
        is_done = shlex.join(["grep", "-qs", "^# end: ", str(run.output)])
        lines.append(f"{is_done} || timeout {minutes}m {made.command_of(run, program)}")
    return "".join(line + "\n" for line in lines)
