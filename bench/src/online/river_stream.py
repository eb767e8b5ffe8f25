"""Answers and learns a stream row by row with river. Prints microseconds per row and prequential accuracy as JSON.

    python river_stream.py FILE perceptron|passive-aggressive|logistic numbers|mixed
"""

import json
import sys
import time

from river import compose, linear_model, preprocessing

file, rule, kind = sys.argv[1:]
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
began = time.perf_counter()
for record, label in rows:
    if pipeline.predict_one(record) == label:
        right += 1
    pipeline.learn_one(record, label)
seconds = time.perf_counter() - began
print(json.dumps({"microseconds": seconds * 1e6 / len(rows), "accuracy": right / len(rows), "rows": len(rows)}))
