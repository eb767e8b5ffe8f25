"""Reference accuracies: scikit-learn's passive-aggressive learning on the shared data, five passes in the order of the file.

Row i (0-based) is held out when i % 5 == 4; where a test file is published, that is used. Numbers are standardised by the
training rows. A column of ones is the constant, without an intercept: so the constant counts in the norm of x, as in the
paper with the constant absorbed; scikit-learn's own intercept does not. The steps are then those of halfspace.

    python3 passive_aggressive.py ../../../../../shared/data > passive_aggressive.json
"""

import csv
import json
import pathlib
import sys

import numpy
import sklearn
from scipy.sparse import csr_matrix, hstack
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import SGDClassifier

folder = pathlib.Path(sys.argv[1])


def with_ones(x):
    return hstack([x, numpy.ones((x.shape[0], 1))]).tocsr()


def accuracies(x, y, x_test, y_test):
    found = {}
    for name, rate in (("pa-1", "pa1"), ("pa-2", "pa2")):
        for aggressiveness in (1, 0.01):
            model = SGDClassifier(
                loss="hinge",
                penalty=None,
                learning_rate=rate,
                eta0=aggressiveness,
                fit_intercept=False,
                shuffle=False,
                max_iter=5,
                tol=None,
            )
            model.fit(with_ones(x), y)
            found[f"{name} {aggressiveness}"] = round(float(model.score(with_ones(x_test), y_test)), 4)
    return found


def of_table(name):
    with open(folder / name, newline="") as lines:
        rows = [[cell.strip() for cell in row] for row in csv.reader(lines) if row]
    x = numpy.array([[float(cell) for cell in row[:-1]] for row in rows])
    y = numpy.array([row[-1] for row in rows])
    held = numpy.arange(len(rows)) % 5 == 4
    mean, deviation = x[~held].mean(axis=0), x[~held].std(axis=0)
    x = csr_matrix((x - mean) / numpy.where(deviation == 0, 1, deviation))
    return accuracies(x[~held], y[~held], x[held], y[held])


def of_w8a():
    x, y = load_svmlight_file(str(folder / "w8a.svm"))
    held = numpy.arange(x.shape[0]) % 5 == 4
    return accuracies(x[~held], y[~held], x[held], y[held])


def of_agaricus():
    x, y = load_svmlight_file(str(folder / "agaricus.train.svm"), n_features=127)
    x_test, y_test = load_svmlight_file(str(folder / "agaricus.test.svm"), n_features=127)
    return accuracies(x, y, x_test, y_test)


found = {
    "banknote_authentication.csv": of_table("banknote_authentication.csv"),
    "spambase.csv": of_table("spambase.csv"),
    "w8a.svm": of_w8a(),
    "agaricus.train.svm": of_agaricus(),
}
json.dump({"scikit-learn": sklearn.__version__, "accuracies": found}, sys.stdout, indent=2)
print()
