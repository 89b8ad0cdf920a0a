"""growth.py of seam-bench-scale: exponents, costs that grow too fast, predictions, and wrong tables."""

import importlib.util
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "apps/bench-scale"
SAMPLES = FOLDER / "samples"
spec = importlib.util.spec_from_file_location("growth", FOLDER / "growth.py")
growth = importlib.util.module_from_spec(spec)
spec.loader.exec_module(growth)


class Growth(unittest.TestCase):
    def run_with(self, *words):
        paths = [str(SAMPLES / word) if word.endswith(".csv") else word for word in words]
        return subprocess.run(
            [sys.executable, FOLDER / "growth.py", *paths], capture_output=True, text=True, check=False
        )

    def check_right(self, pattern, *words):
        ended = self.run_with(*words)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertRegex(ended.stdout, re.compile(pattern, re.DOTALL))

    def check_refused(self, line, *words):
        ended = self.run_with(*words)
        self.assertEqual(ended.returncode, 1)
        self.assertRegex(ended.stderr, "^growth: " + line)
        self.assertEqual(ended.stderr.count("\n"), 1)

    def test_tables_in_any_order_are_compared_by_ranks(self):
        self.check_right(
            r"graph \| messages \| 0.21 .*By messages a program on a grid keeps 0.0 bytes",
            *("256.csv", "2.csv", "64.csv"),
        )

    def test_a_table_of_all_ranks_grows_too_fast(self):
        self.check_refused(
            r"'graph' by messages grows too fast \(expected O\(log P\) messages, O\(log P\) bytes sent, "
            r"O\(1\) kept",
            *("64.csv", "256-tables.csv"),
        )

    def test_times_of_many_ranks_are_predicted(self):
        self.check_right(r"step of Jacobi \| 1024 .*RIB \| 1048576 ", "2.csv", "64.csv", "--predict")

    def test_predictions_are_compared_with_times_of_another_network(self):
        """A network of 100 us, 10 us and 10 MB/s, on which steps take 3 to 12 % longer than the model says."""
        self.check_right(
            r"step of Jacobi \| 2 \| 100 \| 10 \| 10.00 \| 0.57 \| 0.60 \| 0.96 .*RIB \| 2 ",
            *("2.csv", "--verify", "hosts.csv"),
        )
        self.check_refused(
            r"5.736e-04 s predicted for 'step of Jacobi' on 2 ranks with 512 cells each \(expected "
            r"6.000e-04 s, as measured, within 0.01\)",
            *("2.csv", "--verify", "hosts.csv", "--tolerance", "0.01"),
        )

    def test_a_step_on_many_ranks_takes_what_the_formula_says(self):
        jacobi = growth.programs_of([growth.Table(SAMPLES / "2.csv")])[0]
        over = growth.Network(latency=1e-6, gap=1e-7, bandwidth=1e9)
        cells, cell = 4096, 2e-5 / 512
        inner = cells * cell * (1 - 2 / 16) ** 3
        sent = 1e-6 + 5e-7 + 3120 * 4 / 1e9
        expected = cells * cell - inner + max(inner, sent) + 1 * 10 * 1e-6
        self.assertTrue(math.isclose(jacobi.seconds(over, 1024, cells), expected, rel_tol=1e-12))

    def test_an_exponent_is_that_of_the_power(self):
        points = [(x, 3 * x**1.5) for x in (4, 16, 64, 256)]
        trend = growth.trend_of(points, growth.EACH, 0)
        self.assertAlmostEqual(trend.exponent, 1.5)
        self.assertAlmostEqual(trend.slope, (points[3][1] - points[2][1]) / 192)
        self.assertTrue(trend.is_too_fast)
        self.assertFalse(growth.trend_of(points[:3], growth.EACH, 0).is_too_fast)
        self.assertFalse(growth.trend_of([(x, x) for x in (64, 256)], growth.EACH, 0).is_too_fast)

    def test_what_is_missing_is_said(self):
        self.check_refused("no table of 2 ranks to verify", "64.csv", "--verify", "hosts.csv")
        self.check_refused("no time of 'message' by messages on 2 ranks", "2.csv", "--verify", "2.csv")
        self.check_refused("no time of 'step of Jacobi' by messages", "64.csv", "256.csv", "--predict")
        self.check_refused("tables of the same ranks, cells and edges", "64.csv", "64.csv")
        self.check_refused("'.*none.csv'", "none.csv")
        self.check_refused(".*:1: '.*' .expected the names of columns", str(FOLDER / "CMakeLists.txt"))

    def test_a_row_that_is_none_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "wrong.csv"
            text = (SAMPLES / "2.csv").read_text(encoding="utf-8")
            path.write_text(text + "graph,shared,2\n", encoding="utf-8")
            self.check_refused(".*wrong.csv:8: 'graph,shared,2' .expected two names and 13", str(path))


if __name__ == "__main__":
    unittest.main()
