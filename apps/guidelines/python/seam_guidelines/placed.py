"""Words of text files with their places, and errors that name file, line and column."""

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn


class UsageError(Exception):
    """A mistake in the command line or in a file, which ends the program with one line."""


@dataclass(frozen=True)
class Place:
    """A place in a file; lines and columns count from 1."""

    file: str
    line: int
    column: int

    def refuse(self, why: str) -> NoReturn:
        """Raises an error that begins with "file:line:column: "."""
        raise UsageError(f"{self.file}:{self.line}:{self.column}: {why}")


@dataclass(frozen=True)
class Word:
    """A word of a file, and its place."""

    text: str
    place: Place

    def refuse(self, expected: str) -> NoReturn:
        """Raises an error: "file:line:column: 'text' (expected ...)"."""
        self.place.refuse(f"'{self.text}' (expected {expected})")


def lines_of(text: str) -> list[str]:
    """Returns the lines of a text, without the ends of the lines."""
    return text.removesuffix("\n").split("\n") if text else []


def words_of(line: str, file: str, number: int) -> list[Word]:
    """Returns the words of line `number`, which blanks separate; those from '#' on are a comment."""
    found = re.finditer(r"[^ \t\r]+", line.partition("#")[0])
    return [Word(word.group(), Place(file, number, word.start() + 1)) for word in found]


def whole_number(text: str) -> int | None:
    """Returns a decimal number of at most 18 digits; None for all other texts."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,18}", text) else None


def real_number(text: str) -> float | None:
    """Returns a finite number without a sign, such as 0.5 or 2e-6; None for all other texts."""
    is_number = re.fullmatch(r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?", text)
    return float(text) if is_number and math.isfinite(float(text)) else None


def read_file(file: Path) -> str:
    """Reads a whole file, with bytes that are no UTF-8 as write_file() writes them again."""
    return file.read_bytes().decode(errors="surrogateescape")


def write_file(file: Path, text: str) -> None:
    """Writes a file beside its place and renames it when it is whole. Makes the folder."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(file.name + ".part")
    beside.write_bytes(text.encode(errors="surrogateescape"))
    beside.rename(file)
