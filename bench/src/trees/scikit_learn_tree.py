"""Grows one tree with scikit-learn from columns of doubles, and prints how long that took and how good it is.

python3 scikit_learn_tree.py FILE ROWS COLUMNS DEPTH exact|histogram
"""

import json
import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"
import numpy
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.tree import DecisionTreeClassifier

file, rows, columns, depth, kind = sys.argv[1], *map(int, sys.argv[2:5]), sys.argv[5]
numbers = numpy.fromfile(file).reshape(columns + 1, rows)
learned = int(rows * 0.9)
x, y = numpy.ascontiguousarray(numbers[:-1].T), numbers[-1]
if kind == "exact":
    tree = DecisionTreeClassifier(max_depth=depth, random_state=0)
else:
    tree = HistGradientBoostingClassifier(
        max_iter=1, learning_rate=1, max_depth=depth, max_leaf_nodes=None, min_samples_leaf=1, early_stopping=False
    )
began = time.perf_counter()
tree.fit(x[:learned], y[:learned])
seconds = time.perf_counter() - began
leaves = tree.get_n_leaves() if kind == "exact" else tree._predictors[0][0].get_n_leaf_nodes()
accuracy = tree.score(x[learned:], y[learned:])
print(json.dumps({"seconds": seconds, "leaves": int(leaves), "accuracy": float(accuracy)}))
