"""The outcome of a campaign: its results, judged by its guidelines or by others."""

from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from .analysis import keep_confirmed, run_tests, verdicts_of
from .folder import Folder, open_folder
from .guideline import parse_guidelines
from .placed import UsageError, read_file
from .program import Program
from .results import Results, read_results
from .samples import Samples, collect


@dataclass(frozen=True)
class Wish:
    """The campaign to analyze, and the settings that replace those of its file."""

    folder: Path
    guidelines: Path | None = None
    confirm: Path | None = None
    p: float | None = None
    v: float | None = None
    varied: str | None = None


@dataclass
class Outcome:
    """A campaign with its samples and tests; the guidelines and thresholds are those of the analysis."""

    folder: Folder
    first: Results  # of its first run, for the head
    deployments: list[Samples]
    tests: pd.DataFrame

    def num_violations(self) -> int:
        return int(self.tests.is_violation.sum())

    def verdicts(self) -> pd.DataFrame:
        """Returns the counts of verdicts_of()."""
        names = [samples.deployment for samples in self.deployments]
        return verdicts_of(self.tests, len(self.folder.campaign.guidelines), names)


def analyze(wish: Wish, program: Program) -> Outcome:
    """Reads the results of a campaign and tests its guidelines."""
    made = _analyze_one(wish, program)
    if wish.confirm:
        guidelines = wish.guidelines or made.folder.place / "campaign.txt"
        other = replace(wish, folder=wish.confirm, guidelines=guidelines)
        keep_confirmed(made.tests, _analyze_one(other, program).tests)
    return made


def _analyze_one(wish: Wish, program: Program) -> Outcome:
    folder = _open(wish, program)
    first: Results | None = None
    deployments: list[Samples] = []
    for deployment in folder.campaign.deployments:
        runs = read_results(folder, deployment, first)
        first = first or runs[0]
        deployments.append(collect(str(deployment), runs))
    assert first is not None
    return Outcome(folder, first, deployments, run_tests(deployments, folder.campaign))


def _open(wish: Wish, program: Program) -> Folder:
    """Opens a campaign with the guidelines and thresholds that are asked for."""
    folder = open_folder(wish.folder, program)
    asked = folder.campaign
    if wish.guidelines:
        asked.guidelines = parse_guidelines(read_file(wish.guidelines), str(wish.guidelines))
    if not asked.guidelines:
        raise UsageError(
            f"'{wish.folder}': the campaign has no guidelines (expected them there or by --guidelines)"
        )
    asked.p = asked.p if wish.p is None else wish.p
    asked.v = asked.v if wish.v is None else wish.v
    asked.varied = wish.varied or asked.varied
    return folder
