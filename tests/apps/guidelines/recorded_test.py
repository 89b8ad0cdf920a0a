"""Verdicts, medians and probabilities are those of the program that was written in C++ alone.

recorded.tar.xz has campaigns and what that program made of them: measured ones, one whose times have one
digit, so that many are equal, and one of 55 made-up runs. expected/*/arguments.txt has the arguments of
`analyze`; numbers in medians.txt and p.txt have all their bits.
"""

import contextlib
import html
import io
import json
import re
import tarfile
import unittest
from pathlib import Path

from made_up import PROGRAM, new_folder
from seam_guidelines.command import VERBS
from seam_guidelines.outcome import Outcome, Wish, analyze
from seam_guidelines.placed import read_file


def words_of_page(page: str) -> set[str]:
    """The texts between the tags of a page."""
    texts = re.split(r"<[^>]*>", page.partition("<body>")[2])
    return {html.unescape(text).strip() for text in texts}


class Recorded(unittest.TestCase):
    def setUp(self) -> None:
        folder = new_folder()
        self.addCleanup(folder.cleanup)
        with tarfile.open(Path(__file__).with_name("recorded.tar.xz")) as archive:
            archive.extractall(folder.name)
        self.place = Path(folder.name) / "recorded"
        self.cases = sorted((self.place / "expected").iterdir())

    def run_word(self, word: str, case: Path) -> tuple[str, Path]:
        """What a word prints, and the folder of its campaign."""
        arguments = read_file(case / "arguments.txt").split()
        verb, printed = VERBS[word], io.StringIO()
        with contextlib.chdir(self.place), contextlib.redirect_stdout(printed):
            verb.run(verb.parser(word).read(arguments), PROGRAM)
        return printed.getvalue(), self.place / arguments[0]

    def outcomes(self, name: str) -> tuple[Path, Outcome]:
        outcome = analyze(Wish(self.place / name), PROGRAM)
        return self.place / "expected" / name, outcome

    def test_tables_and_data_of_plots_are_the_same(self) -> None:
        self.assertEqual(len(self.cases), 7)
        for case in self.cases:
            with self.subTest(case.name):
                printed, folder = self.run_word("analyze", case)
                self.assertEqual(printed, read_file(case / "guidelines.md"))
                for name in ("guidelines.md", "guidelines.csv", "tests.csv"):
                    self.assertEqual(read_file(folder / "analysis" / name), read_file(case / name))
                if (case / "plots.json").exists():
                    found, expected = folder / "analysis/plots.json", case / "plots.json"
                    self.assert_alike(json.loads(read_file(found)), json.loads(read_file(expected)))

    def assert_alike(self, found: object, expected: object) -> None:
        """Compares all values; numbers in all digits that were recorded."""
        if isinstance(expected, dict):
            self.assertEqual(found.keys(), expected.keys())
            found, expected = list(found.values()), list(expected.values())
        if isinstance(expected, list):
            self.assertEqual(len(found), len(expected))
            for one, other in zip(found, expected):
                self.assert_alike(one, other)
        elif isinstance(expected, float):
            self.assertLessEqual(abs(found - expected), 6e-4 * abs(expected))
        else:
            self.assertEqual(found, expected)

    def test_medians_are_the_same_bit_by_bit_and_so_are_ratios(self) -> None:
        for name in ("first", "ties", "many"):
            place, outcome = self.outcomes(name)
            self.compare_tests(read_file(place / "p.txt").splitlines(), outcome)
            found = [
                " ".join([samples.deployment, experiment.line(), *map(float.hex, sample.medians)])
                for samples in outcome.deployments
                for experiment, sample in samples.of.items()
                if sample
            ]
            expected = [
                " ".join([deployment, line, *(float.fromhex(number).hex() for number in numbers)])
                for deployment, line, *numbers in map(
                    str.split, read_file(place / "medians.txt").splitlines()
                )
            ]
            self.assertEqual(sorted(found), sorted(expected), name)

    def compare_tests(self, lines: list[str], outcome: Outcome) -> None:
        self.assertEqual(len(lines), len(outcome.tests))
        for line, test in zip(lines, outcome.tests.itertuples()):
            *words, left, right, v, p, is_violation = line.split("|")
            self.assertEqual(words[-3:], [test.deployment, test.group, test.varied])
            for found, expected in ((test.left_median, left), (test.right_median, right), (test.v, v)):
                self.assertEqual(found, float.fromhex(expected), line)
            self.assertAlmostEqual(test.p / float.fromhex(p), 1, delta=1e-12, msg=line)
            self.assertEqual(test.is_violation, is_violation == "1")

    def test_reports_say_the_same_and_name_machine_and_library(self) -> None:
        case = self.place / "expected/often"
        _, folder = self.run_word("report", case)
        page = read_file(folder / "report.html")
        lost = words_of_page(read_file(case / "report.html")) - words_of_page(page)
        # The sentences of the head, which lacked the library and the machine.
        self.assertLessEqual({text[:20] for text in lost}, {"8 runs of 7 repetiti"})
        summary = (
            "8 runs of 7 repetitions on Open MPI v4.1.4, Intel(R) Xeon(R) Processor, 2 processors on a node."
        )
        self.assertIn(summary, words_of_page(page))
        self.assertEqual(read_file(folder / "report.md"), read_file(case / "guidelines.md"))


if __name__ == "__main__":
    unittest.main()
