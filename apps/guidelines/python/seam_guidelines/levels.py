"""Lists of levels in campaign files: "1 2 4", "0 to dimensions", "256 to 32768 by sqrt2"."""

import math
import re
from dataclasses import dataclass, field

from .experiment import COLUMNS, Experiment, without_spare_columns
from .placed import Place, Word, whole_number

MOST_LEVELS = 10_000


@dataclass
class ExperimentList:
    """The columns of one list of experiments, with the words behind each."""

    place: Place
    words: dict[str, list[Word]] = field(default_factory=dict)

    def place_of(self, column: str) -> Place:
        """Returns the place of a column's first level; that of the list if it does not name the column."""
        return self.words[column][0].place if column in self.words else self.place


def experiments_in(listed: ExperimentList, constants: Experiment) -> list[Experiment]:
    """Returns all experiments of a list, each once.

    `constants` has the levels of columns that the list does not name.
    """
    made = [constants]
    for column in sorted(listed.words, key=COLUMNS.index):
        words = listed.words[column]
        made = [begun._replace(**{column: level}) for begun in made for level in levels_in(words, begun)]
    return list(dict.fromkeys(map(without_spare_columns, made)))


def levels_in(words: list[Word], known: Experiment) -> list[str]:
    """Returns the levels that the words stand for, which may name earlier columns of the experiment."""
    levels: list[str] = []
    at = 0
    while at < len(words):
        if [word.text for word in words[at + 1 : at + 2]] == ["to"]:
            at, more = _range_at(words, at, known)
            levels += more
        else:
            levels.append(_level_of(words[at], known))
            at += 1
    return levels


def _range_at(words: list[Word], at: int, known: Experiment) -> tuple[int, list[str]]:
    """Reads "A to B" or "A to B by F"; returns where the next word is, and the levels."""
    if at + 2 >= len(words):
        words[at + 1].refuse("a number behind 'to'")
    first, last = _number_of(words[at], known), _number_of(words[at + 2], known)
    by = at + 3
    if by < len(words) and words[by].text == "by":
        if by + 1 == len(words) or first < 1:
            words[by].refuse("a range from 1 on, and a factor behind 'by'")
        return by + 2, _geometric(first, last, words[by + 1])
    if last - first > MOST_LEVELS:
        words[by - 1].refuse(f"at most {MOST_LEVELS} levels")
    return by, [str(value) for value in range(first, last + 1)]


def _geometric(first: int, last: int, factor: Word) -> list[str]:
    square = 2 if factor.text == "sqrt2" else (whole_number(factor.text) or 0) ** 2
    if square < 2:
        factor.refuse("sqrt2 or a number of at least 2")
    levels: list[str] = []
    while (value := math.floor(first * square ** (len(levels) / 2) + 0.5)) <= last:
        levels.append(str(value))
    return levels


def _number_of(word: Word, known: Experiment) -> int:
    number = whole_number(_level_of(word, known))
    if number is None:
        word.refuse("a number, or an earlier column that has one")
    return number


def _level_of(word: Word, known: Experiment) -> str:
    """Returns a level in itself, or the number that "dimensions", "dimensions+1" or "bytes-8" is."""
    found = re.fullmatch(r"([a-z]+)([-+][0-9]{1,18})?", word.text)
    if not found or found[1] not in COLUMNS:
        return word.text
    base = whole_number(getattr(known, found[1]))
    return word.text if base is None else str(base + int(found[2] or 0))
