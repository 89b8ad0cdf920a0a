"""Environment files: how programs are started on a machine.

    launch  {mpiexec} -n {processes} --bind-to core {kernel}   the command of one run
    submit  sbatch --wait                     takes a job script; without it runs are made here
    slurm   --partition=short                 lines of job scripts behind #SBATCH
    setting OMP_NUM_THREADS=1                 an environment variable; any number of such lines
    archive tar -czf {archive} {folder}       the command that keeps a campaign's folder

Words in braces stand for values: mpiexec, that of the program's own MPI library; processes, nodes, per-node
and kernel, which is the program with its input and output; archive and folder.
"""

import re
from dataclasses import dataclass, field

from .placed import Place, Word, lines_of, words_of

_NAMES = ("mpiexec", "processes", "nodes", "per-node", "kernel", "archive", "folder")


@dataclass
class Environment:
    """How programs are started: commands for the shell, and lines of job scripts."""

    launch: str = ""
    submit: str = ""
    archive: str = "tar -czf {archive} {folder}"
    slurm: list[str] = field(default_factory=list)
    settings: list[str] = field(default_factory=list)  # "NAME=value"


def parse_environment(text: str, file: str) -> Environment:
    """Reads an environment file. Errors name the place of a word."""
    made = Environment()
    lines = lines_of(text)
    for number, line in enumerate(lines, 1):
        words = words_of(line, file, number)
        if words:
            _read_line(made, line, words)
    if "{kernel}" not in made.launch:
        place = Place(file, len(lines) + 1, 1)
        place.refuse("the file ends (expected 'launch ... {kernel}')")
    return made


def filled_in(text: str, values: dict[str, str]) -> str:
    """Replaces each "{key}" in the text that has a value."""
    return re.sub(r"{([a-z-]+)}", lambda found: values.get(found[1], found[0]), text)


def _read_line(made: Environment, line: str, words: list[Word]) -> None:
    key = words[0]
    if len(words) == 1:
        key.refuse("a value behind it")
    for word in words:
        _check_names(word)
    if key.text == "setting" and (len(words) > 2 or "=" not in words[1].text):
        words[1].refuse("NAME=value")
    begin, end = words[1].place.column - 1, words[-1].place.column - 1 + len(words[-1].text)
    value = line[begin:end]
    if key.text in ("launch", "submit", "archive"):
        setattr(made, key.text, value)
    elif key.text == "slurm":
        made.slurm.append(value)
    elif key.text == "setting":
        made.settings.append(value)
    else:
        key.refuse("launch, submit, archive, slurm or setting")


def _check_names(word: Word) -> None:
    if any(name not in _NAMES for name in re.findall(r"{([^}]*)", word.text)):
        *most, last = (f"{{{name}}}" for name in _NAMES)
        word.refuse(f"{', '.join(most)} or {last} in braces")
