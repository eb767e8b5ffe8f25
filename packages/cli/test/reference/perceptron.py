"""Reference accuracies: scikit-learn's Perceptron on the shared data, with the split and the encoding that the test uses.

Row i (0-based) is held out when i % 5 == 4; where a test file is published, that is used. Numbers are standardised by the
training rows, categories become one feature a level, a missing value is a level of its own (categories) or the mean
(numbers). Accuracies are means over 20 seeds of the shuffling that scikit-learn does.

    python3 perceptron.py ../../../../../shared/data > perceptron.json
"""

import csv
import json
import pathlib
import sys

import numpy
import sklearn
from scipy.sparse import csr_matrix, hstack
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import Perceptron

folder = pathlib.Path(sys.argv[1])


def table(name, header=False):
    with open(folder / name, newline="") as lines:
        rows = [[cell.strip() for cell in row] for row in csv.reader(lines) if row]
    return rows[1:] if header else rows


def encode(train, test):
    """One sparse matrix for each, from rows of text without their label."""
    parts = [[], []]
    for column in range(len(train[0])):
        cells = [[row[column] for row in rows] for rows in (train, test)]
        try:
            numbers = [numpy.array([float("nan") if c == "?" else float(c) for c in each]) for each in cells]
            mean, deviation = numpy.nanmean(numbers[0]), numpy.nanstd(numbers[0]) or 1
            for part, values in zip(parts, numbers):
                part.append(csr_matrix(numpy.nan_to_num((values - mean) / deviation).reshape(-1, 1)))
        except ValueError:
            levels = {level: k for k, level in enumerate(sorted(set(cells[0])))}
            for part, values in zip(parts, cells):
                known = [(i, levels[c]) for i, c in enumerate(values) if c in levels]
                part.append(
                    csr_matrix(
                        (numpy.ones(len(known)), ([i for i, _ in known], [k for _, k in known])),
                        shape=(len(values), len(levels)),
                    )
                )
    return [hstack(part).tocsr() for part in parts]


def accuracy(x, y, x_test, y_test):
    scores = [Perceptron(random_state=seed).fit(x, y).score(x_test, y_test) for seed in range(20)]
    return round(float(numpy.mean(scores)), 4)


def of_table(name, positive=None):
    rows = table(name)
    held = [row for i, row in enumerate(rows) if i % 5 == 4]
    kept = [row for i, row in enumerate(rows) if i % 5 != 4]
    x, x_test = encode([row[:-1] for row in kept], [row[:-1] for row in held])
    label = (lambda row: row[-1]) if positive is None else (lambda row: row[-1] == positive)
    return accuracy(x, [label(r) for r in kept], x_test, [label(r) for r in held])


def of_adult():
    kept, held = table("adult-train.csv"), table("adult-test.csv")
    x, x_test = encode([row[:-1] for row in kept], [row[:-1] for row in held])
    return accuracy(x, [row[-1] for row in kept], x_test, [row[-1].rstrip(".") for row in held])


def read_vw(name):
    data, rows, columns, labels = [], [], [], []
    with open(folder / name) as lines:
        for i, line in enumerate(lines):
            label, features = line.split("|", 1)
            labels.append(float(label.split()[0]))
            for token in features.split()[1:]:
                index, value = token.split(":")
                rows.append(i)
                columns.append(int(index))
                data.append(float(value))
    return csr_matrix((data, (rows, columns)), shape=(len(labels), 60000)), labels


def of_w8a():
    x, y = load_svmlight_file(str(folder / "w8a.svm"))
    held = numpy.arange(x.shape[0]) % 5 == 4
    return accuracy(x[~held], y[~held], x[held], y[held])


def of_agaricus():
    x, y = load_svmlight_file(str(folder / "agaricus.train.svm"), n_features=127)
    x_test, y_test = load_svmlight_file(str(folder / "agaricus.test.svm"), n_features=127)
    return accuracy(x, y, x_test, y_test)


accuracies = {
    "sonar.csv": of_table("sonar.csv"),
    "banknote_authentication.csv": of_table("banknote_authentication.csv"),
    "ionosphere.csv": of_table("ionosphere.csv"),
    "breast-cancer-wisconsin.csv": of_table("breast-cancer-wisconsin.csv"),
    "spambase.csv": of_table("spambase.csv"),
    "iris.csv Iris-setosa": of_table("iris.csv", "Iris-setosa"),
    "iris.csv Iris-versicolor": of_table("iris.csv", "Iris-versicolor"),
    "iris.csv Iris-virginica": of_table("iris.csv", "Iris-virginica"),
    "adult-train.csv": of_adult(),
    "w8a.svm": of_w8a(),
    "agaricus.train.svm": of_agaricus(),
    "rcv1_small.train.vw": accuracy(*read_vw("rcv1_small.train.vw"), *read_vw("rcv1_small.test.vw")),
}
json.dump({"scikit-learn": sklearn.__version__, "accuracies": accuracies}, sys.stdout, indent=2)
print()
