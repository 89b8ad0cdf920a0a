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
from .options import Parser, count, one_of, positive, probability
from .packages import ANALYSIS, require_packages
from .placed import UsageError, read_file
from .program import Program

if TYPE_CHECKING:
    from .outcome import Outcome, Wish

SHIPPED = Path(__file__).parents[2]
"""The folder of the files that come with the program."""


def _add_campaign(parser: Parser) -> None:
    add = parser.add_argument
    add("campaign", nargs="?", metavar="CAMPAIGN", help="file, or name of one that comes with the program")
    add(
        "--environment", metavar="ENVIRONMENT", default="local", help="file or name: how programs are started"
    )
    add("--folder", type=Path, metavar="FOLDER", help="of all files; named like the campaign unless told")
    in_place = "in place of the file's"
    add("--deployments", nargs="+", metavar="NxP,...", help=f"nodes x processes, {in_place}")
    for name in ("--runs", "--repetitions", "--minutes"):
        add(name, type=count, metavar="INT:COUNT", help=in_place)


def _add_analysis(parser: Parser) -> None:
    add = parser.add_argument
    add("folder", type=Path, nargs="?", metavar="FOLDER", help="of a campaign")
    other = "file with other guidelines than the campaign's"
    add("--guidelines", type=Path, metavar="FILE.txt", help=other)
    both = "folder of a second campaign: violations are those that both have"
    add("--confirm", type=Path, metavar="FOLDER", help=both)
    unless = "of a violation; the campaign's unless told"
    add("--p", type=probability, metavar="FLOAT:P", help=f"largest p {unless}")
    add("--v", type=positive, metavar="FLOAT:POSITIVE", help=f"least ratio {unless}")
    columns = f"COLUMN:{{{','.join(COLUMNS)}}}"
    along = "the column along which groups are drawn"
    add("--varied", type=one_of(*COLUMNS), metavar=columns, help=along)


def _add_format(parser: Parser) -> None:
    known = one_of("svg", "png")
    parser.add_argument(
        "--format", type=known, metavar="TEXT:{svg,png}", default="svg", help="of pictures: svg or png"
    )


def _add_steps(parser: Parser) -> None:
    parser.add_argument("--no-plots", action="store_true", help="draw nothing")
    parser.add_argument("--no-archive", action="store_true", help="leave out the archive")


def generate(given: argparse.Namespace, program: Program) -> None:
    made = _open_or_generate(given, program)
    asked = made.campaign
    print(
        f"{asked.runs} runs of {len(asked.experiments)} experiments on {len(asked.deployments)} deployments "
        f"in {made.place}"
    )


def campaign(given: argparse.Namespace, program: Program) -> None:
    made = _open_or_generate(given, program)
    require_packages("campaign", ANALYSIS)
    left = make_runs(made, program)
    if left:
        raise UsageError(
            f"{left} runs are not done (the same command goes on; results so far are in "
            f"'{made.place / 'results'}')"
        )
    from .outcome import Wish
    from .pages import draw, write_report
    from .tables import markdown

    outcome = _analyze(Wish(made.place), program)

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

    print(markdown(_analyze(_wish_of(given), program)), end="")


def plot(given: argparse.Namespace, program: Program) -> None:
    require_packages("plot", ANALYSIS)
    from .pages import draw

    outcome = _analyze(_wish_of(given), program)
    sheet = draw(outcome, given.format)
    print(f"{outcome.num_violations()} violations are drawn in {sheet}")


def report(given: argparse.Namespace, program: Program) -> None:
    require_packages("report", ANALYSIS)
    from .pages import write_report

    print(write_report(_analyze(_wish_of(given), program)))


@dataclass(frozen=True)
class Verb:
    """A word of the program: what it does, its options, the end of its help, and the function."""

    does: str
    options: tuple[Callable[[Parser], None], ...]
    end: str
    run: Callable[[argparse.Namespace, Program], None]

    def parser(self, name: str) -> Parser:
        argument = "campaign" if _add_campaign in self.options else "folder"
        made = Parser(name, argument, self.does, self.end)
        for add in self.options:
            add(made)
        told = "the interpreter; Debian's, or python3, unless told"
        made.add_argument("--python", metavar="PROGRAM", help=told)
        return made


VERBS = {
    "generate": Verb(
        "Makes the files of a campaign.",
        (_add_campaign,),
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
        (_add_campaign, _add_format, _add_steps),
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
        (_add_analysis,),
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
        (_add_analysis, _add_format),
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
        (_add_analysis,),
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
        print(verb.parser(word).format_help(), end="")
    else:
        verb.run(verb.parser(word).read(words), program)


def _fail(program: Program, line: str) -> NoReturn:
    print(f"{program.path.name}: {line}", file=sys.stderr)
    os._exit(1)  # nothing that could fail once more


def _wish_of(given: argparse.Namespace) -> "Wish":
    from .outcome import Wish

    return Wish(given.folder, given.guidelines, given.confirm, given.p, given.v, given.varied)


def _analyze(wish: "Wish", program: Program) -> "Outcome":
    """Analyzes a campaign, and writes the tables."""
    from .outcome import analyze
    from .tables import write_tables

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
    raise UsageError(f"'{wanted}': no such file, nor one of the {folder} (expected a file or one of {names})")
