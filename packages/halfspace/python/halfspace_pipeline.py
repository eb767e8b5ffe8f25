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
        parts.append((c["name"], make_pipeline(SimpleImputer(), StandardScaler()), [c["name"]]))
        numbers.append(c)
        if c.get("indicator"):
            parts.append((c["name"] + " missing", MissingIndicator(features="all"), [c["name"]]))
    model = make_pipeline(ColumnTransformer(parts), classifier)
    row = {c["name"]: [((c["levels"] + ["?"])[0] if "levels" in c else float(c["fill"]))] * len(m["classes"]) for c in m["columns"]}
    model.fit(pd.DataFrame(row), m["classes"])  # creates the attributes, which get their values now
    for c in numbers:
        imputer, scaler = (step for _, step in model[0].named_transformers_[c["name"]].steps)
        imputer.statistics_[:] = c["fill"]
        scaler.mean_[:], scaler.scale_[:] = c.get("mean", 0), c.get("scale", 1)
    classifier.coef_, classifier.intercept_ = coef, intercept
    return model
