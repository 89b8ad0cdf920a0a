"""Tables of an outcome: violations and tests of each guideline, and the tests one by one.

Source: [Luebbe2017] tables 3 and 4.
"""

import json
from collections.abc import Iterator
from typing import Any

import pandas as pd

from .experiment import COLUMNS, Experiment
from .guideline import Guideline
from .outcome import Outcome
from .placed import write_file
from .samples import Sample, Samples
from .statistics import quantile

MOST_EXCLUDED = 20
"""Experiments of one kind and deployment that a list of those whose times stay out names."""

Group = dict[str, Any]
"""A group of plots.json: names of a violated guideline, its sides, deployment and group, and points."""


def write_tables(outcome: Outcome) -> None:
    """Writes analysis/guidelines.md, guidelines.csv, tests.csv and plots.json."""
    folder = outcome.folder.place / "analysis"
    write_file(folder / "guidelines.md", markdown(outcome))
    write_file(folder / "guidelines.csv", verdicts_csv(outcome))
    write_file(folder / "tests.csv", tests_csv(outcome))
    write_file(folder / "plots.json", plots_json(outcome))


def markdown(outcome: Outcome) -> str:
    """Returns the head, a row for each guideline with a cell for each deployment, and the experiments whose
    times stay out."""
    lines = [f"# Campaign {outcome.folder.campaign.name}", "", summary(outcome), "", legend(outcome), ""]
    names = [samples.deployment for samples in outcome.deployments]
    lines += [_row(["guideline", *names]), _row(["---"] * (1 + len(names)))]
    for title, cells in verdict_rows(outcome):
        lines.append(_row([title.replace("|", "\\|"), *map(_cell, cells)]))
    excluded = excluded_experiments(outcome)
    if excluded:
        lines += ["", "Experiments whose times stay out:", "", *excluded]
    return "".join(line + "\n" for line in lines)


def summary(outcome: Outcome) -> str:
    """Returns a sentence with the number of measurements, the library and the machine."""
    asked, library, machine = (
        outcome.folder.campaign,
        outcome.first.entry("library"),
        outcome.first.entry("machine"),
    )
    return f"{asked.runs} runs of {asked.repetitions} repetitions on {library.text}, {machine.text}."


def legend(outcome: Outcome) -> str:
    """Returns what the cells of the table are."""
    asked = outcome.folder.campaign
    return (
        "A cell is: violations/tests (violating groups/groups), and the largest ratio of a violation. "
        f"A violation has p <= {_shortest(asked.p)} and v >= {_shortest(asked.v)}."
    )


def verdict_rows(outcome: Outcome) -> Iterator[tuple[str, list[Any]]]:
    """Yields for each guideline "GL4: a <= b", and for each deployment the fields of verdicts_of()."""
    verdicts = outcome.verdicts()
    for number, judge in enumerate(outcome.folder.campaign.guidelines):
        yield f"{judge.name}: {judge.in_words()}", list(verdicts.loc[number].itertuples())


def excluded_experiments(outcome: Outcome) -> list[str]:
    """Returns a list in Markdown of the experiments whose times stay out."""
    lines: list[str] = []
    for samples in outcome.deployments:
        lines += _list_of(f"WRONG on {samples.deployment}", samples.wrong)
        lines += _list_of(f"ABSENT on {samples.deployment}", samples.absent)
    return lines


def verdicts_csv(outcome: Outcome) -> str:
    """Returns a line for each guideline and deployment."""
    table = outcome.verdicts().reset_index()
    table.largest_ratio = table.largest_ratio.map("{:.6g}".format)
    return _csv_of(table, outcome)


def tests_csv(outcome: Outcome) -> str:
    """Returns a line for each test, with medians, p, v and whether it is a violation."""
    tests, asked = outcome.tests, outcome.folder.campaign
    table = tests[["guideline", "deployment"]].copy()
    table[asked.varied] = tests.varied
    for column, form in (("left_median", "e"), ("right_median", "e"), ("v", "g"), ("p", "e")):
        table[column] = tests[column].map(f"{{:.6{form}}}".format)
    table["violation"] = tests.is_violation.astype(int)
    levels = pd.DataFrame(list(tests.experiment), columns=COLUMNS, index=tests.index)
    return _csv_of(pd.concat([table, levels], axis=1), outcome)


def plots_json(outcome: Outcome) -> str:
    """Returns the data of plots as JSON."""
    data = {
        "campaign": outcome.folder.campaign.name,
        "varied": outcome.folder.campaign.varied,
        "groups": plotted_groups(outcome),
    }
    return json.dumps(data, indent=1) + "\n"


def plotted_groups(outcome: Outcome) -> list[Group]:
    """Returns each violating group with the medians of both sides along the varied column, and for each
    violation in it the five numbers of a box for each run."""
    samples = {samples.deployment: samples for samples in outcome.deployments}
    guidelines = outcome.folder.campaign.guidelines
    groups: list[Group] = []
    order = pd.unique(outcome.tests.deployment)
    tests = outcome.tests.assign(at=pd.Categorical(outcome.tests.deployment, order))
    for (number, deployment, name), points in tests.groupby(["guideline", "at", "group"], observed=True):
        if points.is_violation.any():
            judge = guidelines[number]
            groups.append(
                {
                    "guideline": judge.name,
                    "a": judge.left_in_words(),
                    "b": judge.right_in_words(),
                    "deployment": deployment,
                    "group": name,
                    "points": [_point(test, judge, samples[deployment]) for test in points.itertuples()],
                }
            )
    return groups


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(of: Any) -> str:
    text = f"{of.violations}/{of.tests} ({of.violating_groups}/{of.groups})"
    return f"**{text}** {of.largest_ratio:.3g}" if of.violations else text


def _shortest(number: float) -> str:
    return repr(number).removesuffix(".0")


def _list_of(what: str, experiments: list[Experiment]) -> list[str]:
    lines = [f"- {what}: `{experiment.line()}`" for experiment in experiments[:MOST_EXCLUDED]]
    more = len(experiments) - MOST_EXCLUDED
    return lines + ([f"- {what}: {more} more"] if more > 0 else [])


def _csv_of(table: pd.DataFrame, outcome: Outcome) -> str:
    """Writes the names of guidelines and the guidelines in words in place of their numbers."""
    guidelines = [outcome.folder.campaign.guidelines[number] for number in table.guideline]
    table.insert(0, "name", [judge.name for judge in guidelines])
    table["guideline"] = [judge.in_words() for judge in guidelines]
    return str(table.to_csv(index=False, lineterminator="\n"))


def _point(test: Any, judge: Guideline, samples: Samples) -> dict[str, Any]:
    point = {
        "x": test.varied,
        "a": test.left_median,
        "b": test.right_median,
        "p": test.p,
        "v": test.v,
        "violation": test.is_violation,
    }
    if test.is_violation:
        left, right = samples.of[test.experiment], samples.right_side(judge, test.experiment)
        point |= {"boxes_a": _boxes(left, test.left_median), "boxes_b": _boxes(right, test.left_median)}
    return point


def _boxes(sample: Sample | None, scale: float) -> list[list[float]]:
    """The least and the largest value of each run, and the quartiles between, over a scale."""
    assert sample is not None  # it has been tested
    parts = (0, 0.25, 0.5, 0.75, 1)
    return [[quantile(run, part) / scale for part in parts] for run in sample.runs]
