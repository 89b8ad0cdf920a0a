"""Campaigns that come with seam-guidelines, and results that tests make up for them."""

import dataclasses
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

SOURCES = Path(__file__).parents[3] / "apps/guidelines"
sys.path.insert(0, str(SOURCES / "python"))
try:
    import jinja2
    import pandas
    import scipy
except ImportError as missing:
    print(missing)
    sys.exit(77)

from seam_guidelines.analysis import run_tests, verdicts_of
from seam_guidelines.campaign import Campaign, parse_campaign
from seam_guidelines.experiment import Experiment
from seam_guidelines.placed import UsageError, read_file
from seam_guidelines.program import Program
from seam_guidelines.results import Result, Results
from seam_guidelines.samples import Samples, collect

PROGRAM = Program(Path(os.environ["GUIDELINES_PROGRAM"]))

HEAD = "campaign c\ndeployments 1x2\nruns 10\nrepetitions 5\nminutes 1\n"
LIST = "experiments\nsetup Alltoall\nbytes 8 16\ntopology Complete\n"

Seconds = Callable[[Experiment, int], float]
"""The time of an experiment in a run."""


def campaign_of(text: str) -> Campaign:
    return parse_campaign(text, "c.txt", PROGRAM)


def shipped_campaign(name: str) -> Campaign:
    file = SOURCES / "campaigns" / f"{name}.txt"
    return parse_campaign(read_file(file), str(file), PROGRAM)


def even_times(_: Experiment, run: int) -> float:
    """All the same, but for a little that depends on the run."""
    return 1e-5 + 1e-9 * run


def made_up(asked: Campaign, seconds: Seconds, deployment: str = "1x2") -> Samples:
    """Samples of all experiments, whose runs take one time each."""
    runs = [Results(f"run-{run}") for run in range(asked.runs)]
    for number, run in enumerate(runs):
        for experiment in asked.experiments:
            times = [seconds(experiment, number)]
            run.of[experiment.compared()] = Result(experiment, "ok", times, 0)
    return collect(deployment, runs)


def cells(asked: Campaign, samples: Samples) -> dict[str, str]:
    """The cells of the table "violations/tests (violating groups/groups)" by the guidelines in words."""
    count = len(asked.guidelines)
    verdicts = verdicts_of(run_tests([samples], asked), count, [samples.deployment])
    return {
        judge.in_words(): f"{of.violations}/{of.tests} ({of.violating_groups}/{of.groups})"
        for judge, of in zip(asked.guidelines, verdicts.itertuples())
    }


def violations(asked: Campaign, seconds: Seconds, **changes: float) -> int:
    """The number of violations that made-up times have, with other thresholds of the campaign."""
    changed = dataclasses.replace(asked, **changes)
    return int(run_tests([made_up(changed, seconds)], changed).is_violation.sum())


def error_of(act: Callable[[], object]) -> str:
    """The line of the error that ends an action; empty if there is none."""
    try:
        act()
    except UsageError as problem:
        return str(problem)
    return ""


def new_folder() -> "tempfile.TemporaryDirectory[str]":
    return tempfile.TemporaryDirectory(prefix="seam-guidelines-")
