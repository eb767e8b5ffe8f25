"""Held-out accuracy of scikit-learn's linear classifiers on files that halfspace reads too.

Input, on stdin: JSON {"seeds": [...], "set": {"train", "heldout", "format", "header", "label", "texts", "dates"}}.
Output: JSON {column: {"accuracy", "runs", "notConverged"}}; the accuracy is the mean of the runs, one for each seed where seeds matter.

Numbers are standardised, gaps take the mean; categories become one column a level, a gap being a level; text becomes TF-IDF of words and pairs of them; a date
becomes its day as a number, with month and weekday as categories. Sparse text formats stay as they are.

Up to a thousand columns the matrices are dense: for sparse ones SGDClassifier and its kin learn the intercept a hundred times more slowly.
"""

import csv
import datetime
import io
import json
import sys
import warnings

import numpy
import scipy.sparse
from sklearn.datasets import load_svmlight_files
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, PassiveAggressiveClassifier, Perceptron, SGDClassifier
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import LinearSVC

# In the order of the table; those with a seed are shuffled by it.
COLUMNS = {
    "Perceptron": lambda seed: Perceptron(random_state=seed),
    "SGD hinge": lambda seed: SGDClassifier(loss="hinge", random_state=seed),
    "SGD log avg": lambda seed: SGDClassifier(loss="log_loss", average=True, random_state=seed),
    "PA": lambda seed: PassiveAggressiveClassifier(random_state=seed),
    "LogReg": lambda seed: LogisticRegression(max_iter=1000),
    "LinearSVC": lambda seed: LinearSVC(random_state=seed),
}
SEEDED = list(COLUMNS)[:4]
MOST_DENSE = 1000
MISSING = {"", "?", "NA", "null"}


def main():
    request = json.load(sys.stdin)
    print(json.dumps(columns(request["set"], request["seeds"])))


def columns(given, seeds):
    train, train_labels, heldout, heldout_labels = READERS.get(given["format"], read_table)(given)
    if scipy.sparse.issparse(train) and train.shape[1] <= MOST_DENSE:
        train, heldout = train.toarray(), heldout.toarray()
    result = {}
    for name, make in COLUMNS.items():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            scores = [
                float(make(seed).fit(train, train_labels).score(heldout, heldout_labels))
                for seed in (seeds if name in SEEDED else seeds[:1])
            ]
        result[name] = {
            "accuracy": sum(scores) / len(scores),
            "runs": scores,
            "notConverged": any(issubclass(warning.category, ConvergenceWarning) for warning in caught),
        }
    return result


def read_libsvm(given):
    train, train_labels, heldout, heldout_labels = load_svmlight_files([given["train"], given["heldout"]])
    return train, train_labels, heldout, heldout_labels


def read_vw(given):
    """Lines of "label |namespace index:value …", whose features are numbers already."""

    def read(path):
        with open(path, encoding="utf-8") as file:
            lines = [line.split("|", 1) for line in file if line.strip()]
        pairs = [[pair.split(":") for pair in features.split()[1:]] for _, features in lines]
        starts = numpy.cumsum([0] + [len(row) for row in pairs])
        indices = [int(index) for row in pairs for index, _ in row]
        values = [float(value) for row in pairs for _, value in row]
        return values, indices, starts, [label.split()[0] for label, _ in lines]

    read_both = [read(given["train"]), read(given["heldout"])]
    width = 1 + max(max(indices) for _, indices, _, _ in read_both)
    (train, train_labels), (heldout, heldout_labels) = [
        (scipy.sparse.csr_matrix((values, indices, starts), shape=(len(labels), width)), labels)
        for values, indices, starts, labels in read_both
    ]
    return train, train_labels, heldout, heldout_labels


def read_table(given):
    delimiter = "\t" if given["format"] == "tsv" else ","
    quoting = csv.QUOTE_NONE if given["format"] == "tsv" else csv.QUOTE_MINIMAL

    def read(path):
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.reader(io.StringIO(file.read()), delimiter=delimiter, quoting=quoting))
        rows = [[cell.strip() for cell in row] for row in rows if row]
        names = rows.pop(0) if given["header"] else [f"column{k}" for k in range(len(rows[0]))]
        return dict(zip(names, zip(*rows)))

    train, heldout = read(given["train"]), read(given["heldout"])
    parts = [
        part
        for name in train
        if name != given["label"]
        for part in encode(train[name], heldout[name], name in given["texts"], name in given["dates"])
    ]
    sparse = any(scipy.sparse.issparse(part[0]) for part in parts)
    join = (lambda side: scipy.sparse.hstack([scipy.sparse.csr_matrix(part) for part in side]).tocsr()) if sparse else numpy.hstack
    matrices = [join([part[side] for part in parts]) for side in (0, 1)]
    return matrices[0], train[given["label"]], matrices[1], heldout[given["label"]]


def encode(train, heldout, is_text, is_date):
    """The matrices, for learning and for judging, that one column becomes."""
    if is_text:
        tfidf = TfidfVectorizer(ngram_range=(1, 2))
        yield tfidf.fit_transform(train), tfidf.transform(heldout)
    elif is_date:
        yield numbers(*([day(cell, datetime.date.toordinal) for cell in cells] for cells in (train, heldout)))
        for part in (lambda date: date.month, datetime.date.weekday):
            yield levels(*([str(day(cell, part)) for cell in cells] for cells in (train, heldout)))
    elif all(cell in MISSING or is_number(cell) for cell in train + heldout) and not set(train) <= MISSING:
        yield numbers(*([numpy.nan if cell in MISSING else float(cell) for cell in cells] for cells in (train, heldout)))
    else:
        yield levels(train, heldout)


def numbers(train, heldout):
    scaler = StandardScaler()
    columns = [numpy.array(cells, dtype=float).reshape(-1, 1) for cells in (train, heldout)]
    mean = numpy.nanmean(columns[0])
    columns = [numpy.where(numpy.isnan(column), mean, column) for column in columns]
    return scaler.fit_transform(columns[0]), scaler.transform(columns[1])


def levels(train, heldout):
    encoder = OneHotEncoder(handle_unknown="ignore")
    return encoder.fit_transform([[cell] for cell in train]), encoder.transform([[cell] for cell in heldout])


def day(cell, part):
    return numpy.nan if cell in MISSING else part(datetime.date.fromisoformat(cell[:10].replace("/", "-")))


def is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


READERS = {"svm": read_libsvm, "vw": read_vw}

if __name__ == "__main__":
    main()
