"""Experiments in words: a level for each column, "-" where the column does not apply.

The head of apps/guidelines/experiments/experiment.hpp lists the columns with their levels; the measuring
program checks them.
"""

from typing import NamedTuple


class Experiment(NamedTuple):
    """One experiment; the fields are the columns of files, in their order."""

    setup: str = "-"
    datatype: str = "-"
    bytes: str = "-"
    partitions: str = "-"
    repetitions: str = "-"
    work: str = "-"
    topology: str = "-"
    constructor: str = "-"
    dimensions: str = "-"
    finite: str = "-"
    radius: str = "-"
    ordering: str = "-"
    seed: str = "-"
    reorder: str = "-"

    def line(self) -> str:
        """Returns the levels joined by commas, as a line of a file has them."""
        return ",".join(self)

    def compared(self) -> "Experiment":
        """Clears the levels that are the same in a whole campaign: repetitions and seed."""
        return self._replace(repetitions="-", seed="-")


COLUMNS = Experiment._fields

Levels = dict[str, str]
"""Some columns with their levels."""


def without_spare_columns(experiment: Experiment) -> Experiment:
    """Clears columns whose meaning depends on another's level: the seed of orders that are not RAND,
    and the partitions of setups without them."""
    setup = experiment.setup
    is_partitioned = setup.startswith("Seam_P") and setup.endswith("_init")
    return experiment._replace(
        seed=experiment.seed if experiment.ordering == "RAND" else "-",
        partitions=experiment.partitions if is_partitioned else "-",
    )


def with_levels(experiment: Experiment, other: Levels) -> Experiment:
    """Returns the experiment with other levels, without those that do not apply to it then."""
    changed = experiment._replace(**other)
    has_ball = changed.topology in ("vonNeumann", "Moore")
    has_grid = has_ball or changed.topology == "Cartesian"
    is_full = changed.topology in ("Full", "FullSelf")
    spare: list[str] = []
    if not has_grid:
        spare += ["dimensions", "finite"]
    if not has_ball:
        spare += ["radius"]
    if not has_ball and not is_full:
        spare += ["ordering"]
    if changed.topology == "Complete":
        spare += ["constructor", "reorder"]
    return without_spare_columns(changed._replace(**dict.fromkeys(spare, "-")))


def in_words(column: str, level: str) -> str:
    """Returns a level that tells what it is, such as a setup, or "work=0"."""
    return level if level[0].isalpha() else f"{column}={level}"
