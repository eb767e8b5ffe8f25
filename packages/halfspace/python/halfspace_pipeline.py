"""Makes a pipeline of scikit-learn from the JSON of `halfspace export --to scikit-learn`.

    model = load("penguins.json")
    model.predict(frame)  # a pandas.DataFrame; missing categories are None, missing numbers NaN

Of a model of numbered features it makes the classifier alone, which takes a matrix with feature j in column j.
"""
import json

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix
from sklearn.compose import ColumnTransformer
from sklearn.impute import MissingIndicator, SimpleImputer
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler


def with_rare(frame, levels, rare):
    """Replaces levels that are not listed by one word."""
    return frame.where(frame.isin(levels) | frame.isna(), rare)


def one_hot(places, width):
    """A row of 0 with a 1 at its place; -1: none."""
    out = np.zeros((len(places), width))
    out[places >= 0, places[places >= 0]] = 1
    return out


def width_of(c):
    own = len(c["levels"]) + bool(c.get("rare")) if "levels" in c else len(c["edges"]) + 1
    return own + bool(c.get("indicator"))


def places_of(column, c):
    """The place of each cell among the features of a category, or of a number cut into intervals; -1: none."""
    if "levels" in c:
        rest = len(c["levels"]) if c.get("rare") else -1
        places = column.map({level: k for k, level in enumerate(c["levels"])}).fillna(rest).to_numpy(int)
    else:
        places = np.searchsorted(c["edges"], column.to_numpy(float), side="right")
    return np.where(column.isna(), width_of(c) - 1 if c.get("indicator") else -1, places)


def intervals(frame, c):
    return one_hot(places_of(frame[c["name"]], c), width_of(c))


def pairs(frame, columns, groups):
    """The pairs of two columns, whose places may share groups that begin at some of them."""
    places, counts = [], []
    for c, starts in zip(columns, groups):
        own = places_of(frame[c["name"]], c)
        places.append(own if starts is None else np.where(own < 0, -1, np.searchsorted(starts, own, side="right")))
        counts.append(width_of(c) if starts is None else len(starts) + 1)
    pair = np.where((places[0] < 0) | (places[1] < 0), -1, places[0] * counts[1] + places[1])
    return one_hot(pair, counts[0] * counts[1])


def load(path):
    with open(path, encoding="utf-8") as file:
        m = json.load(file)
    coef, intercept = np.array(m["coef"]), np.array(m["intercept"])
    classifier = SGDClassifier(max_iter=1, tol=None)
    if "columns" not in m:
        classifier.fit(csr_matrix((len(m["classes"]), coef.shape[1])), m["classes"])
        classifier.coef_, classifier.intercept_ = coef, intercept
        return classifier
    parts, numbers = [], []
    for c in m["columns"]:
        if "levels" in c:
            rare = "other levels"
            while rare in c["levels"]:
                rare += "_"
            levels = c["levels"] + ([rare] if c.get("rare") else []) + ([None] if c.get("indicator") else [])
            encoder = OneHotEncoder(categories=[np.array(levels, object)], handle_unknown="ignore")
            if c.get("rare"):
                encoder = make_pipeline(FunctionTransformer(with_rare, kw_args={"levels": c["levels"], "rare": rare}), encoder)
            parts.append((c["name"], encoder, [c["name"]]))
            continue
        if "edges" in c:
            parts.append((c["name"], FunctionTransformer(intervals, kw_args={"c": c}), [c["name"]]))
            continue
        parts.append((c["name"], make_pipeline(SimpleImputer(), StandardScaler()), [c["name"]]))
        numbers.append(c)
        if c.get("indicator"):
            parts.append((c["name"] + " missing", MissingIndicator(features="all"), [c["name"]]))
    by_name = {c["name"]: c for c in m["columns"]}
    for cross in m.get("crosses", []):
        crossed = {"columns": [by_name[name] for name in cross["columns"]], "groups": cross.get("groups", [None, None])}
        parts.append((" x ".join(cross["columns"]), FunctionTransformer(pairs, kw_args=crossed), cross["columns"]))
    model = make_pipeline(ColumnTransformer(parts), classifier)
    row = {c["name"]: [((c["levels"] + ["?"])[0] if "levels" in c else float(c.get("fill", 0)))] * len(m["classes"]) for c in m["columns"]}
    model.fit(pd.DataFrame(row), m["classes"])  # creates the attributes, which get their values now
    for c in numbers:
        imputer, scaler = (step for _, step in model[0].named_transformers_[c["name"]].steps)
        imputer.statistics_[:] = c["fill"]
        scaler.mean_[:], scaler.scale_[:] = c.get("mean", 0), c.get("scale", 1)
    classifier.coef_, classifier.intercept_ = coef, intercept
    return model
