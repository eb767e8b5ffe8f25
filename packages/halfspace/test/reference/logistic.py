"""Reference values for rules/logistic.ts: the least objectives that scikit-learn finds, on numbers of a formula.

    python3 logistic.py > logistic.json
"""

import json
import warnings

import numpy
import sklearn
from sklearn.linear_model import LogisticRegression

warnings.filterwarnings("ignore")


def examples(rows, features, classes):
    """As `examples` in logistic.test.ts: fractions of a linear congruence, and the class of the largest product."""
    state = 12345
    numbers = []
    for _ in range(rows * features + classes * features + rows):
        state = (state * 1103515245 + 12345) % 2**31
        numbers.append(state / 2**30 - 1)
    numbers = numpy.array(numbers)
    x = numbers[: rows * features].reshape(rows, features)
    directions = numbers[rows * features : (rows + classes) * features].reshape(classes, features)
    noise = numbers[(rows + classes) * features :]
    scores = x @ directions.T
    scores[:, 0] += noise
    return x, scores.argmax(axis=1)


def least(rows, features, classes, alpha, weighted, bias):
    x, y = examples(rows, features, classes)
    h = (numpy.arange(rows) % 3 + 1) / 2 if weighted else numpy.ones(rows)
    solver = "newton-cg" if classes > 2 else "lbfgs"
    model = LogisticRegression(C=1 / (alpha * h.sum()), tol=1e-10, max_iter=10**6, solver=solver, fit_intercept=bias)
    model.fit(x, y, sample_weight=h)
    scores = model.decision_function(x)
    if classes == 2:
        losses = numpy.logaddexp(0, -numpy.where(y == 1, 1, -1) * scores)
    else:
        top = scores.max(axis=1)
        losses = numpy.log(numpy.exp(scores - top[:, None]).sum(axis=1)) + top - scores[numpy.arange(rows), y]
    value = (h * losses).sum() / h.sum() + alpha / 2 * (model.coef_**2).sum()
    return {
        "rows": rows,
        "features": features,
        "classes": classes,
        "alpha": alpha,
        "weighted": weighted,
        "bias": bias,
        "value": float(value),
    }


found = [
    least(rows, features, classes, alpha, weighted, bias)
    for rows, features, classes in [(200, 6, 2), (300, 5, 4)]
    for alpha in [1e-5, 1e-3, 0.1]
    for weighted, bias in [(False, True), (True, True), (False, False)]
]
print(json.dumps({"scikit-learn": sklearn.__version__, "least": found}, indent=2))
