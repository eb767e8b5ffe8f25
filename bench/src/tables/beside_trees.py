"""Cuts tables into splits for beside-trees.mjs, and judges classifiers of scikit-learn and LightGBM on them."""

import csv
import json
import os
import sys
import warnings

os.environ["OMP_NUM_THREADS"] = "1"
warnings.filterwarnings("ignore")
import numpy as np
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

try:
    from lightgbm import LGBMClassifier
except ImportError:
    LGBMClassifier = None

MISSING = {"", "?", "NA"}


def columns_of(rows):
    """Numbers where all cells are, else positions of words. Which columns are words."""
    columns, words = [], []
    for column in zip(*rows):
        try:
            columns.append([np.nan if cell in MISSING else float(cell) for cell in column])
            words.append(False)
        except ValueError:
            places = {word: place for place, word in enumerate(sorted(set(column) - MISSING))}
            columns.append([places.get(cell, np.nan) for cell in column])
            words.append(True)
    return np.array(columns).T, np.array(words)


def classifiers(words, levels):
    few = words & (levels < 255)
    linear = make_column_transformer(
        (make_pipeline(SimpleImputer(), StandardScaler()), np.flatnonzero(~words)),
        (OneHotEncoder(handle_unknown="ignore"), np.flatnonzero(words)),
    )
    all = {
        "LogisticRegression": make_pipeline(linear, LogisticRegression(max_iter=2000)),
        "HistGradientBoosting": HistGradientBoostingClassifier(categorical_features=few, random_state=0),
    }
    if LGBMClassifier is not None:
        all["LightGBM"] = LGBMClassifier(
            n_jobs=1, verbose=-1, random_state=0, categorical_feature=[int(c) for c in np.flatnonzero(few)]
        )
    return all


def main(tables, folder, splits):
    for name, path, header, label, dropped in tables:
        rows = [row for row in csv.reader(open(path), quotechar='"') if row]
        names = rows.pop(0) if header else [f"column{c}" for c in range(len(rows[0]))]
        target = names.index(label) if label else len(names) - 1
        rows = [row for row in rows if row[target] not in MISSING]
        y = np.array([row[target] for row in rows])
        kept = [c for c, each in enumerate(names) if c != target and each not in dropped]
        # A class needs a row in each part.
        counts = dict(zip(*np.unique(y, return_counts=True)))
        frequent = [i for i in range(len(rows)) if counts[y[i]] >= splits]
        rows, y = [rows[i] for i in frequent], y[frequent]
        X, words = columns_of([[row[c] for c in kept] for row in rows])
        levels = np.array([len(np.unique(X[:, c])) for c in range(X.shape[1])])
        result = {}
        for k, parts in enumerate(StratifiedKFold(splits, shuffle=True, random_state=7).split(X, y)):
            for part, chosen in zip(("train", "test"), parts):
                with open(f"{folder}/{name}-{k}-{part}.csv", "w", newline="") as file:
                    out = csv.writer(file)
                    out.writerow([*(names[c] for c in kept), "class"])
                    out.writerows([*(rows[i][c] for c in kept), y[i]] for i in chosen)
            learn, judge = parts
            for peer, model in classifiers(words, levels).items():
                fitted = model.fit(X[learn], y[learn])
                shares = fitted.predict_proba(X[judge])
                found = (np.mean(fitted.classes_[shares.argmax(1)] == y[judge]), log_loss(y[judge], shares, labels=fitted.classes_))
                result.setdefault(peer, []).append([float(each) for each in found])
        print(json.dumps({"name": name, "rows": len(rows), "columns": len(kept), "scores": result}), flush=True)


main(json.load(sys.stdin), sys.argv[1], int(sys.argv[2]))
