"""Reads the tables whose paths and options come as JSON, and prints the types and cells of their columns.

A table is read with the defaults of read_csv, and with the delimiter guessed if there is one column only. `dates` are the
positions of columns that a person calls dates: to_datetime guesses their format.
"""
import json
import sys
import warnings

import pandas as pd

warnings.simplefilter("ignore")


def read(table):
    options = {}
    if table["missing"] is not None:
        options["na_values"] = table["missing"]
    if table["encoding"] is not None:
        options["encoding"] = table["encoding"]
    if table["header"] is not None:
        options["header"] = 0 if table["header"] else None
    if table["path"].endswith(".tsv"):
        options["sep"] = "\t"
    frame = pd.read_csv(table["path"], **options)
    if frame.shape[1] == 1 and "sep" not in options:
        frame = pd.read_csv(table["path"], **options, sep=None, engine="python")
    return frame


def column(values, is_date):
    if is_date and not pd.api.types.is_numeric_dtype(values):
        try:
            days = (pd.to_datetime(values, utc=True) - pd.Timestamp(0, tz="UTC")) / pd.Timedelta(days=1)
            return {"type": "date", "cells": [None if pd.isna(x) else x for x in days]}
        except (ValueError, TypeError):
            pass
    kind = (
        "boolean" if pd.api.types.is_bool_dtype(values) else "number" if pd.api.types.is_numeric_dtype(values) else "text"
    )
    if kind == "text" and set(map(type, values.dropna())) == {bool}:
        kind = "boolean"
    # JSON has no infinite numbers; as words they equal no expected number.
    cells = [None if pd.isna(x) else str(x).strip() if kind == "text" or abs(x) == float("inf") else float(x) for x in values]
    return {"type": kind, "cells": cells}


results = []
for table in json.load(sys.stdin):
    try:
        frame = read(table)
        results.append([column(frame.iloc[:, c], c in table["dates"]) for c in range(frame.shape[1])])
    except Exception:
        results.append(None)
json.dump({"version": pd.__version__, "tables": results}, sys.stdout)
