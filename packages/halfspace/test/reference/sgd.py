"""Reference values for rules/sgd.ts on real tables: scikit-learn's SGDClassifier step by step, and the least objectives.

    python3 sgd.py ../../../../../shared/data > sgd.json
"""

import json
import sys
import warnings

import numpy
import sklearn
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.svm import SVC

warnings.filterwarnings("ignore")
folder = sys.argv[1]


def table(name):
    """Numbers, the last column the class; the positive class is the larger of the two labels."""
    rows = [line.split(",") for line in open(f"{folder}/{name}.csv").read().split()]
    labels = [row[-1] for row in rows]
    x = numpy.array([[float(cell) for cell in row[:-1]] for row in rows])
    return x, numpy.where(numpy.array(labels) == max(labels), 1, -1)


def standardised(x):
    deviation = x.std(axis=0)
    return (x - x.mean(axis=0)) / numpy.where(deviation == 0, 1, deviation)


def stepwise():
    """Two passes in the order of the file, with importance; without and with a penalty."""
    x, y = table("banknote_authentication")
    importance = (numpy.arange(len(y)) % 3 + 1) / 2
    losses = {
        "perceptron": "perceptron",
        "hinge": "hinge",
        "squared-hinge": "squared_hinge",
        "logistic": "log_loss",
        "modified-huber": "modified_huber",
    }
    schedules = {"constant": "constant", "inverse-scaling": "invscaling"}
    for loss, theirs in losses.items():
        for schedule, learning_rate in schedules.items():
            for penalty in ("none", "l2"):
                rate = 0.01 if schedule == "constant" else 0.1
                learner = SGDClassifier(
                    loss=theirs, penalty=None if penalty == "none" else penalty, alpha=1e-4, learning_rate=learning_rate,
                    eta0=rate, power_t=0.5, shuffle=False, max_iter=2, tol=None,
                )  # fmt: skip
                # Its schedule counts examples, ours importance; its penalty does not count importance.
                weighted = penalty == "none" and schedule == "constant"
                learner.fit(x, y, sample_weight=importance if weighted else None)
                numbers = [*learner.coef_[0], learner.intercept_[0]]
                yield {
                    "loss": loss, "schedule": schedule, "penalty": penalty, "rate": rate, "weighted": weighted,
                    "numbers": [float(number) for number in numbers],
                }  # fmt: skip


def least():
    """Objectives at their least, the bias not penalised."""
    for name in ("ionosphere", "spambase"):
        x, y = table(name)
        x = standardised(x)
        for alpha in (1e-2, 1e-4):
            logistic = LogisticRegression(C=1 / (alpha * len(y)), tol=1e-8, max_iter=20000).fit(x, y)
            scores = logistic.decision_function(x)
            value = numpy.logaddexp(0, -y * scores).mean() + alpha / 2 * (logistic.coef_**2).sum()
            yield {"table": name, "loss": "logistic", "alpha": alpha, "value": value, "accuracy": logistic.score(x, y)}
    x, y = table("ionosphere")
    x = standardised(x)
    alpha = 1e-2
    svm = SVC(kernel="linear", C=1 / (alpha * len(y)), tol=1e-6).fit(x, y)
    value = numpy.maximum(0, 1 - y * svm.decision_function(x)).mean() + alpha / 2 * (svm.coef_**2).sum()
    yield {"table": "ionosphere", "loss": "hinge", "alpha": alpha, "value": value, "accuracy": svm.score(x, y)}


reference = {"scikit-learn": sklearn.__version__, "stepwise": list(stepwise()), "least": list(least())}
sys.stdout.write(json.dumps(reference, indent=1) + "\n")
