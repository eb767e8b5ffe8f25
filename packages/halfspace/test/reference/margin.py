"""Reference margins of hard-margin separators of the shared data and of penguins, each between a bound below and one above.

`machine`: the bias is free; scikit-learn's SVC with C = 1e10 and tolerance 1e-10. Below: half the gap that its w leaves
between the classes, over |w|. Above: half the distance of the two points of the classes' hulls that its dual variables name.
`separate`: the same two bounds, needed for sonar, where the machine ends 6 % apart. SciPy's non-negative least squares, the sums of
the variables of each class held near 1 by rows of weight 100, names the support vectors; the optimality conditions with these
as equations give w.
`absorbed`: every x has a constant 1; least distance programming by SciPy's non-negative least squares (Lawson & Hanson 1974,
chapter 23). Below: the least y(w.x) / |w|. Above: the length of the combination of the yx that its variables name.

    python3 margin.py ../../../../../shared/data ../../../../node_modules/vega-datasets/data/penguins.json > margin.json
"""

import csv
import json
import pathlib
import sys

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


def bounds(x, y, positive, negative):
    w = positive - negative
    lower = ((x @ w)[y > 0].min() - (x @ w)[y < 0].max()) / 2 / numpy.linalg.norm(w)
    return lower, numpy.linalg.norm(w) / 2


def separate(x, y):
    x = x - x.mean(axis=0)
    e = numpy.vstack([(y[:, None] * x).T, 100.0 * (y > 0), 100.0 * (y < 0)])
    f = numpy.zeros(len(e))
    f[-2:] = 100
    u, _ = nnls(e, f, maxiter=100 * len(x))
    support = numpy.flatnonzero(u)
    signs, chosen = y[support], x[support]
    products = (signs[:, None] * chosen) @ (signs[:, None] * chosen).T
    system = numpy.block([[products, signs[:, None]], [signs[None, :], numpy.zeros((1, 1))]])
    dual = numpy.linalg.lstsq(system, numpy.append(numpy.ones(len(support)), 0), rcond=1e-15)[0][:-1]
    assert dual.min() >= -1e-9 * dual.max(), dual.min()
    mean = [dual[signs == side] @ chosen[signs == side] / dual[signs == side].sum() for side in (1, -1)]
    return bounds(x, y, *mean)


def machine(x, y):
    svc = SVC(kernel="linear", C=1e10, tol=1e-10, cache_size=1000).fit(x, y)
    chosen, dual = x[svc.support_], svc.dual_coef_[0]
    p = dual[dual > 0] @ chosen[dual > 0] / dual[dual > 0].sum()
    q = -dual[dual < 0] @ chosen[dual < 0] / -dual[dual < 0].sum()
    return bounds(x, y, p, q)


def absorbed(x, y):
    z = y[:, None] * numpy.hstack([x, numpy.ones((len(x), 1))])
    size = numpy.sqrt((z**2).sum(axis=1).max())
    e = numpy.vstack([z.T / size, numpy.ones(len(z))])
    f = numpy.zeros(len(e))
    f[-1] = 1
    u, _ = nnls(e, f, maxiter=100 * len(z))
    w = u @ z / u.sum()
    return (z @ w).min() / numpy.linalg.norm(w), numpy.linalg.norm(w)


def agaricus():
    x, y = load_svmlight_file(str(folder / "agaricus.train.svm"))
    return x.toarray(), numpy.where(y > 0, 1, -1)


def penguins():
    columns = ["Beak Length (mm)", "Beak Depth (mm)", "Flipper Length (mm)", "Body Mass (g)"]
    rows = [row for row in json.load(open(sys.argv[2])) if all(row[column] is not None for column in columns)]
    x = numpy.array([[row[column] for column in columns] for row in rows], dtype=float)
    return x, numpy.array([1 if row["Species"] == "Gentoo" else -1 for row in rows])


sets = {
    "sonar.csv M": lambda: table("sonar.csv", "M"),
    "iris.csv Iris-setosa": lambda: table("iris.csv", "Iris-setosa"),
    "agaricus.train.svm 1": agaricus,
    "penguins Gentoo": penguins,
}
margins = {}
for name, load in sets.items():
    x, y = load()
    margins[name] = {solve.__name__: solve(x, y) for solve in (machine, separate, absorbed)}
json.dump(
    {"scikit-learn": sklearn.__version__, "scipy": scipy.__version__, "margins": margins}, sys.stdout, indent=2
)
print()
