"""The largest margins of separable data, from scikit-learn's hard-margin machine and exactly.

`machine`: scikit-learn's SVC, linear, with C = 1e12 and tolerance 1e-12. Below: half the gap that its w leaves between the classes, over
|w|. Above: half the distance of the two points of the classes' hulls that its dual variables name.
`exact`: the square of the margin without rounding, as a quotient of whole numbers, in 30 digits. SciPy's non-negative least squares names
the support vectors. With these as equations the optimality conditions (Karush, Kuhn and Tucker) are solved over the rationals, and what
comes out is verified, without rounding, on all examples: w = sum of a_i y_i x_i, a_i >= 0, y_i (w.x_i + b) >= 1, equal for the support
vectors. There is one such w, and its margin 1 / |w| is the largest.

The data: shared ones, penguins, and some that `generated` makes by a linear congruence, as margins.test.ts does.

    python3 margins.py ../../../../../shared/data ../../../../node_modules/vega-datasets/data/penguins.json > margins.json
"""

import csv
import decimal
import json
import math
import pathlib
import sys
from fractions import Fraction

import numpy
import scipy
import sklearn
from scipy.optimize import nnls
from sklearn.datasets import load_svmlight_file
from sklearn.svm import SVC

folder = pathlib.Path(sys.argv[1])


def table(name, positive):
    with open(folder / name, newline="") as lines:
        rows = [row for row in csv.reader(lines) if row]
    x = numpy.array([[float(cell) for cell in row[:-1]] for row in rows])
    return x, numpy.array([1 if row[-1] == positive else -1 for row in rows])


def agaricus():
    x, y = load_svmlight_file(str(folder / "agaricus.train.svm"))
    return x.toarray(), numpy.where(y > 0, 1, -1)


def penguins():
    columns = ["Beak Length (mm)", "Beak Depth (mm)", "Flipper Length (mm)", "Body Mass (g)"]
    rows = [row for row in json.load(open(sys.argv[2])) if all(row[column] is not None for column in columns)]
    x = numpy.array([[row[column] for column in columns] for row in rows], dtype=float)
    return x, numpy.array([1 if row["Species"] == "Gentoo" else -1 for row in rows])


def generated(seed, rows, dimension, gap, density, steep):
    """Rows on both sides of a plane, those nearer to it than `gap` left out; column j times 2^(steep*j)."""
    state = seed

    def draw(below):
        nonlocal state
        state = (state * 1664525 + 1013904223) % 2**32
        return (state >> 16) % below

    normal = [draw(201) - 100 for _ in range(dimension)]
    x, y = [], []
    while len(x) < rows:
        row = [(draw(2001) - 1000) * (draw(100) < density) for _ in range(dimension)]
        score = sum(a * b for a, b in zip(normal, row)) + 1000
        if abs(score) <= gap:
            continue
        x.append([value / 64 * 2.0 ** (steep * j) for j, value in enumerate(row)])
        y.append(1 if score > 0 else -1)
    return numpy.array(x), numpy.array(y)


def machine(x, y):
    svc = SVC(kernel="linear", C=1e12, tol=1e-12, cache_size=1000, max_iter=20_000_000).fit(x, y)
    chosen, dual = x[svc.support_], svc.dual_coef_[0]
    p = dual[dual > 0] @ chosen[dual > 0] / dual[dual > 0].sum()
    q = -dual[dual < 0] @ chosen[dual < 0] / -dual[dual < 0].sum()
    w = p - q
    lower = ((x @ w)[y > 0].min() - (x @ w)[y < 0].max()) / 2 / numpy.linalg.norm(w)
    return lower, numpy.linalg.norm(w) / 2


def support_of(x, y):
    x = x - x.mean(axis=0)
    x = x / abs(x).max()
    e = numpy.vstack([(y[:, None] * x).T, 100.0 * (y > 0), 100.0 * (y < 0)])
    f = numpy.zeros(len(e))
    f[-2:] = 100
    return numpy.flatnonzero(nnls(e, f, maxiter=100 * len(x))[0])


def solve(matrix, right):
    """Fraction-free elimination (Bareiss 1968) of a matrix of whole numbers; the solution as fractions."""
    rows = [row + [r] for row, r in zip(matrix, right)]
    size, before = len(rows), 1
    for c in range(size):
        pivot = next(i for i in range(c, size) if rows[i][c] != 0)
        rows[c], rows[pivot] = rows[pivot], rows[c]
        for i in range(c + 1, size):
            rows[i] = [0] * (c + 1) + [
                (rows[i][k] * rows[c][c] - rows[i][c] * rows[c][k]) // before for k in range(c + 1, size + 1)
            ]
        before = rows[c][c]
    solution = [Fraction(0)] * size
    for c in reversed(range(size)):
        known = sum(rows[c][k] * solution[k] for k in range(c + 1, size))
        solution[c] = Fraction(rows[c][size] - known) / rows[c][c]
    return solution


def exact(x, y):
    unit = 1
    for value in x.flat:
        unit = max(unit, float(value).as_integer_ratio()[1])
    whole = [[int(Fraction(float(value)) * unit) for value in row] for row in x]
    chosen = [int(i) for i in support_of(x, y)]
    z = [[int(y[i]) * value for value in whole[i]] for i in chosen]
    gram = [[sum(a * b for a, b in zip(p, q)) for q in z] + [int(y[i])] for p, i in zip(z, chosen)]
    gram.append([int(y[i]) for i in chosen] + [0])
    *dual, b = solve(gram, [1] * len(chosen) + [0])
    assert min(dual) >= 0, float(min(dual))
    common = math.lcm(*(each.denominator for each in [*dual, b]))
    numbers = [int(each * common) for each in dual]
    w = [sum(a * row[j] for a, row in zip(numbers, z)) for j in range(x.shape[1])]
    bias = int(b * common)
    assert all(int(y[i]) * (sum(a * v for a, v in zip(w, row)) + bias) >= common for i, row in enumerate(whole))
    square = Fraction(common * common, sum(a * a for a in w) * unit * unit)
    decimal.getcontext().prec = 30
    return str(decimal.Decimal(square.numerator) / decimal.Decimal(square.denominator)), len(chosen)


sets = {
    "sonar.csv M": lambda: table("sonar.csv", "M"),
    "iris.csv Iris-setosa": lambda: table("iris.csv", "Iris-setosa"),
    "agaricus.train.svm 1": agaricus,
    "penguins Gentoo": penguins,
}
shapes = json.load(open(pathlib.Path(__file__).parent / "margins-generated.json"))
for name, shape in shapes.items():
    sets[name] = lambda shape=shape: generated(**shape)
margins = {}
for name, load in sets.items():
    x, y = load()
    square, support = exact(x, y)
    margins[name] = {"squared": square, "support": support, "machine": machine(x, y)}
    print(name, margins[name], file=sys.stderr)
json.dump(
    {"scikit-learn": sklearn.__version__, "scipy": scipy.__version__, "margins": margins}, sys.stdout, indent=2
)
print()
