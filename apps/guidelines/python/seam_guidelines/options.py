"""The command lines of words: one argument and options, each given once, and help like that of `run`."""

import argparse
from collections.abc import Callable
from typing import NoReturn

from .placed import UsageError, real_number, whole_number


class Parser(argparse.ArgumentParser):
    """The command line of a word. Values have the names of the options, with "_" for "-"."""

    def __init__(self, word: str, argument: str, does: str, end: str) -> None:
        usage = f"seam-guidelines {word} [OPTIONS] {argument}"
        super().__init__(usage=usage, description=does, epilog=end, add_help=False, allow_abbrev=False)
        self.argument = argument

    def read(self, words: list[str]) -> argparse.Namespace:
        """Reads a command line. Mistakes are errors."""
        for before, word in zip(["", *words], words):
            if not word:
                self.error(f"{before}: '' (expected a value)")
        for option in self._option_string_actions:
            if sum(word.partition("=")[0] == option for word in words) > 1:
                self.error(f"{option} stands there twice (expected it once)")
        made, unknown = self.parse_known_args(words)
        if unknown:
            self.error(f"'{unknown[0]}' was not expected")
        if getattr(made, self.argument) is None:
            self.error(f"{self.argument} is required")
        return made

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message.removeprefix('argument ')} (--help shows the options)")

    def format_help(self) -> str:
        argument, options = _entry(self._actions[0]), "\n".join(map(_entry, self._actions[1:]))
        return f"""\
{self.description}
Usage: {self.usage}

Positionals:
{argument}

Options:
{_line('-h,--help', 'Print this help message and exit')}
{options}
{_line('--version', 'Display program version information and exit')}

{self.epilog}"""


def count(text: str) -> int:
    """Reads a number of runs, repetitions or minutes."""
    value = whole_number(text)
    return value if value and 0 < value <= 1_000_000 else _refuse(text, "a number from 1 to 1000000")


def probability(text: str) -> float:
    """Reads a number from 0 to 1."""
    value = real_number(text)
    return value if value is not None and value <= 1 else _refuse(text, "a number from 0 to 1")


def positive(text: str) -> float:
    """Reads a number above 0."""
    return real_number(text) or _refuse(text, "a number above 0")


def one_of(*known: str) -> Callable[[str], str]:
    """Returns the reader of a value that is one of those known."""
    return lambda text: text if text in known else _refuse(text, f"one of {', '.join(known)}")


def _refuse(text: str, expected: str) -> NoReturn:
    raise argparse.ArgumentTypeError(f"'{text}' (expected {expected})")


def _entry(action: argparse.Action) -> str:
    """Returns the line that the help has of an option or argument, or two of them."""
    name = (action.option_strings or [action.dest])[0]
    shape = f" {action.metavar}" if action.metavar else ""
    if not action.option_strings:
        shape += " REQUIRED"
    elif action.nargs == "+":
        shape += " ..."
    elif isinstance(action.default, str):
        shape += f"={action.default}"
    return _line(name + shape, str(action.help))


def _line(names: str, does: str) -> str:
    names = f"  {names}"
    return f"{names:<30}{does}" if len(names) < 30 else f"{names}\n{' ' * 30}{does}"
