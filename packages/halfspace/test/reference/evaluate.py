"""Reference values for the functions of src/evaluate: scikit-learn's metrics and calibration, SciPy's tests.

Scores come in quarters, so that many are equal, and every number is a short decimal.

    python3 evaluate.py > evaluate.json
"""

import json
import sys

import numpy
import scipy
import sklearn
from scipy import stats
from sklearn import metrics
from sklearn.calibration import _sigmoid_calibration, calibration_curve
from sklearn.isotonic import IsotonicRegression

random = numpy.random.default_rng(7)
rows = 60
y = (random.random(rows) < 0.4).astype(int)
scores = numpy.round((random.normal(size=rows) * 1.5 + 1.2 * y) * 4) / 4
importance = numpy.round(random.random(rows) * 3, 2)
importance[::9] = 0
probabilities = numpy.round(1 / (1 + numpy.exp(-scores - random.normal(size=rows))), 4)
probabilities[:2] = [0, 1]
distinct = numpy.round(numpy.linspace(0.01, 0.99, rows), 4)[random.permutation(rows)]
at = numpy.round(numpy.linspace(-6, 6, 25), 2)


def with_weights(weights):
    """Every value once without and once with importance."""
    false_positive, true_positive, thresholds = metrics.roc_curve(
        y, scores, sample_weight=weights, drop_intermediate=False
    )
    precision, recall, cuts = metrics.precision_recall_curve(y, scores, sample_weight=weights)
    a, b = _sigmoid_calibration(scores, y, sample_weight=weights)
    isotonic = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(scores, y, sample_weight=weights)
    return {
        "roc": [false_positive.tolist(), true_positive.tolist(), thresholds[1:].tolist()],
        "rocArea": metrics.roc_auc_score(y, scores, sample_weight=weights),
        # The last point is scikit-learn's own, where nothing is given the positive class.
        "precisionRecall": [precision[:-1].tolist(), recall[:-1].tolist(), cuts.tolist()],
        "averagePrecision": metrics.average_precision_score(y, scores, sample_weight=weights),
        "logLoss": metrics.log_loss(y, probabilities, sample_weight=weights),
        "brierScore": metrics.brier_score_loss(y, probabilities, sample_weight=weights),
        "zeroOneLoss": metrics.zero_one_loss(y, probabilities >= 0.5, sample_weight=weights),
        "platt": {"slope": -a, "intercept": -b},
        "isotonic": isotonic.predict(at).tolist(),
    }


shares, means = calibration_curve(y, distinct, n_bins=10, strategy="quantile")
differences = numpy.round(random.normal(size=10) * 0.02 + 0.01, 4)


def corrected(ratio):
    deviation = numpy.sqrt((1 / len(differences) + ratio) * differences.var(ddof=1))
    t = differences.mean() / deviation
    return {"testedPerLearned": ratio, "t": t, "pValue": 2 * stats.t.sf(abs(t), len(differences) - 1)}


def mcnemar(b, c, exact):
    if exact:
        return {"counts": [b, c], "exact": True, "pValue": stats.binomtest(min(b, c), b + c, 0.5).pvalue}
    chi_squared = max(0, abs(b - c) - 1) ** 2 / (b + c)
    return {"counts": [b, c], "exact": False, "chiSquared": chi_squared, "pValue": stats.chi2.sf(chi_squared, 1)}


def numbers(value):
    """The same with NumPy's numbers turned into Python's."""
    if isinstance(value, dict):
        return {key: numbers(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [numbers(each) for each in value]
    return value.item() if isinstance(value, numpy.generic) else value


reference = {
    "scikit-learn": sklearn.__version__,
    "scipy": scipy.__version__,
    "labels": [1 if each else -1 for each in y],
    "scores": scores.tolist(),
    "importance": importance.tolist(),
    "probabilities": probabilities.tolist(),
    "at": at.tolist(),
    "plain": with_weights(None),
    "weighted": with_weights(importance),
    "reliability": {"probabilities": distinct.tolist(), "shares": shares.tolist(), "means": means.tolist()},
    "differences": differences.tolist(),
    "tTests": [corrected(ratio) for ratio in (1 / 9, 0.25, 5)],
    "studentTwoSided": [
        [t, n, 2 * stats.t.sf(t, n)] for t in (0, 1e-3, 0.3, 1, 2.5, 40, 1e5) for n in (1, 2, 9, 99, 100000)
    ],
    "mcNemar": [mcnemar(b, c, True) for b, c in ((0, 1), (3, 9), (0, 24), (12, 12), (300, 420), (70000, 71000))]
    + [mcnemar(b, c, False) for b, c in ((10, 15), (12, 13), (13, 13), (5, 40), (300, 420), (100, 1000))],
}
text = json.dumps(numbers(reference), separators=(",", ":"))
sys.stdout.write(text.replace(',"', ',\n"') + "\n")
