"""Campaign files: what a campaign measures, and by which guidelines it is judged.

    campaign     quick                      a name, for files
    deployments  1x2 2x16                   nodes x processes on each
    runs         10                         calls of the kernel, for each deployment
    repetitions  50                         of each experiment in a run
    minutes      30                         after which a run is ended
    seed         1                          of orders of experiments and of neighbors
    setting      OMPI_MCA_btl=self,vader    an environment variable; any number of such lines
    p            0.001                      thresholds of a violation
    v            1.03
    varied       bytes                      the column along which groups are drawn

    experiments                             all combinations of the levels of the columns below
      setup      Neighbor_allgather Neighbor_alltoall
      bytes      256 to 32768 by sqrt2      or by a number; without "by" in steps of 1
      topology   Cartesian
      dimensions 1 to 4
      finite     0 dimensions               also sums such as dimensions-1

    guideline    GL4 setup=Neighbor_allgather <= setup=Neighbor_alltoall

A file has any number of lists of experiments; an experiment that several of them have is made once. Columns
that a list does not name: datatype MPI_BYTE, work 0, partitions 1 of partitioned setups; others do not
apply. Lines may end with # and a comment.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .experiment import COLUMNS, Experiment
from .guideline import Guideline, parse_guideline, require_both_sides
from .levels import ExperimentList, experiments_in
from .placed import Place, Word, lines_of, real_number, whole_number, words_of
from .program import Program

MOST = 1_000_000


@dataclass(frozen=True)
class Deployment:
    """Nodes, and processes on each of them."""

    nodes: int
    per_node: int

    @property
    def processes(self) -> int:
        return self.nodes * self.per_node

    def __str__(self) -> str:
        return f"{self.nodes}x{self.per_node}"


@dataclass
class Campaign:
    """A campaign; p and v are the thresholds beyond which a guideline is violated."""

    name: str = ""
    deployments: list[Deployment] = field(default_factory=list)
    runs: int = 0
    repetitions: int = 0
    minutes: int = 0
    seed: int = 1
    settings: list[str] = field(default_factory=list)  # "NAME=value"
    p: float = 0.001
    v: float = 1.03
    varied: str = "bytes"
    experiments: list[Experiment] = field(default_factory=list)  # each once
    guidelines: list[Guideline] = field(default_factory=list)


def parse_campaign(text: str, file: str, program: Program) -> Campaign:
    """Reads a campaign file. Errors name the place of a word: the file is malformed, an experiment or a
    guideline cannot be, or so few runs cannot reach the threshold of p."""
    reader = _Reader(file)
    lines = lines_of(text)
    for number, line in enumerate(lines, 1):
        words = words_of(line, file, number)
        if words:
            reader.read_line(words[0], words[1:])
    return reader.finish(Place(file, len(lines) + 1, 1), program)


def with_entry(text: str, key: str, value: str) -> str:
    """Returns the text with the value of one of the entries above "experiments" replaced."""
    lines = lines_of(text)
    for number, line in enumerate(lines):
        words = [word.text for word in words_of(line, "", 0)]
        if words[:1] == ["experiments"]:
            break
        if words[:1] == [key]:
            lines[number] = f"{key} {value}"
    return "".join(line + "\n" for line in lines)


def least_p(runs: int) -> float:
    """Returns the least p that a rank-sum test of so many runs on both sides can have."""
    return 1 / math.comb(2 * runs, runs)


def _positive(word: Word) -> int:
    value = whole_number(word.text)
    if value is None or not 1 <= value <= MOST:
        word.refuse(f"a number from 1 to {MOST}")
    return value


def _positive_real(word: Word, limit: int) -> float:
    value = real_number(word.text)
    if value is None or not 0 < value <= limit:
        word.refuse(f"a number above 0, at most {limit}")
    return value


def _file_name(word: Word) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_-]+", word.text):
        word.refuse("a name of letters, digits, - and _")
    return word.text


def _column(word: Word) -> str:
    if word.text not in COLUMNS:
        word.refuse("a column")
    return word.text


def _deployment(word: Word) -> Deployment:
    found = re.fullmatch(r"([0-9]{1,6})x([0-9]{1,5})", word.text)
    nodes, per_node = map(int, found.groups()) if found else (0, 0)
    if not (1 <= nodes <= 100_000 and 1 <= per_node <= 10_000):
        word.refuse("nodes x processes on each, such as 2x16")
    return Deployment(nodes, per_node)


_ENTRIES: dict[str, Callable[[Word], Any]] = {
    "campaign": _file_name,
    "runs": _positive,
    "repetitions": _positive,
    "minutes": _positive,
    "seed": _positive,
    "p": lambda word: _positive_real(word, 1),
    "v": lambda word: _positive_real(word, MOST),
    "varied": _column,
}
_REQUIRED = ("campaign", "deployments", "runs", "repetitions", "minutes")


class _Reader:
    """Reads a campaign file line by line."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.made = Campaign()
        self.entries: dict[str, Word] = {}  # the first value of each
        self.lists: list[ExperimentList] = []
        self.columns_may_follow = False

    def read_line(self, key: Word, words: list[Word]) -> None:
        if key.text == "experiments":
            if words:
                words[0].refuse("the line's end")
            self.lists.append(ExperimentList(key.place))
            self.columns_may_follow = True
        elif key.text == "guideline":
            self.made.guidelines += parse_guideline(words, key.place)
            self.columns_may_follow = False
        elif key.text in COLUMNS and self.columns_may_follow:
            self.add_levels(key, words)
        elif key.text == "setting":
            self.add_setting(key, words)
        else:
            self.set_entry(key, words)

    def add_levels(self, key: Word, words: list[Word]) -> None:
        if key.text in ("repetitions", "seed"):
            key.refuse(f"{key.text} above all experiments, which share it")
        if not words:
            key.refuse("levels behind it")
        for word in words:
            if "," in word.text:
                word.refuse("levels with blanks between them")
        if key.text in self.lists[-1].words:
            key.refuse("each column once in a list")
        self.lists[-1].words[key.text] = words

    def add_setting(self, key: Word, words: list[Word]) -> None:
        if len(words) != 1 or "=" not in words[0].text or "'" in words[0].text:
            (words or [key])[0].refuse("NAME=value")
        self.made.settings.append(words[0].text)

    def set_entry(self, key: Word, words: list[Word]) -> None:
        has_many = key.text == "deployments"
        if key.text not in _ENTRIES and not has_many:
            key.refuse(
                "campaign, deployments, runs, repetitions, minutes, seed, setting, p, v, varied, "
                "experiments, guideline or, below experiments, a column"
            )
        if key.text in self.entries:
            key.refuse("each entry once")
        if not words or (len(words) > 1 and not has_many):
            (words[1:] or [key])[0].refuse("values" if has_many else "one value")
        self.entries[key.text] = words[0]
        if has_many:
            self.made.deployments = [_deployment(word) for word in words]
        else:
            attribute = "name" if key.text == "campaign" else key.text
            setattr(self.made, attribute, _ENTRIES[key.text](words[0]))

    def finish(self, end: Place, program: Program) -> Campaign:
        for key in _REQUIRED:
            if key not in self.entries:
                end.refuse(f"the file ends without '{key}' (expected it once)")
        if not self.lists:
            end.refuse("the file ends (expected experiments)")
        self.add_experiments(program)
        self.check_runs()
        known = {experiment.compared() for experiment in self.made.experiments}
        require_both_sides(self.made.guidelines, known)
        return self.made

    def add_experiments(self, program: Program) -> None:
        constants = Experiment(
            datatype="MPI_BYTE",
            partitions="1",
            repetitions=str(self.made.repetitions),
            work="0",
            seed=str(self.made.seed),
        )
        origins: dict[Experiment, ExperimentList] = {}
        for listed in self.lists:
            for experiment in experiments_in(listed, constants):
                origins.setdefault(experiment, listed)
        self.made.experiments = list(origins)
        problem = program.problem_with(self.made.experiments)
        if problem:
            listed = origins[self.made.experiments[problem.row]]
            listed.place_of(COLUMNS[problem.column]).refuse(problem.line)

    def check_runs(self) -> None:
        enough = self.made.runs
        while least_p(enough) > self.made.p:
            enough += 1
        if enough > self.made.runs:
            self.entries["runs"].refuse(
                f"at least {enough} runs: with fewer no p is as small as {self.made.p}"
            )
