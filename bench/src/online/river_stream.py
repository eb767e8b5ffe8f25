"""Answers and learns a stream row by row with river. Prints microseconds per row and prequential accuracy as JSON.

    python river_stream.py FILE perceptron|passive-aggressive|logistic numbers|mixed [probabilities]

With "probabilities" also their log loss, of the rows after the first twenty of each class.
"""

import json
import math
import sys
import time

from river import compose, linear_model, preprocessing

file, rule, kind = sys.argv[1:4]
gives_probabilities = sys.argv[4:] == ["probabilities"]
with open(file, encoding="utf-8") as lines:
    stream = [json.loads(line) for line in lines]

model = {
    "perceptron": lambda: linear_model.Perceptron(),
    "passive-aggressive": lambda: linear_model.PAClassifier(),
    "logistic": lambda: linear_model.LogisticRegression(),
}[rule]()
if kind == "numbers":
    pipeline = preprocessing.StandardScaler() | model
else:
    numbers = compose.SelectType(int, float) | preprocessing.StandardScaler()
    categories = compose.SelectType(str) | preprocessing.OneHotEncoder()
    pipeline = (numbers + categories) | model

rows = [(record, bool(label)) for label, record in stream]
right = 0
losses = []
counts = [0, 0]
began = time.perf_counter()
for record, label in rows:
    if gives_probabilities:
        p = pipeline.predict_proba_one(record).get(label, 0.5)
        right += p > 0.5
        if min(counts) >= 20:
            losses.append(-math.log(max(p, 2**-52)))
        counts[label] += 1
    elif pipeline.predict_one(record) == label:
        right += 1
    pipeline.learn_one(record, label)
seconds = time.perf_counter() - began
result = {"microseconds": seconds * 1e6 / len(rows), "accuracy": right / len(rows), "rows": len(rows)}
if gives_probabilities:
    result["logLoss"] = sum(losses) / len(losses)
print(json.dumps(result))
