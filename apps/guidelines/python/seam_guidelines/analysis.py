"""The analysis of a campaign: each guideline is tested wherever both of its sides were measured.

Its tests are a table with a row for each pair of samples that differ in a guideline's levels alone:

    guideline     the number of the guideline, from 0
    deployment    "1x2"
    group         the levels that the pair shares, but for the varied one and those of the guideline, in words
    varied        its level of the varied column
    experiment    that of the left side
    left_median, right_median    the medians of the runs' medians [s]
    v, p          the ratio of these medians; that of the rank-sum test
    is_violation

Source: [Luebbe2017] sec. 3.2.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from .campaign import Campaign
from .experiment import COLUMNS, Experiment, in_words
from .guideline import Guideline, require_both_sides
from .samples import Sample, Samples
from .statistics import median, rank_sum_p

VERDICT_COLUMNS = ("violations", "tests", "violating_groups", "groups", "largest_ratio")


class _Pair(NamedTuple):
    """The two samples of one test."""

    guideline: int
    deployment: str
    group: str
    varied: str
    experiment: Experiment
    left: Sample
    right: Sample


def run_tests(deployments: list[Samples], asked: Campaign) -> pd.DataFrame:
    """Tests all guidelines of a campaign in all deployments.

    A guideline is violated if the medians of the left side's runs are shifted to the right of those of the
    right side, with p at most as large as the campaign's, and the ratio of their medians at least as large
    as its. It is an error if no deployment has both sides of a guideline.
    """
    require_both_sides(asked.guidelines, set().union(*(samples.of for samples in deployments)))
    tests = pd.concat([_tests_on(samples, asked) for samples in deployments])
    tests = tests.astype({"guideline": int, "is_violation": bool})
    return tests.sort_values("guideline", kind="stable", ignore_index=True)


def keep_confirmed(tests: pd.DataFrame, other: pd.DataFrame) -> None:
    """Keeps the violations that another analysis of the same guidelines has found, too."""
    confirmed = set(_keys_of(other[other.is_violation]))
    tests["is_violation"] &= [key in confirmed for key in _keys_of(tests)]


def verdicts_of(tests: pd.DataFrame, guidelines: int, deployments: list[str]) -> pd.DataFrame:
    """Counts the violations, tests and groups of each guideline in each deployment.

    Returns a table with VERDICT_COLUMNS, indexed by both; the largest ratio is that of a violation, or 0.
    """
    marked = tests.assign(
        violating_group=tests.group.where(tests.is_violation), ratio=tests.v.where(tests.is_violation)
    )
    counted = marked.groupby(["guideline", "deployment"]).agg(
        violations=("is_violation", "sum"),
        tests=("is_violation", "size"),
        violating_groups=("violating_group", "nunique"),
        groups=("group", "nunique"),
        largest_ratio=("ratio", "max"),
    )
    every = pd.MultiIndex.from_product([range(guidelines), deployments], names=["guideline", "deployment"])
    return counted.reindex(every).fillna(0).astype(dict.fromkeys(VERDICT_COLUMNS[:-1], int))


def _tests_on(samples: Samples, asked: Campaign) -> pd.DataFrame:
    pairs = [
        pair
        for number, judge in enumerate(asked.guidelines)
        for pair in sorted(_pairs_of(samples, number, judge, asked.varied), key=_order_of)
    ]
    tests = pd.DataFrame([pair[:5] for pair in pairs], columns=_Pair._fields[:5])
    tests["left_median"] = np.array([median(pair.left.medians) for pair in pairs])
    tests["right_median"] = np.array([median(pair.right.medians) for pair in pairs])
    tests["v"] = tests.left_median / tests.right_median
    tests["p"] = _p_of(pairs)
    tests["is_violation"] = (tests.v >= asked.v) & (tests.p <= asked.p)
    return tests


def _pairs_of(samples: Samples, number: int, judge: Guideline, varied: str) -> Iterator[_Pair]:
    for experiment, left in samples.of.items():
        if left and judge.is_about(experiment):
            right = samples.right_side(judge, experiment)
            if right:
                group = _group_of(experiment, judge, varied)
                level = getattr(experiment, varied)
                yield _Pair(number, samples.deployment, group, level, experiment, left, right)


def _group_of(experiment: Experiment, judge: Guideline, varied: str) -> str:
    """Names the levels that a group shares: "MPI_BYTE, Moore, dimensions=2, reorder=0"."""
    return ", ".join(
        in_words(column, level)
        for column, level in zip(COLUMNS, experiment)
        if column != varied and level != "-" and judge.leaves_open(column)
    )


def _order_of(pair: _Pair) -> tuple[str, bool, int, str]:
    """Orders pairs by group, and in it by the varied level: numbers first, other words behind."""
    level = pair.varied
    is_number = level.isdecimal()
    return pair.group, not is_number, len(level) if is_number else 0, level


def _p_of(pairs: list[_Pair]) -> list[float]:
    if not pairs:
        return []
    left = np.array([pair.left.medians for pair in pairs])
    right = np.array([pair.right.medians for pair in pairs])
    return list(rank_sum_p(left, right))


def _keys_of(tests: pd.DataFrame) -> Iterator[tuple[int, str, Experiment]]:
    return zip(tests.guideline, tests.deployment, tests.experiment)
