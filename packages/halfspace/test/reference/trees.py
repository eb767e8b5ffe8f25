"""Reference accuracies: scikit-learn's DecisionTreeClassifier on the shared data, with the split that the test uses.

Row i (0-based) is held out when i % 5 == 4. Tables of numbers are taken as they are, missing values (`?`) as NaN. scikit-learn draws the
order in which it looks at the columns, which decides between equally good splits; accuracies are means over 10 seeds, with the
least and the largest beside them.

    python3 trees.py ../../../../../shared/data > trees.json
"""

import csv
import json
import pathlib
import sys

import numpy
import sklearn
from sklearn.tree import DecisionTreeClassifier

folder = pathlib.Path(sys.argv[1])
names = ["sonar", "ionosphere", "banknote_authentication", "breast-cancer-wisconsin", "iris", "spambase"]
depths = [1, 2, 3, 5, 8]


def table(name):
    with open(folder / f"{name}.csv", newline="") as lines:
        rows = [[cell.strip() for cell in row] for row in csv.reader(lines) if row]
    x = numpy.array([[float("nan") if cell == "?" else float(cell) for cell in row[:-1]] for row in rows])
    return x, numpy.array([row[-1] for row in rows])


def judged(x, y, criterion, depth):
    held = numpy.arange(len(y)) % 5 == 4
    scores = []
    for seed in range(10):
        tree = DecisionTreeClassifier(criterion=criterion, max_depth=depth, random_state=seed)
        tree.fit(x[~held], y[~held])
        scores.append([tree.score(x[~held], y[~held]), tree.score(x[held], y[held])])
    train, test = numpy.array(scores).T
    return {
        "criterion": criterion,
        "depth": depth,
        "train": round(float(train.mean()), 6),
        "test": [round(float(value), 6) for value in (test.min(), test.mean(), test.max())],
    }


trees = {}
for name in names:
    x, y = table(name)
    trees[name] = [judged(x, y, criterion, depth) for criterion in ("gini", "entropy") for depth in depths]
text = json.dumps({"scikit-learn": sklearn.__version__, "trees": trees})
sys.stdout.write(text.replace('{"criterion"', '\n{"criterion"').replace('], "', '],\n"') + "\n")
