"""Answers and learns a stream of numbers with scikit-learn, one row at a time. Prints what river_stream.py prints.

    python scikit_learn_stream.py FILE perceptron|passive-aggressive|logistic learn|scale ROWS

With "learn" a row costs one call of partial_fit, and nothing is predicted. With "scale" it costs partial_fit and
transform of a StandardScaler, predict and partial_fit.
"""

import itertools
import json
import sys
import time
import warnings

import numpy
from sklearn.linear_model import Perceptron, SGDClassifier
from sklearn.preprocessing import StandardScaler

file, rule, work, count = sys.argv[1:]
warnings.filterwarnings("ignore")
with open(file, encoding="utf-8") as lines:
    stream = [json.loads(line) for line in itertools.islice(lines, int(count))]

model = {
    "perceptron": lambda: Perceptron(),
    "passive-aggressive": lambda: SGDClassifier(loss="hinge", penalty=None, learning_rate="pa1", eta0=1.0),
    "logistic": lambda: SGDClassifier(loss="log_loss", penalty=None, learning_rate="constant", eta0=0.01),
}[rule]()
scaler = StandardScaler()
rows = [numpy.array([list(record.values())], dtype=float) for _, record in stream]
labels = [numpy.array([label]) for label, _ in stream]
classes = numpy.array([0, 1])
right = 0
began = time.perf_counter()
if work == "learn":
    for row, label in zip(rows, labels):
        model.partial_fit(row, label, classes=classes)
else:
    model.partial_fit(numpy.zeros_like(rows[0]), labels[0], classes=classes)
    for row, label in zip(rows, labels):
        scaled = scaler.partial_fit(row).transform(row)
        if model.predict(scaled)[0] == label[0]:
            right += 1
        model.partial_fit(scaled, label)
seconds = time.perf_counter() - began
accuracy = None if work == "learn" else right / len(rows)
print(json.dumps({"microseconds": seconds * 1e6 / len(rows), "accuracy": accuracy, "rows": len(rows)}))
