"""Trains and evaluates scikit-learn's perceptrons on a file, timing the loading and the fitting apart.

train DATA MODEL RULE PASSES FEATURES      prints {"loadSeconds", "fitSeconds"}
evaluate DATA MODEL                        prints {"accuracy"}
"""

import json
import sys
from time import perf_counter

import numpy
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import Perceptron, SGDClassifier


def load(path, features):
    if path.endswith(".csv"):
        table = numpy.loadtxt(path, delimiter=",", skiprows=1)
        return table[:, 1:], table[:, 0]
    x, y = load_svmlight_file(path, n_features=features, zero_based=False)
    # Some releases load 64-bit positions that SGDClassifier then refuses.
    x.indices = x.indices.astype(numpy.int32, copy=False)
    x.indptr = x.indptr.astype(numpy.int32, copy=False)
    return x, y


def classifier(rule, passes):
    if rule == "perceptron":
        return Perceptron(max_iter=passes, tol=None, shuffle=False)
    return SGDClassifier(
        loss="perceptron",
        penalty=None,
        learning_rate="constant",
        eta0=1,
        average=True,
        max_iter=passes,
        tol=None,
        shuffle=False,
    )


def train(path, model, rule, passes, features):
    began = perf_counter()
    x, y = load(path, int(features))
    loaded = perf_counter()
    fitted = classifier(rule, int(passes)).fit(x, y)
    done = perf_counter()
    numpy.savez(model, coef=fitted.coef_[0], intercept=fitted.intercept_)
    print(json.dumps({"loadSeconds": loaded - began, "fitSeconds": done - loaded}))


def evaluate(path, model):
    saved = numpy.load(model)
    x, y = load(path, len(saved["coef"]))
    scores = x @ saved["coef"] + saved["intercept"][0]
    print(json.dumps({"accuracy": float(numpy.mean((scores > 0) == (y > 0)))}))


if __name__ == "__main__":
    {"train": train, "evaluate": evaluate}[sys.argv[1]](*sys.argv[2:])
