"""The words of seam-guidelines but `run`, with their options.

Modules that need packages of Python are imported when a word needs them: help is there at once, and files of
campaigns are made without them.
"""

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from .experiment import COLUMNS
from .folder import Folder, Source, open_or_generate
from .campaign import parse_campaign, with_entry
from .launch import make_archive, make_runs
from .options import Option, count, in_help, one_of, parse_options, positive, probability
from .packages import ANALYSIS, require_packages
from .placed import UsageError, read_file
from .program import Program

if TYPE_CHECKING:
    from .outcome import Outcome

SHIPPED = Path(__file__).parents[2]
"""The folder of the files that come with the program."""

CAMPAIGN = (
    Option("campaign", "CAMPAIGN", "file, or name of one that comes with the program"),
    Option(
        "--environment", "ENVIRONMENT", "file or name: how programs are started", default="local"
    ),
    Option("--folder", "FOLDER", "of all files; named like the campaign unless told", Path),
    Option("--deployments", "NxP,...", "nodes x processes, in place of the file's", is_list=True),
    Option("--runs", "INT:COUNT", "in place of the file's", count),
    Option("--repetitions", "INT:COUNT", "in place of the file's", count),
    Option("--minutes", "INT:COUNT", "in place of the file's", count),
)
ANALYZED = (
    Option("folder", "FOLDER", "of a campaign", Path),
    Option("--guidelines", "FILE.txt", "file with other guidelines than the campaign's", Path),
    Option(
        "--confirm",
        "FOLDER",
        "folder of a second campaign: violations are those that both have",
        Path,
    ),
    Option("--p", "FLOAT:P", "largest p of a violation; the campaign's unless told", probability),
    Option(
        "--v", "FLOAT:POSITIVE", "least ratio of a violation; the campaign's unless told", positive
    ),
    Option(
        "--varied",
        f"COLUMN:{{{','.join(COLUMNS)}}}",
        "the column along which groups are drawn",
        one_of(*COLUMNS),
    ),
)
FORMAT = Option(
    "--format", "TEXT:{svg,png}", "of pictures: svg or png", one_of("svg", "png"), "svg"
)
PYTHON = Option("--python", "PROGRAM", "the interpreter; Debian's, or python3, unless told")


def generate(given: argparse.Namespace, program: Program) -> None:
    made = _open_or_generate(given, program)
    asked = made.campaign
    print(
        f"{asked.runs} runs of {len(asked.experiments)} experiments on {len(asked.deployments)} deployments "
        f"in {made.place}"
    )


def campaign(given: argparse.Namespace, program: Program) -> None:
    require_packages("campaign", ANALYSIS)
    made = _open_or_generate(given, program)
    left = make_runs(made, program)
    if left:
        raise UsageError(
            f"{left} runs are not done (the same command goes on; results so far are in "
            f"'{made.place / 'results'}')"
        )
    given.folder, given.guidelines, given.confirm = made.place, None, None
    given.p, given.v, given.varied = None, None, None
    outcome = _analyze(given, program)
    from .pages import draw, write_report
    from .tables import markdown

    if not given.no_plots:
        try:
            draw(outcome, given.format)
        except UsageError as problem:
            print(problem, file=sys.stderr)
    report = write_report(outcome)
    if not given.no_archive:
        make_archive(made)
    print(f"{markdown(outcome)}\n{report}")


def analyze(given: argparse.Namespace, program: Program) -> None:
    require_packages("analyze", ANALYSIS)
    from .tables import markdown

    print(markdown(_analyze(given, program)), end="")


def plot(given: argparse.Namespace, program: Program) -> None:
    require_packages("plot", ANALYSIS)
    from .pages import draw

    outcome = _analyze(given, program)
    sheet = draw(outcome, given.format)
    print(f"{outcome.num_violations()} violations are drawn in {sheet}")


def report(given: argparse.Namespace, program: Program) -> None:
    require_packages("report", ANALYSIS)
    from .pages import write_report

    print(write_report(_analyze(given, program)))


@dataclass(frozen=True)
class Verb:
    """A word of the program: what it does, its options, the end of its help, and the function."""

    does: str
    options: tuple[Option, ...]
    footer: str
    run: Callable[[argparse.Namespace, Program], None]

    def help(self, name: str, program: str) -> str:
        positional = self.options[0].name
        usage = f"Usage: {program} {name} [OPTIONS] {positional}"
        return f"{self.does}\n{usage}\n\n{in_help(self.options)}\n\n{self.footer}"


VERBS = {
    "generate": Verb(
        "Makes the files of a campaign.",
        (*CAMPAIGN, PYTHON),
        """\
Examples:
  seam-guidelines generate nbhcoll-jupiter --environment slurm --folder jupiter
  seam-guidelines generate mine.txt --environment mine-env.txt --deployments 1x2,1x4 --runs 15
  for job in jupiter/jobs/*.sh; do sbatch $job; done

Campaigns and environments are files, or names of those that come with the program. The folder gets
copies of both, the experiments of each run in another random order, and a job script for each
deployment. 'campaign' goes on from there.
""",
        generate,
    ),
    "campaign": Verb(
        "Measures and judges a campaign.",
        (
            *CAMPAIGN,
            FORMAT,
            PYTHON,
            Option("--no-plots", "", "draw nothing"),
            Option("--no-archive", "", "leave out the archive"),
        ),
        """\
Examples:
  seam-guidelines campaign quick
  seam-guidelines campaign seam --folder monday --deployments 1x2
  seam-guidelines campaign quick --environment oversubscribed --deployments 1x8 --folder eight
  seam-guidelines campaign nbhcoll-jupiter --environment slurm --folder jupiter

Generates the campaign's folder, makes its runs, tests its guidelines, draws the violations, writes
report.html and archives the folder. Called again it goes on where it was interrupted. Without
Matplotlib it says so, and leaves the pictures out.
""",
        campaign,
    ),
    "analyze": Verb(
        "Tests the guidelines with the times of a campaign.",
        (*ANALYZED, PYTHON),
        """\
Examples:
  seam-guidelines analyze monday
  seam-guidelines analyze monday --confirm tuesday
  seam-guidelines analyze monday --guidelines mine.txt --varied dimensions --p 0.01 --v 1.1

A file of guidelines has lines such as
  guideline GL4 setup=Neighbor_allgather <= setup=Neighbor_alltoall
  guideline GL11 ordering=FMAJ|LMAJ ~ ordering=RAND
  guideline OV1 setup=Ineighbor_alltoall <= setup=Neighbor_alltoall work=0 + setup=Work
The levels that a guideline does not name are the same on both sides: all but the varied one, which
is the x axis of plots, make up the groups.
Writes analysis/guidelines.md, guidelines.csv, tests.csv and plots.json into the folder.
""",
        analyze,
    ),
    "plot": Verb(
        "Draws the violations of a campaign.",
        (*ANALYZED, FORMAT, PYTHON),
        """\
Examples:
  seam-guidelines plot monday
  seam-guidelines plot monday --format png --python /usr/bin/python3

Analyzes the campaign, and draws for each violating group an overview of the medians of both sides,
and for each violation the times of all runs as boxes, normalized to the median of the left side.
Writes plots/*.svg, and plots/contact.html with all of them, which needs no other file.
""",
        plot,
    ),
    "report": Verb(
        "Makes a page of a campaign's tables and pictures.",
        (*ANALYZED, PYTHON),
        """\
Examples:
  seam-guidelines report monday
  seam-guidelines report monday --confirm tuesday

Analyzes the campaign and writes report.html, which a browser shows without network, and report.md.
The page has the pictures that plot has drawn, and links to the times in its folder.
""",
        report,
    ),
}


def main() -> NoReturn:
    """Runs the word that the measuring program hands on, and ends the process."""
    path, launchers, word, *words = sys.argv[1:]
    program = Program(Path(path), tuple(filter(None, launchers.split(","))))
    try:
        _run(word, words, program)
        sys.stdout.flush()
    except BrokenPipeError:
        os._exit(1)  # whoever reads has heard enough
    except UsageError as problem:
        _fail(program, str(problem))
    except OSError as problem:
        _fail(program, f"'{problem.filename or 'standard output'}': {problem.strerror}")
    except KeyboardInterrupt:
        os._exit(130)
    sys.exit(0)


def _run(word: str, words: list[str], program: Program) -> None:
    verb = VERBS[word]
    wishes = {"-h", "--help", "--version"}.intersection(words)
    if "--version" in wishes:
        os.execv(program.path, [str(program.path), "--version"])
    if wishes:
        print(verb.help(word, program.path.name), end="")
    else:
        verb.run(parse_options(words, verb.options), program)


def _fail(program: Program, line: str) -> NoReturn:
    print(f"{program.path.name}: {line}", file=sys.stderr)
    os._exit(1)  # nothing that could fail once more


def _analyze(given: argparse.Namespace, program: Program) -> "Outcome":
    """Analyzes a campaign, and writes the tables."""
    from .outcome import Wish, analyze
    from .tables import write_tables

    wish = Wish(given.folder, given.guidelines, given.confirm, given.p, given.v, given.varied)
    outcome = analyze(wish, program)
    write_tables(outcome)
    return outcome


def _open_or_generate(given: argparse.Namespace, program: Program) -> Folder:
    file, here = _find(given.campaign, "campaigns"), _find(given.environment, "environments")
    asked = Source(_text_of(file, given), str(file))
    place = given.folder or Path(parse_campaign(asked.text, asked.name, program).name)
    return open_or_generate(place, asked, Source(read_file(here), str(here)), program)


def _text_of(file: Path, given: argparse.Namespace) -> str:
    """Reads a campaign's text, with the entries that options replace."""
    text = read_file(file)
    if given.deployments:
        deployments = ",".join(given.deployments).replace(",", " ")
        text = with_entry(text, "deployments", deployments)
    for key in ("runs", "repetitions", "minutes"):
        if getattr(given, key) is not None:
            text = with_entry(text, key, str(getattr(given, key)))
    return text


def _find(wanted: str, folder: str) -> Path:
    """Finds a file by its path or, without a suffix, by the name of one that comes with the program."""
    shipped = SHIPPED / folder
    for file in (Path(wanted), shipped / f"{wanted}.txt"):
        if file.is_file():
            return file
    names = ", ".join(sorted(file.stem for file in shipped.glob("*.txt")))
    raise UsageError(
        f"'{wanted}': no such file, nor one of the {folder} (expected a file or one of {names})"
    )
