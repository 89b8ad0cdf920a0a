"""Result files: the times of one run's experiments below a head that says where they were taken.

    # seam-guidelines: 1
    # library: Open MPI v4.1.4
    # experiments: 3360 7f3a...            their number, and the fingerprint of their set
    setup,...,reorder,status,seconds
    Neighbor_alltoall,...,0,ok,1.2e-06 1.3e-06 1.2e-06
    # end: 3360

A file without its last line is that of a run that has not ended. The measuring program writes these files;
errors name file, line and column.
"""

import re
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from .experiment import COLUMNS, Experiment
from .folder import Folder, KernelRun
from .campaign import Deployment
from .placed import Place, Word, lines_of, read_file, real_number, whole_number

MACHINE_ENTRIES = ("machine", "library", "build", "settings")
"""The entries of the head that are the same in all files that one analysis compares."""

STATES = ("ok", "WRONG", "ABSENT")
"""Results are right, or wrong, so that the times are not known, or the library does not have the call."""

_HEADER = ",".join([*COLUMNS, "status", "seconds"])


class Result(NamedTuple):
    """One experiment with its times [s], one for each repetition, none unless they are ok."""

    experiment: Experiment
    status: str
    seconds: list[float]
    line: int


@dataclass
class Results:
    """The contents of a result file."""

    file: str
    head: dict[str, Word] = field(default_factory=dict)
    of: dict[Experiment, Result] = field(default_factory=dict)  # by compared()
    num_lines: int = 0

    def entry(self, key: str) -> Word:
        """Returns the value of an entry of the head, which has to be there."""
        if key not in self.head:
            Place(self.file, 1, 1).refuse(f"the head has no entry '# {key}: ...'")
        return self.head[key]


def is_done(run: KernelRun) -> bool:
    """True if the results of a run are there and whole."""
    return run.output.exists() and bool(re.search(r"^# end: .*\n\Z", read_file(run.output), re.M))


def parse_results(text: str, file: str) -> Results:
    """Reads the result file of a run that has come to its end."""
    made = Results(file)
    has_header = False
    for number, line in enumerate(lines_of(text), 1):
        made.num_lines = number
        if line.startswith("#"):
            _add_entry(made, line)
        elif line.strip() and not has_header:
            _check_header(line, Place(file, number, 1))
            has_header = True
        elif line.strip():
            _add_result(made, _result_of(line, file, number))
    if not has_header:
        Place(file, made.num_lines + 1, 1).refuse(f"the file ends (expected the columns {_HEADER})")
    _check_end(made)
    return made


def read_results(folder: Folder, deployment: Deployment, first: Results | None) -> list[Results]:
    """Reads the results of all runs of a deployment, which have to be of the same experiments, machine and
    build. The machine and the build are those of `first`, if there is one."""
    runs: list[Results] = []
    for run in folder.runs_on(deployment):
        read = parse_results(read_file(run.output), str(run.output))
        _require_same_machine(first or (runs or [read])[0], read)
        _require_same_experiments((runs or [read])[0], read)
        runs.append(read)
    return runs


def _add_entry(made: Results, line: str) -> None:
    """Reads "# key: value"; other comments are no entries."""
    key, colon, value = line[1:].partition(": ")
    if colon:
        place = Place(made.file, made.num_lines, len(key) + 4)
        made.head.setdefault(key.strip(), Word(value.strip(), place))


def _check_header(line: str, place: Place) -> None:
    if line.strip() != _HEADER:
        place.refuse(f"'{line.strip()}' (expected the columns {_HEADER})")


def _result_of(line: str, file: str, number: int) -> Result:
    fields = line.split(",")
    expected = len(COLUMNS) + 2
    if len(fields) != expected:
        place = Place(file, number, len(line) + 1)
        place.refuse(f"the line has {len(fields)} fields (expected {expected})")
    times = Word(fields[-1], Place(file, number, len(line) - len(fields[-1]) + 1))
    status = Word(fields[-2].strip(), Place(file, number, times.place.column - 1 - len(fields[-2])))
    if status.text not in STATES:
        status.refuse("ok, WRONG or ABSENT")
    experiment = Experiment(*(text.strip() for text in fields[:-2]))
    seconds = _seconds_of(times)
    wanted = whole_number(experiment.repetitions) or 0 if status.text == "ok" else 0
    if len(seconds) != wanted:
        what = "one for each repetition" + ("" if wanted else " of results that are ok")
        times.place.refuse(f"{len(seconds)} times (expected {wanted}, {what})")
    return Result(experiment, status.text, seconds, number)


def _add_result(made: Results, result: Result) -> None:
    other = made.of.setdefault(result.experiment.compared(), result)
    if other is not result:
        Place(made.file, result.line, 1).refuse(f"the experiment of line {other.line} stands here again")


def _seconds_of(times: Word) -> list[float]:
    """Reads numbers that blanks separate."""
    seconds: list[float] = []
    for found in re.finditer(r"\S+", times.text):
        value = real_number(found.group())
        if value is None:
            place = replace(times.place, column=times.place.column + found.start())
            place.refuse(f"'{found.group()}' (expected a time in seconds)")
        seconds.append(value)
    return seconds


def _check_end(made: Results) -> None:
    """Checks the last line against the results."""
    count = str(len(made.of))
    if "end" not in made.head or made.head["end"].text != count:
        said = made.head.get("experiments")
        wanted = said.text.partition(" ")[0] if said else count
        place = Place(made.file, made.num_lines + 1, 1)
        place.refuse(
            f"the file ends after {count} experiments (expected {wanted} and a line '# end: {wanted}')"
        )


def _require_same_machine(first: Results, other: Results) -> None:
    for key in MACHINE_ENTRIES:
        expected, found = first.entry(key).text, other.entry(key)
        if found.text != expected:
            found.place.refuse(
                f"{key} '{found.text}' (expected '{expected}', as in {first.file}: results of two machines "
                "or builds cannot be compared)"
            )


def _require_same_experiments(first: Results, other: Results) -> None:
    for extra in (result for key, result in other.of.items() if key not in first.of):
        Place(other.file, extra.line, 1).refuse(
            f"{extra.experiment.line()} is not among the experiments of {first.file} (expected the same in "
            "all runs)"
        )
    for lacking in (result for key, result in first.of.items() if key not in other.of):
        Place(other.file, other.num_lines, 1).refuse(
            f"there is no {lacking.experiment.line()}, which {first.file} has (expected the same in all runs)"
        )
