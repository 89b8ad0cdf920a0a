"""Performance guidelines: a call that shall not be slower than another way to the same effect.

    guideline GL4 setup=Neighbor_allgather <= setup=Neighbor_alltoall
    guideline GL10 constructor=Dist_graph_create_adjacent ~ constructor=Dist_graph_create
    guideline OV1 setup=Ialltoall <= setup=Alltoall work=0 + setup=Work
    guideline OV2 setup=Ialltoall <= setup=Alltoall work=0 max setup=Work

The left side names levels of an experiment. A term on the right is the same experiment with other levels;
columns that do not apply to it fall away. The time of several terms is their sum or the largest. "~" stands
for two guidelines, one in each direction, and "A|B" for two levels, each in a guideline of its own; "A*" on
the left for all levels that begin with A, in one.
Source: [Luebbe2017] secs. 2 and 3.2.
"""

import itertools
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from .experiment import COLUMNS, Experiment, Levels, in_words, with_levels
from .placed import Place, Word, lines_of, words_of

Alternatives = dict[str, list[str]]
"""The levels of a term, before each alternative gets a guideline of its own."""


@dataclass(frozen=True)
class Guideline:
    """One guideline, whose left side shall take at most about as long as its right side."""

    name: str
    left: Levels
    right: list[Levels]
    joining: str  # of the terms on the right: "+" or "max"
    place: Place

    def left_in_words(self) -> str:
        """Returns the left side as text: "Neighbor_allgather"."""
        return _in_words(self.left)

    def right_in_words(self) -> str:
        """Returns the right side as text: "Alltoall work=0 + Work"."""
        return f" {self.joining} ".join(map(_in_words, self.right))

    def in_words(self) -> str:
        """Returns the guideline as text: "Neighbor_allgather <= Neighbor_alltoall"."""
        return f"{self.left_in_words()} <= {self.right_in_words()}"

    def is_about(self, experiment: Experiment) -> bool:
        """True if an experiment has the levels of the left side."""
        return all(_matches(getattr(experiment, column), level) for column, level in self.left.items())

    def compared_with(self, experiment: Experiment) -> list[Experiment]:
        """Returns the experiment of each term on the right, for one on the left."""
        return [with_levels(experiment, term).compared() for term in self.right]

    def leaves_open(self, column: str) -> bool:
        """True unless the left side names a single level of the column."""
        return is_pattern(self.left.get(column, "*"))


def parse_guidelines(text: str, file: str) -> list[Guideline]:
    """Reads the lines of a file that begin with "guideline"; others are not looked at."""
    made: list[Guideline] = []
    lines = lines_of(text)
    for number, line in enumerate(lines, 1):
        words = words_of(line, file, number)
        if words and words[0].text == "guideline":
            made += parse_guideline(words[1:], words[0].place)
    if not made:
        place = Place(file, len(lines) + 1, 1)
        place.refuse("the file ends (expected lines that begin with guideline)")
    return made


def parse_guideline(words: list[Word], line: Place) -> list[Guideline]:
    """Reads the words of one line, behind the word "guideline"."""
    at = next((k for k, word in enumerate(words) if word.text in ("<=", "~")), None)
    if not words or "=" in words[0].text or at is None:
        place = words[0].place if words else line
        place.refuse("guideline: expected a name, levels, <= or ~, and levels")
    relation, both_ways = words[at], words[at].text == "~"
    left = _read_terms(words[1:at], relation.place)
    right = _read_terms(words[at + 1 :], words[-1].place)
    if len(left) > 1 or (both_ways and len(right) > 1):
        relation.refuse("one term on the left, and on both sides of ~")
    _refuse_patterns(words if both_ways else words[at:])
    joining = _joining_of(words)
    made = []
    for lower, *upper in itertools.product(*map(_choices_of, [left[0], *right])):
        made.append(Guideline(words[0].text, lower, upper, joining, line))
        if both_ways:
            made.append(Guideline(words[0].text, upper[0], [lower], "+", line))
    return made


def require_both_sides(guidelines: Iterable[Guideline], experiments: Collection[Experiment]) -> None:
    """Refuses a guideline if no pair of the experiments, as compared(), are its two sides."""
    for judge in guidelines:
        about = filter(judge.is_about, experiments)
        if not any(all(other in experiments for other in judge.compared_with(one)) for one in about):
            judge.place.refuse(
                f"guideline {judge.name} {judge.in_words()}: no experiment has the levels of both sides "
                "(expected levels that experiments have)"
            )


def is_pattern(level: str) -> bool:
    """True if a level on the left stands for all that begin with it: "Seam_*"."""
    return level.endswith("*")


def _matches(level: str, wanted: str) -> bool:
    return level.startswith(wanted[:-1]) if is_pattern(wanted) else level == wanted


def _read_terms(words: list[Word], behind: Place) -> list[Alternatives]:
    terms: list[Alternatives] = [{}]
    for word in words:
        if word.text in ("+", "max"):
            terms.append({})
        else:
            _add_level(terms[-1], word)
    if not all(terms):
        behind.refuse("a side or term is empty (expected column=level)")
    return terms


def _add_level(term: Alternatives, word: Word) -> None:
    column, equals, levels = word.text.partition("=")
    if not equals or column not in COLUMNS:
        word.refuse(f"column=level, with one of the columns {', '.join(COLUMNS)}")
    if column in term:
        word.refuse("each column once in a term")
    term[column] = levels.split("|")
    if "" in term[column]:
        word.refuse("a level behind =")


def _refuse_patterns(words: list[Word]) -> None:
    for word in words:
        if "*" in word.text:
            word.refuse("no * on the right, nor beside ~, where each level is a single one")


def _joining_of(words: list[Word]) -> str:
    largest = [word for word in words if word.text == "max"]
    if largest and any(word.text == "+" for word in words):
        largest[0].refuse("terms that + or max join, not both")
    return "max" if largest else "+"


def _choices_of(term: Alternatives) -> list[Levels]:
    columns = sorted(term, key=COLUMNS.index)
    choices = itertools.product(*(term[column] for column in columns))
    return [dict(zip(columns, levels)) for levels in choices]


def _in_words(term: Levels) -> str:
    return " ".join(in_words(column, level) for column, level in term.items())
