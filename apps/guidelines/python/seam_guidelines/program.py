"""The measuring program, which knows what experiments there can be."""

import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .experiment import COLUMNS, Experiment
from .placed import UsageError


@dataclass(frozen=True)
class Problem:
    """A level that cannot be: the place of its experiment in a list, its column, and what to say."""

    row: int
    column: int
    line: str


@dataclass(frozen=True)
class Program:
    """The program that measures, and the names of its MPI library's own mpiexec."""

    path: Path
    launchers: tuple[str, ...] = ()

    def launcher(self) -> str:
        """Returns the first launcher that this machine has; "mpiexec" if it has none of them."""
        return next(filter(shutil.which, self.launchers), "mpiexec")

    def problem_with(self, experiments: Iterable[Experiment], processes: int = 0) -> Problem | None:
        """Finds the first level that cannot be.

        `processes` are those that experiments run on, for the number of dimensions; 0: not known.
        """
        lines = [",".join(COLUMNS), *(experiment.line() for experiment in experiments)]
        check = subprocess.run(
            [self.path, "check", str(processes)],
            input="".join(line + "\n" for line in lines),
            stdout=subprocess.PIPE,
            text=True,
            errors="surrogateescape",
        )
        if check.returncode == 0:
            return None
        found = re.fullmatch(r"experiments:([0-9]+):([0-9]+): (.*)\n", check.stdout)
        if not found:
            raise UsageError(f"'{self.path}' cannot check experiments: {check.stdout.strip()}")
        row, place = int(found[1]) - 2, int(found[2]) - 1
        return Problem(row, lines[row + 1].count(",", 0, place), found[3])
