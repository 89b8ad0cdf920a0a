"""Compares rank_sum_p with SciPy's mannwhitneyu: compare_with_scipy.py PROGRAM [SEED]

PROGRAM prints the probability of each sample that it reads. Random samples, with and without ties,
also of one value, must agree to 1e-12 of the value. Exits with 77 if there is no SciPy.
"""
import random
import subprocess
import sys

try:
    from scipy.stats import mannwhitneyu
except ImportError:
    print("there is no SciPy")
    sys.exit(77)


def samples(chance):
    digits = chance.choice([0, 1, 15])
    shift = chance.choice([0, 0.3, 2])
    lengths = chance.choice([(1, 1), (1, 6), (3, 5), (7, 7), (10, 10), (30, 30), (49, 48), (60, 55)])
    return ([round(chance.gauss(shift, 1), digits) for _ in range(lengths[0])],
            [round(chance.gauss(0, 1), digits) for _ in range(lengths[1])])


def cases(seed):
    chance = random.Random(seed)
    for _ in range(120):
        a, b = samples(chance)
        values = set(a + b)
        if len(values) > 1:
            yield "normal", a, b
        if len(values) == len(a) + len(b):
            yield "exact", a, b


def main(program, seed):
    wanted = list(cases(seed))
    lines = "\n".join(f"{m}; {' '.join(map(repr, a))}; {' '.join(map(repr, b))}" for m, a, b in wanted)
    found = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    wrong = 0
    for (method, a, b), line in zip(wanted, found.stdout.split(), strict=True):
        theirs = mannwhitneyu(a, b, use_continuity=True, alternative="greater",
                              method="exact" if method == "exact" else "asymptotic").pvalue
        if abs(float(line) - theirs) > 1e-12 * max(theirs, 1e-300) and abs(float(line) - theirs) > 1e-15:
            print(f"seed {seed}, {method}: expected {theirs}, found {line}: {a} {b}")
            wrong += 1
    print(f"{len(wanted)} samples, {wrong} wrong")
    return 1 if wrong or len(wanted) < 120 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1))
