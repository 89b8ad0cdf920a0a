"""Campaign files and what is made of them: numbers of experiments, their orders, tests and groups."""

import hashlib
import unittest
from pathlib import Path

from made_up import (
    HEAD,
    LIST,
    PROGRAM,
    SOURCES,
    campaign_of,
    cells,
    error_of,
    even_times,
    made_up,
    new_folder,
    shipped_campaign,
    violations,
)
from seam_guidelines.analysis import keep_confirmed, run_tests
from seam_guidelines.campaign import with_entry
from seam_guidelines.environment import parse_environment
from seam_guidelines.experiment import Experiment
from seam_guidelines.folder import Folder, Source, open_or_generate
from seam_guidelines.placed import read_file

NAMES = sorted(file.stem for file in (SOURCES / "campaigns").glob("*.txt"))

# The number of experiments, and the first digits of the SHA-256 of their sorted lines.
SETS = {
    "full-jupiter": (180, "4cd5ef82bf775741"),
    "full-rand-jupiter": (30, "abaf575e10676407"),
    "full-tuned-jupiter": (60, "a8052d1d1b1061f8"),
    "nbhcoll-jupiter": (3360, "9b9f87022ab2e517"),
    "nbhcoll-vsc3": (3360, "9b9f87022ab2e517"),
    "quick": (3252, "7bb33aa92e425065"),
    "seam": (2170, "7cb36b987585f670"),
    "short": (192, "b32477707d3707fc"),
}

MISTAKES = {
    "": "c.txt:1:1: the file ends without 'campaign'",
    HEAD: "c.txt:6:1: the file ends (expected experiments)",
    "camp c\n": "c.txt:1:1: 'camp' (expected campaign, deployments",
    "runs 6\n" + HEAD + LIST: "c.txt:4:1: 'runs' (expected each entry once)",
    HEAD.replace("runs 10", "runs 6") + LIST: "c.txt:3:6: '6' (expected at least 7 runs",
    "runs few\n": "c.txt:1:6: 'few' (expected a number from 1",
    "runs 10 11\n": "c.txt:1:9: '11' (expected one value)",
    "runs\n": "c.txt:1:1: 'runs' (expected one value)",
    "deployments 1x\n": "c.txt:1:13: '1x' (expected nodes x processes",
    "deployments 0x2\n": "'0x2' (expected nodes x",
    "campaign ../c\n": "'../c' (expected a name of letters",
    "repetitions 0\n": "c.txt:1:13: '0' (expected a number from 1",
    "setting X\n": "'X' (expected NAME=value)",
    "v nan\n": "'nan' (expected a number above 0",
    "varied size\n": "'size' (expected a column)",
    "bytes 8\n": "'bytes' (expected campaign",
    HEAD
    + "experiments\nsetup Alltoal\nbytes 8\ntopology Complete\n": (
        "c.txt:7:7: setup 'Alltoal' (expected a setup such as"
    ),
    HEAD + LIST + "radius 1\n": "c.txt:10:8: radius '1' (expected -, as this topology",
    HEAD + LIST + "ordering FMAJ\n": "c.txt:10:10: ordering 'FMAJ' (expected -)",
    HEAD + LIST + "bytes 9\n": "c.txt:10:1: 'bytes' (expected each column once",
    HEAD + LIST + "datatype MPI_DOUBLE MPI_LONG\n": "c.txt:10:10: datatype 'MPI_LONG'",
    HEAD + LIST + "datatype MPI_INT,MPI_CHAR\n": "'MPI_INT,MPI_CHAR' (expected levels with blanks",
    HEAD + "experiments\nsetup Alltoall\nbytes 8 to\n": "c.txt:8:9: 'to' (expected a number",
    HEAD + "experiments\nsetup Alltoall\nbytes 8 to 9 by 1\n": "'1' (expected sqrt2 or",
    HEAD + "experiments\nbytes finite to 9\n": "'finite' (expected a number, or an earlier",
    HEAD + LIST + "seed 4\n": "c.txt:10:1: 'seed' (expected seed above all",
    HEAD + LIST + "guideline\n": "c.txt:10:1: guideline: expected a name",
    HEAD + LIST + "guideline G bytes=8\n": "c.txt:10:11: guideline: expected a name",
    HEAD + LIST + "guideline ~ bytes=8\n": "a side or term is empty",
    HEAD + LIST + "guideline G bytes=8 <=\n": "a side or term is empty",
    HEAD + LIST + "guideline G size=8 <= bytes=9\n": ("c.txt:10:13: 'size=8' (expected column=level"),
    HEAD + LIST + "guideline G bytes=8 <= bytes=\n": "'bytes=' (expected a level behind =)",
    HEAD + LIST + "guideline G setup=Alltoall <= setup=I*\n": "(expected no * on the right",
    HEAD
    + LIST
    + "guideline G work=1 <= work=0 + work=2 max work=3\n": (
        "'max' (expected terms that + or max join, not both)"
    ),
    HEAD
    + LIST
    + "guideline G setup=Alltoall <= setup=Nothing\n": (
        "c.txt:10:1: guideline G Alltoall <= Nothing: no experiment has the levels of both sides"
    ),
    HEAD + LIST + "\nguideline G setup=Allgather <= setup=Alltoall\n": "c.txt:11:1: guideline G ",
    HEAD + LIST + "\nguideline G bytes=8 <= bytes=17\n": "c.txt:11:1: guideline G ",
}

MISTAKES_OF_ENVIRONMENTS = {
    "": "e.txt:1:1: the file ends (expected 'launch",
    "launch\n": "e.txt:1:1: 'launch' (expected a value",
    "start mpiexec {kernel}\n": "e.txt:1:1: 'start' (expected launch, submit",
    "launch mpiexec\n": "e.txt:2:1: the file ends (expected 'launch",
    "launch mpiexec {ranks} {kernel}\n": "e.txt:1:16: '{ranks}' (expected {mpiexec}, {processes}",
    "setting X\n": "e.txt:1:9: 'X' (expected NAME=value)",
}


class CampaignFiles(unittest.TestCase):
    def test_experiments_are_those_of_the_recorded_sets(self) -> None:
        self.assertEqual(NAMES, sorted(SETS))
        for name, (number, digits) in SETS.items():
            with self.subTest(name):
                lines = sorted(one.line() + "\n" for one in shipped_campaign(name).experiments)
                self.assertEqual(len(lines), number)
                self.assertTrue(hashlib.sha256("".join(lines).encode()).hexdigest().startswith(digits))

    def test_campaigns_of_the_paper_are_those_of_table_2(self) -> None:
        for name in (name for name in NAMES if name not in ("quick", "seam", "short")):
            with self.subTest(name):
                asked = shipped_campaign(name)
                self.assertEqual(asked.runs, 30 if name == "nbhcoll-jupiter" else 15)
                self.assertEqual(asked.repetitions, 50)
                self.assertEqual(list(map(str, asked.deployments)), ["10x16", "20x16", "35x16"])
                sizes = sorted({int(experiment.bytes) for experiment in asked.experiments})
                self.assertEqual(sizes, [round(256 * 2 ** (k / 2)) for k in range(15)])
                for deployment in asked.deployments:
                    problem = PROGRAM.problem_with(asked.experiments, deployment.processes)
                    self.assertIsNone(problem)

    def test_all_files_that_come_with_the_program_can_be_read(self) -> None:
        for name in NAMES:
            with self.subTest(name):
                asked = shipped_campaign(name)
                self.assertEqual(asked.name, name)
                for cell in cells(asked, made_up(asked, even_times)).values():
                    self.assertNotIn("0/0", cell)
        for file in (SOURCES / "environments").glob("*.txt"):
            parse_environment(read_file(file), str(file))

    def test_quick_judges_by_all_guidelines_of_the_paper(self) -> None:
        names = {judge.name for judge in shipped_campaign("quick").guidelines}
        self.assertLessEqual({f"GL{number}" for number in range(1, 13)}, names)
        self.assertGreaterEqual(shipped_campaign("quick").runs, 10)

    def test_levels_of_one_column_may_depend_on_another(self) -> None:
        asked = campaign_of(
            HEAD + "experiments\nsetup Neighbor_alltoall\nbytes 8\ntopology Moore\n"
            "constructor Dist_graph_create\ndimensions 1 to 3\nfinite 0 to dimensions\n"
            "radius dimensions dimensions+1\nordering FMAJ\nreorder 0\n"
        )
        found = {(one.dimensions, one.finite, one.radius) for one in asked.experiments}
        expected = {
            (str(d), str(finite), str(radius))
            for d in (1, 2, 3)
            for finite in range(d + 1)
            for radius in (d, d + 1)
        }
        self.assertEqual(found, expected)
        self.assertEqual(len(asked.experiments), len(expected))

    def test_mistakes_are_errors_with_their_places(self) -> None:
        self.assertEqual(error_of(lambda: campaign_of(HEAD + LIST)), "")
        for text, expected in MISTAKES.items():
            with self.subTest(text):
                self.assertIn(expected, error_of(lambda: campaign_of(text)))

    def test_mistakes_in_environments_are_errors_with_their_places(self) -> None:
        for text, expected in MISTAKES_OF_ENVIRONMENTS.items():
            with self.subTest(text):
                self.assertIn(expected, error_of(lambda: parse_environment(text, "e.txt")))


class Verdicts(unittest.TestCase):
    def test_tests_and_groups_of_nbhcoll_are_those_of_table_3(self) -> None:
        asked = shipped_campaign("nbhcoll-vsc3")
        expected = {
            "Neighbor_allgather <= Neighbor_alltoall": "0/1680 (0/112)",
            "Cartesian Cart_create <= vonNeumann Dist_graph_create_adjacent radius=1 FMAJ": ("0/480 (0/32)"),
            "FMAJ <= RAND": "0/960 (0/64)",
            "LMAJ <= RAND": "0/960 (0/64)",
            "reorder=1 <= reorder=0": "0/1680 (0/112)",
        }
        self.assertEqual(cells(asked, made_up(asked, even_times)), expected)

    def test_tests_and_groups_of_full_jupiter_are_those_of_table_4(self) -> None:
        asked = shipped_campaign("full-jupiter")
        expected = {
            "Allgather <= Neighbor_allgather": "0/30 (0/2)",
            "Alltoall <= Neighbor_alltoall": "0/30 (0/2)",
            "Neighbor_allgather <= Neighbor_alltoall": "0/60 (0/4)",
            "LINEAR <= RAND": "0/60 (0/4)",
            "reorder=1 <= reorder=0": "0/90 (0/6)",
        }
        self.assertEqual(cells(asked, made_up(asked, even_times)), expected)

    def test_violations_are_found_where_they_are_and_nowhere_else(self) -> None:
        def times(one: Experiment, run: int) -> float:
            is_slow = (one.topology, one.ordering, one.dimensions) == ("Moore", "FMAJ", "3")
            return even_times(one, run) * (1.05 if is_slow and one.bytes not in ("256", "1024") else 1)

        asked = shipped_campaign("nbhcoll-vsc3")
        found = cells(asked, made_up(asked, times))
        # Two setups, two values each of finite and reorder; 13 of 15 sizes.
        self.assertEqual(found["FMAJ <= RAND"], "104/960 (8/64)")
        self.assertEqual(found["LMAJ <= RAND"], "0/960 (0/64)")
        self.assertEqual(found["reorder=1 <= reorder=0"], "0/1680 (0/112)")
        self.assertEqual(violations(asked, times, v=1.06), 0)

    def test_violations_need_both_thresholds(self) -> None:
        asked = campaign_of(
            HEAD + LIST + "experiments\nsetup Allgather\nbytes 8 16\ntopology Complete\n"
            "guideline G setup=Allgather <= setup=Alltoall\n"
        )
        # The left side's ratio, the spread of both, and the violations of two tests.
        for ratio, spread, expected in ((1.1, 0.001, 2), (1.1, 0.1, 0), (1.02, 0.001, 0), (0.5, 0.001, 0)):

            def times(one: Experiment, run: int) -> float:
                is_left = one.setup == "Allgather"
                return (ratio if is_left else 1) + spread * ((run * 7 + 3 * is_left) % 10)

            with self.subTest(ratio=ratio, spread=spread):
                self.assertEqual(violations(asked, times), expected)

    def test_terms_are_added_or_the_largest_of_them_counts(self) -> None:
        asked = campaign_of(
            HEAD + "experiments\nsetup Alltoall Ialltoall\nbytes 8\ntopology Complete\nwork 0 100\n"
            "experiments\nsetup Work\nbytes 8\ntopology Complete\nwork 100\n"
            "guideline SUM setup=Ialltoall work=100 <= setup=Alltoall work=0 + setup=Work\n"
            "guideline MAX setup=Ialltoall work=100 <= setup=Alltoall work=0 max setup=Work\n"
        )

        def times(one: Experiment, run: int) -> float:
            call = {"Work": 0, "Alltoall": 2, "Ialltoall": 1}[one.setup]
            return call + (5 if one.work == "100" else 0) + 1e-6 * run

        sums, largest = run_tests([made_up(asked, times)], asked).itertuples()
        self.assertAlmostEqual(sums.right_median, 7, places=3)  # 2 + 5
        self.assertFalse(sums.is_violation)  # 6 <= 7
        self.assertAlmostEqual(largest.right_median, 5, places=3)
        self.assertTrue(largest.is_violation)  # 6 > 5

    def test_a_second_campaign_confirms_the_violations_that_both_have(self) -> None:
        asked = shipped_campaign("full-rand-jupiter")

        def tests_with_slow(*sizes: str):
            def times(one: Experiment, run: int) -> float:
                is_slow = one.setup == "Alltoall" and one.bytes in sizes
                return even_times(one, run) * (2 if is_slow else 1)

            return run_tests([made_up(asked, times)], asked)

        own = tests_with_slow("256", "512")
        self.assertEqual(own.is_violation.sum(), 2)
        keep_confirmed(own, tests_with_slow("512", "1024"))
        self.assertEqual(list(own[own.is_violation].varied), ["512"])


class Folders(unittest.TestCase):
    def generated(self, place: Path, text: str, launch: str = "launch mpiexec {kernel}\n") -> Folder:
        return open_or_generate(place, Source(text, "c.txt"), Source(launch, "e.txt"), PROGRAM)

    def test_each_run_has_the_same_experiments_in_another_order(self) -> None:
        text = read_file(SOURCES / "campaigns/full-jupiter.txt")
        slurm = read_file(SOURCES / "environments/slurm.txt")
        with new_folder() as place:
            made = self.generated(Path(place), text, slurm)
            orders = [read_file(run.input).splitlines()[2:] for run in made.runs()]
            self.assertEqual(len(set(map(tuple, orders))), 3 * 15)
            self.assertEqual({tuple(sorted(order)) for order in orders}, {tuple(sorted(orders[0]))})
            self.assertIsNone(PROGRAM.problem_with(Experiment(*one.split(",")) for one in orders[7]))
            job = read_file(Path(place) / "jobs/35x16.sh")
            for part in (
                "#SBATCH --nodes=35\n",
                "#SBATCH --ntasks-per-node=16\n",
                "#SBATCH --time=1800\n",
                "#SBATCH --exclusive\n",
                "srun --nodes=35 --ntasks=560",
                f"run-15.csv || timeout 120m env OMP_NUM_THREADS=1",
                f"{PROGRAM.path} run {place}/inputs/35x16/run-02.csv --output {place}/results/35x16/run-02.csv",
                "--resume --head campaign=full-jupiter --head deployment=35x16 --head run=2\n",
            ):
                self.assertIn(part, job)
            self.generated(Path(place), text, slurm)  # the same again is no error
            more = text + "guideline X reorder=0 <= reorder=1\n"
            error = error_of(lambda: self.generated(Path(place), more, slurm))
            self.assertIn("the folder holds another campaign", error)

    def test_two_folders_of_a_campaign_are_the_same(self) -> None:
        with new_folder() as one, new_folder() as other:
            runs = [self.generated(Path(place), HEAD + LIST).runs() for place in (one, other)]
            texts = [[read_file(run.input) for run in of_folder] for of_folder in runs]
            self.assertEqual(*texts)

    def test_blanks_and_quotes_in_paths_do_not_harm(self) -> None:
        with new_folder() as place:
            made = self.generated(Path(place) / "it's here", HEAD + LIST)
            command = made.command_of(made.runs()[0], PROGRAM)
            self.assertIn("""it'"'"'s here/results/1x2/run-01.csv'""", command)

    def test_dimensions_are_at_most_as_many_as_prime_factors(self) -> None:
        text = HEAD + (
            "experiments\nsetup Neighbor_alltoall\nbytes 8\ntopology Cartesian\nconstructor Cart_create\n"
            "dimensions 1 to 3\nfinite 0\nreorder 0\n"
        )
        with new_folder() as place:
            new = Path(place) / "new"
            error = error_of(lambda: self.generated(new, text))
            self.assertEqual(
                error,
                "c.txt: deployment 1x2: dimensions '2' (expected at most 1, the number of prime factors of 2 "
                "processes)",
            )
            self.assertFalse(new.exists())
            self.generated(new, with_entry(text, "deployments", "1x8 3x4"))


if __name__ == "__main__":
    unittest.main()
