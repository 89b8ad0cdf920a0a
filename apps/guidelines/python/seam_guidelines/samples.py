"""Samples: the times of each experiment in the runs of a deployment, without outliers.

Source: [Luebbe2017] sec. 3.2.
"""

from dataclasses import dataclass, field

import numpy as np

from .experiment import Experiment
from .guideline import Guideline
from .results import Results
from .statistics import Values, quantile, without_outliers


@dataclass
class Sample:
    """The times of one experiment: of each run those that are no outliers, in rising order, and their median
    [s]."""

    runs: list[Values]
    medians: Values


@dataclass
class Samples:
    """The samples of a deployment; None if an experiment was wrong or absent in a run."""

    deployment: str
    of: dict[Experiment, Sample | None] = field(default_factory=dict)  # by compared()
    wrong: list[Experiment] = field(default_factory=list)
    absent: list[Experiment] = field(default_factory=list)

    def right_side(self, judge: Guideline, left: Experiment) -> Sample | None:
        """Returns the sample of a guideline's right side, for the experiment on its left: that of its one
        term, or the sums or largest of the medians of its terms, run by run. None if one of them has not
        been measured."""
        terms = [self.of.get(term) for term in judge.compared_with(left)]
        measured = [term for term in terms if term is not None]
        if len(measured) < len(terms):
            return None
        joined = measured[0]
        for other in measured[1:]:
            medians = _join(joined.medians, other.medians, judge.joining)
            joined = Sample([np.array([value]) for value in medians], medians)
        return joined


def collect(deployment: str, runs: list[Results]) -> Samples:
    """Collects the samples of all runs, which have the same experiments."""
    made = Samples(deployment)
    for experiment in runs[0].of:
        results = [run.of[experiment] for run in runs]
        states = {result.status for result in results}
        if "WRONG" in states:
            made.wrong.append(experiment)
        if "ABSENT" in states:
            made.absent.append(experiment)
        times = [without_outliers(np.array(result.seconds)) for result in results if result.seconds]
        medians = np.array([quantile(run, 0.5) for run in times])
        made.of[experiment] = Sample(times, medians) if states == {"ok"} else None
    return made


def _join(left: Values, right: Values, joining: str) -> Values:
    return np.maximum(left, right) if joining == "max" else left + right
