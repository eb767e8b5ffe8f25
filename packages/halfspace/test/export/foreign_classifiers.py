"""Prints classifiers of scikit-learn as ONNX files and as coefficients, with rows and their classes and scores, as JSON.

usage: foreign_classifiers.py few | all

`few` printed foreign-classifiers.json, with scikit-learn 1.9.1 and skl2onnx 1.20.0.
"""

import base64
import json
import sys
import warnings

import numpy as np
from skl2onnx import to_onnx
from sklearn import linear_model, svm
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

warnings.filterwarnings("ignore")
few = sys.argv[1] == "few"

random = np.random.default_rng(0)
rows = random.integers(-8, 9, (40, 2)) / 4
score = rows @ np.array([1.0, -2.0])
labels = {
    "two": np.where(score > 0, "yes", "no"),
    "booleans": score > 0,
    "three": np.where(score > 1, "c", np.where(score > -1, "b", "a")),
    "numbers": np.digitize(score, [-1, 1]) * 5 - 3,
}
SGD = linear_model.SGDClassifier
classifiers = {
    "Perceptron": lambda: linear_model.Perceptron(),
    "PassiveAggressiveClassifier": lambda: linear_model.PassiveAggressiveClassifier(),
    "RidgeClassifier": lambda: linear_model.RidgeClassifier(),
    "SGDClassifier, hinge": lambda: SGD(),
    "SGDClassifier, log_loss": lambda: SGD(loss="log_loss"),
    "SGDClassifier, modified_huber": lambda: SGD(loss="modified_huber"),
    "LogisticRegression": lambda: linear_model.LogisticRegression(),
    "LinearSVC": lambda: svm.LinearSVC(),
}
if not few:
    for loss in ["perceptron", "squared_hinge"]:
        classifiers[f"SGDClassifier, {loss}"] = lambda loss=loss: SGD(loss=loss)
    for name in ["Perceptron", "RidgeClassifier"]:
        classifiers[f"{name}, no intercept"] = lambda name=name: getattr(linear_model, name)(fit_intercept=False)
    classifiers["RidgeClassifierCV"] = lambda: linear_model.RidgeClassifierCV()

printed = []
for name, make in classifiers.items():
    for of, y in labels.items():
        for form in ["plain", "scaled", "doubles", "arrays", "whole"]:
            if few and (form != "plain" or of == "numbers"):
                continue
            own = make()
            model = make_pipeline(StandardScaler(), own) if form == "scaled" else own
            x = rows.astype(np.float64 if form == "doubles" else np.float32)
            if form == "whole":
                x = np.round(x).astype(np.int64)
            model.fit(x, y)
            options = {id(own): {"zipmap": False}} if form == "arrays" else None
            try:
                file = to_onnx(model, x[:1], options=options).SerializeToString()
            except (NameError, RuntimeError):
                continue  # skl2onnx has no such form of this classifier
            asked = x[:8]
            printed.append(
                {
                    "name": f"{name} of {of}, {form}",
                    "onnx": base64.b64encode(file).decode(),
                    "coefficients": None
                    if form == "scaled"
                    else {
                        "classes": own.classes_.tolist(),
                        "coef": own.coef_.tolist(),
                        "intercept": np.asarray(own.intercept_).tolist(),
                    },
                    "rows": asked.tolist(),
                    "classes": model.predict(asked).tolist(),
                    "scores": model.decision_function(asked).tolist(),
                }
            )
print("[" + ",\n".join(json.dumps(each) for each in printed) + "]")
