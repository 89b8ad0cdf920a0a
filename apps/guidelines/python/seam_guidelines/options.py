"""The command lines of words: options with checked values, each given once, and help like that of CLI11."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from .placed import UsageError, real_number, whole_number

Parse = Callable[[str], Any]


@dataclass(frozen=True)
class Option:
    """An option, or the positional argument, whose name does not begin with "-"."""

    name: str
    shape: str  # of the value, in the help; empty: the option is a flag
    does: str
    parse: Parse = str
    default: Any = None
    is_list: bool = False  # of values that blanks or commas separate

    def is_positional(self) -> bool:
        return not self.name.startswith("-")

    def in_help(self) -> str:
        """Returns the line that the help of a word has, or two of them."""
        names = " ".join(filter(None, ("  " + self.name, self.shape)))
        if self.default is not None:
            names += f"={self.default}"
        if self.is_positional():
            names += " REQUIRED"
        if self.is_list:
            names += " ..."
        return f"{names:<30}{self.does}" if len(names) < 30 else f"{names}\n{' ' * 30}{self.does}"


HELP = Option("-h,--help", "", "Print this help message and exit")
VERSION = Option("--version", "", "Display program version information and exit")


def parse_options(words: Sequence[str], options: Sequence[Option]) -> argparse.Namespace:
    """Reads a command line. Mistakes are errors; values have the names of the options, with "_" for "-"."""
    parser = _Parser(add_help=False, allow_abbrev=False)
    for option in options:
        _add(parser, option)
    made, unknown = parser.parse_known_args(words)
    if unknown:
        parser.error(f"'{unknown[0]}' was not expected")
    for option in options:
        if option.is_positional() and getattr(made, option.name) is None:
            parser.error(f"{option.name} is required")
    return made


def in_help(options: Sequence[Option]) -> str:
    """Returns the part of a word's help that lists its options."""
    positional = [option.in_help() for option in options if option.is_positional()]
    others = [
        option.in_help() for option in (HELP, *options, VERSION) if not option.is_positional()
    ]
    return "\n".join(["Positionals:", *positional, "", "Options:", *others])


def count(text: str) -> int:
    """Reads a number of runs, repetitions or minutes."""
    value = whole_number(text)
    if value is None or not 1 <= value <= 1_000_000:
        raise argparse.ArgumentTypeError(f"'{text}' (expected a number from 1 to 1000000)")
    return value


def probability(text: str) -> float:
    """Reads a number from 0 to 1."""
    value = real_number(text)
    if value is None or value > 1:
        raise argparse.ArgumentTypeError(f"'{text}' (expected a number from 0 to 1)")
    return value


def positive(text: str) -> float:
    """Reads a number above 0."""
    value = real_number(text)
    if not value:
        raise argparse.ArgumentTypeError(f"'{text}' (expected a number above 0)")
    return value


def one_of(*known: str) -> Parse:
    """Returns the reader of a value that is one of those known."""

    def parse(text: str) -> str:
        if text not in known:
            raise argparse.ArgumentTypeError(f"'{text}' (expected one of {', '.join(known)})")
        return text

    return parse


class _Parser(argparse.ArgumentParser):
    """Reports mistakes as errors of one line."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message.removeprefix('argument ')} (--help shows the options)")


class _Once(argparse.Action):
    """Stores a value; refuses to do so again."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option: str | None = None) -> None:
        given = vars(namespace).setdefault("given", set())
        if self.dest in given:
            parser.error(f"{option or self.dest} stands there twice (expected it once)")
        given.add(self.dest)
        setattr(namespace, self.dest, values)


def _add(parser: argparse.ArgumentParser, option: Option) -> None:
    def parse(text: str) -> Any:
        if not text:
            raise argparse.ArgumentTypeError("'' (expected a value)")
        return option.parse(text)

    if option.is_list:
        parser.add_argument(option.name, action="extend", nargs="+", type=parse, default=[])
    elif option.is_positional():
        parser.add_argument(option.name, action=_Once, nargs="?", type=parse)
    elif option.shape:
        parser.add_argument(option.name, action=_Once, type=parse, default=option.default)
    else:
        parser.add_argument(option.name, action="store_true")
