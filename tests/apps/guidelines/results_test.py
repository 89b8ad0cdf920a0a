"""Result files: what cannot be is an error that names file, line and column, and runs are compared only with
those of the same experiments, machine and build."""

import random
import unittest
from pathlib import Path

from made_up import PROGRAM, error_of, new_folder
from seam_guidelines.experiment import COLUMNS
from seam_guidelines.folder import Folder, Source, open_or_generate
from seam_guidelines.placed import write_file
from seam_guidelines.results import is_done, parse_results, read_results

HEADER = ",".join(COLUMNS) + ",status,seconds\n"
HEAD = (
    "# seam-guidelines: 1\n# machine: a\n# library: b\n# build: c\n# settings: d\n" "# experiments: 2 0123\n"
)
MOORE = "Neighbor_alltoall,MPI_BYTE,256,-,2,0,Moore,Dist_graph_create,2,1,1,RAND,7,0"
FULL = "Ialltoall,MPI_INT,8,-,2,50,Full,Dist_graph_create_adjacent,-,-,-,LINEAR,-,1"
GOOD = (MOORE + ",ok,1e-6 2e-6\n", FULL + ",WRONG,\n")


def text_of(first: str, second: str, end: str = "# end: 2\n") -> str:
    return HEAD + HEADER + first + second + end


def results_error(text: str) -> str:
    return error_of(lambda: parse_results(text, "r.csv"))


class ResultFiles(unittest.TestCase):
    def test_results_are_read_as_they_are_written(self) -> None:
        read = parse_results(text_of(*GOOD), "r.csv")
        first, second = read.of.values()
        self.assertEqual((first.experiment.line(), first.seconds), (MOORE, [1e-6, 2e-6]))
        self.assertEqual((second.experiment.line(), second.status), (FULL, "WRONG"))
        self.assertEqual(read.entry("library").text, "b")

    def test_results_that_are_cut_off_anywhere_are_errors(self) -> None:
        text = text_of(*GOOD)
        for length in range(len(text) - 1):
            self.assertTrue(results_error(text[:length]).startswith("r.csv:"), length)
        self.assertEqual(
            results_error(HEAD + HEADER + GOOD[0]),
            "r.csv:9:1: the file ends after 1 experiments (expected 2 and a line '# end: 2')",
        )

    def test_damaged_results_are_errors_with_their_places(self) -> None:
        column = len(MOORE) + 5
        for first, second, expected in (
            (MOORE + ",fine,1 2\n", GOOD[1], f"r.csv:8:{column - 3}: 'fine' (expected ok, WRONG or ABSENT)"),
            (MOORE + ",ok,1e-6 fast\n", GOOD[1], f"r.csv:8:{column + 5}: 'fast' (expected a time"),
            (MOORE + ",ok,1e-6 -1\n", GOOD[1], "'-1' (expected a time"),
            (MOORE + ",ok,1e-6 1e999\n", GOOD[1], "'1e999' (expected a time"),
            (MOORE + ",ok,1e-6\n", GOOD[1], f"r.csv:8:{column}: 1 times (expected 2"),
            (GOOD[0], FULL + ",WRONG,1\n", "1 times (expected 0"),
            (GOOD[0], GOOD[0], "r.csv:9:1: the experiment of line 8 stands here again"),
            (GOOD[0], "Ialltoall,1\n", "r.csv:9:12: the line has 2 fields (expected 16)"),
        ):
            with self.subTest(first=first, second=second):
                self.assertIn(expected, results_error(text_of(first, second)))
        self.assertIn("the file ends after 2", results_error(text_of(*GOOD, "# end: 3\n")))
        self.assertIn("r.csv:1:1: 'setup' (expected the columns", results_error("setup\n"))

    def test_any_damage_is_an_error_or_harmless(self) -> None:
        chance = random.Random(5)
        for trial in range(2000):
            text = list(text_of(*GOOD))
            text[chance.randrange(len(text))] = chr(chance.randrange(128))
            self.assertRegex(results_error("".join(text)), "^$|^r.csv:", trial)


class Runs(unittest.TestCase):
    """A campaign of two experiments in a folder, with results for seven runs."""

    TEXT = (
        "campaign c\ndeployments 1x2\nruns 7\nrepetitions 2\nminutes 1\n"
        "experiments\nsetup Alltoall Allgather\nbytes 8\ntopology Complete\n"
    )

    def setUp(self) -> None:
        folder = new_folder()
        self.addCleanup(folder.cleanup)
        here = Source("launch mpiexec {kernel}\n", "e.txt")
        self.made: Folder = open_or_generate(Path(folder.name), Source(self.TEXT, "c.txt"), here, PROGRAM)
        for number in range(1, 8):
            self.write(number, "Alltoall", "Allgather")

    def write(self, number: int, *setups: str, head: str = HEAD, end: str | None = None) -> None:
        rows = [f"{setup},MPI_BYTE,8,-,2,0,Complete,-,-,-,-,-,-,-,ok,1e-6 2e-6\n" for setup in setups]
        end = f"# end: {len(rows)}\n" if end is None else end
        write_file(self.made.runs()[number - 1].output, head + HEADER + "".join(rows) + end)

    def error(self) -> str:
        return error_of(lambda: read_results(self.made, self.made.campaign.deployments[0], None))

    def test_runs_of_two_machines_or_builds_are_not_compared(self) -> None:
        self.assertEqual(self.error(), "")
        for entry in ("machine: a", "library: b", "build: c", "settings: d"):
            self.write(3, "Alltoall", "Allgather", head=HEAD.replace(entry, entry + "2"))
            self.assertRegex(
                self.error(), "run-03.csv:.*results of two machines or builds cannot be compared"
            )
        self.write(3, "Alltoall", "Allgather", head=HEAD.replace("# build: c\n", ""))
        self.assertIn("run-03.csv:1:1: the head has no entry '# build: ...'", self.error())

    def test_runs_of_other_experiments_are_not_compared(self) -> None:
        self.write(3, "Alltoall", "Ialltoall")
        self.assertIn("run-03.csv:9:1: Ialltoall,", self.error())
        self.write(3, "Alltoall")
        self.assertIn("run-03.csv:9:1: there is no Allgather,", self.error())

    def test_a_run_that_has_not_ended_is_not_done(self) -> None:
        self.write(3, "Alltoall", "Allgather", end="")
        self.assertIn("run-03.csv:10:1: the file ends after 2 experiments", self.error())
        self.assertEqual([is_done(run) for run in self.made.runs()], [True] * 2 + [False] + [True] * 4)
        self.write(3, "Alltoall", "Allgather", end="# end:")
        self.assertFalse(is_done(self.made.runs()[2]))

    def test_a_run_that_is_not_there_is_not_done(self) -> None:
        run = self.made.runs()[2]
        run.output.unlink()
        self.assertFalse(is_done(run))
        self.assertRaises(FileNotFoundError, self.error)


if __name__ == "__main__":
    unittest.main()
