"""Quantiles of samples, Tukey's fences, and the rank-sum test of Wilcoxon, also known as that of Mann and
Whitney, to one side."""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.stats import mannwhitneyu

Values = NDArray[np.float64]

EXACT_BELOW = 50
"""Samples with fewer values, and without ties, are tested exactly."""


def quantile(ordered: Values, part: float) -> float:
    """Returns the value that the fraction `part` of the values does not exceed, linear between neighbors.

    The values are in rising order.
    Source: type 7 of R's quantile(); NumPy's rounds differently between neighbors.
    """
    place = part * (len(ordered) - 1)
    below = math.floor(place)
    lower, upper = float(ordered[below]), float(ordered[math.ceil(place)])
    return lower + (place - below) * (upper - lower)


def median(values: Values) -> float:
    """Returns the quantile of one half of values in any order."""
    return quantile(np.sort(values), 0.5)


def without_outliers(values: Values) -> Values:
    """Returns the values within [q1 - 1.5 (q3 - q1), q3 + 1.5 (q3 - q1)], with quartiles q1 and q3, in
    rising order.

    Source: [Luebbe2017] sec. 3.2 (Tukey's fences).
    """
    ordered = np.sort(values)
    q1, q3 = quantile(ordered, 0.25), quantile(ordered, 0.75)
    reach = 1.5 * (q3 - q1)
    return ordered[(ordered >= q1 - reach) & (ordered <= q3 + reach)]


def rank_sum_p(a: Values, b: Values) -> Values:
    """Tests for each row of two arrays whether the values of `a` are shifted to the right of those of `b`.

    Returns p of each row: the probability of a rank sum of `a` at least as large as the one found, if both
    samples have the same distribution. It is exact for samples of fewer than 50 values without ties, else
    that of the normal distribution, corrected for ties and continuity.
    Source: [Luebbe2017] sec. 3.2; R's wilcox.test(a, b, alternative = "greater").
    """
    together = np.sort(np.concatenate([a, b], axis=1), axis=1)
    is_small = max(a.shape[1], b.shape[1]) < EXACT_BELOW
    is_exact = is_small & (together[:, 1:] != together[:, :-1]).all(axis=1)
    p = np.ones(len(a))
    for method, rows in (("exact", is_exact), ("asymptotic", ~is_exact)):
        if rows.any():
            test = mannwhitneyu(a[rows], b[rows], alternative="greater", axis=1, method=method)
            p[rows] = test.pvalue
    return p
