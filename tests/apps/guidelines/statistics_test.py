"""Medians, fences and rank sums against R's values, against all divisions of small samples, and by their
properties."""

import itertools
import random
import unittest
from pathlib import Path

import made_up
import numpy as np
from seam_guidelines.campaign import least_p
from seam_guidelines.statistics import median, quantile, rank_sum_p, without_outliers

REFERENCE = Path(__file__).with_name("statistics_reference.txt")


def numbers_in(text: str) -> list[float]:
    return [float(word) for word in text.split()]


def p_of(a: list[float], b: list[float]) -> float:
    return float(rank_sum_p(np.array([a]), np.array([b]))[0])


def p_by_counting(a: list[float], b: list[float]) -> float:
    """The share of all choices of as many values as `a` has whose rank sum is at least that of `a`."""
    ranks = {value: rank for rank, value in enumerate(sorted(a + b))}
    found = sum(ranks[value] for value in a)
    sums = [sum(chosen) for chosen in itertools.combinations(ranks.values(), len(a))]
    return sum(one >= found for one in sums) / len(sums)


class Statistics(unittest.TestCase):
    def assert_close(self, found: float, expected: float) -> None:
        self.assertLessEqual(abs(found - expected), 1e-12 * abs(expected), (found, expected))

    def test_probabilities_and_quantiles_are_those_of_r(self) -> None:
        tests = quantiles = 0
        for line in REFERENCE.read_text().splitlines():
            method, first, second, result = line.split(";")
            if method == "quantile":
                quantiles += 1
                self.assert_close(quantile(np.sort(numbers_in(first)), float(second)), float(result))
            else:
                tests += 1
                with self.subTest(line[:300]):
                    self.assert_close(p_of(numbers_in(first), numbers_in(second)), float(result))
        self.assertGreater(tests, 50)
        self.assertGreater(quantiles, 40)

    def test_exact_probabilities_are_shares_of_all_divisions(self) -> None:
        chance = random.Random(7)
        for num_a, num_b in itertools.product(range(1, 6), range(1, 7)):
            a, b = ([chance.gauss(0, 1) for _ in range(count)] for count in (num_a, num_b))
            with self.subTest(a=a, b=b):
                self.assert_close(p_of(a, b), p_by_counting(a, b))

    def test_rows_are_tested_each_by_itself(self) -> None:
        chance = random.Random(5)
        digits = (15, 0, 15, 1)  # with and without ties
        a, b = ([[round(chance.gauss(0, 1), some) for _ in range(10)] for some in digits] for _ in range(2))
        together = rank_sum_p(np.array(a), np.array(b))
        self.assertEqual(list(together), [p_of(*row) for row in zip(a, b)])

    def test_only_the_order_of_values_matters_and_one_side_at_least_is_likely(self) -> None:
        chance = random.Random(11)
        for length in (3, 10, 60):
            a, b = ([chance.gauss(0, 1) for _ in range(length)] for _ in range(2))
            p = p_of(a, b)
            self.assertTrue(1 < p + p_of(b, a) < 2)
            grown = [[7 * np.exp(value) for value in sample] for sample in (a, b)]
            self.assertEqual(p_of(*grown), p)
            self.assertEqual(p_of(chance.sample(a, length), b), p)

    def test_equal_values_leave_no_shift(self) -> None:
        self.assertEqual(p_of([1, 1, 1], [1, 1, 1, 1]), 1)
        self.assertEqual(p_of([1], [1]), 1)
        self.assertGreater(p_of([2, 2, 3], [2, 2, 3]), 0.5)

    def test_the_least_probability_is_that_of_samples_that_do_not_overlap(self) -> None:
        for runs in range(1, 21):
            self.assert_close(p_of(list(range(1000, 1000 + runs)), list(range(runs))), least_p(runs))
        self.assertGreater(least_p(6), 0.001)
        self.assertLessEqual(least_p(7), 0.001)

    def test_values_beyond_the_fences_are_left_out_and_no_others(self) -> None:
        for values, kept in (
            ([5, 1, 2, 3, 4, 6, 7, 8, 9, 100, -90], [5, 1, 2, 3, 4, 6, 7, 8, 9]),
            ([0, 1, 2, 3, 4], [0, 1, 2, 3, 4]),
            ([1, 1, 1, 3, 3, 3, 6], [1, 1, 1, 3, 3, 3, 6]),  # a fence belongs to what is kept
            ([1, 1, 1, 1, 1, 1, 2], [1] * 6),
            ([4], [4]),
        ):
            self.assertEqual(list(without_outliers(np.array(values, float))), sorted(kept))

    def test_medians_are_in_the_middle(self) -> None:
        for values, middle in (([3, 1, 2], 2), ([4, 1, 2, 3], 2.5), ([8], 8)):
            self.assertEqual(median(np.array(values, float)), middle)


if __name__ == "__main__":
    unittest.main()
