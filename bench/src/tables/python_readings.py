"""Reads the tables whose paths and options come as JSON with pandas and polars, and prints the columns that each reads.

A table is read with the defaults of read_csv; pandas also guesses the delimiter if there is one column only. `dates` are
the positions of columns that a person calls dates: pandas' to_datetime guesses their format, polars tries dates itself.
"""
import json
import sys
import warnings

import pandas as pd
import polars as pl

warnings.simplefilter("ignore")


def by_pandas(table):
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
    return [pandas_column(frame.iloc[:, c], c in table["dates"]) for c in range(frame.shape[1])]


def pandas_column(values, is_date):
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
    return {"type": kind, "cells": [cell(None if pd.isna(x) else x, kind) for x in values]}


def by_polars(table):
    options = {"try_parse_dates": True, "null_values": [""] + (table["missing"] or [])}
    if table["encoding"] is not None:
        options["encoding"] = table["encoding"]
    if table["header"] is not None:
        options["has_header"] = table["header"]
    if table["path"].endswith(".tsv"):
        options["separator"] = "\t"
    return [polars_column(values) for values in pl.read_csv(table["path"], **options)]


def polars_column(values):
    if values.dtype.is_temporal() and values.dtype not in (pl.Time, pl.Duration):
        days = values.cast(pl.Datetime("us")).dt.epoch("us") / 86_400_000_000
        return {"type": "date", "cells": days.to_list()}
    kind = "boolean" if values.dtype == pl.Boolean else "number" if values.dtype.is_numeric() else "text"
    return {"type": kind, "cells": [cell(x, kind) for x in values]}


def cell(x, kind):
    # JSON has no infinite numbers; as words they equal no expected number.
    return None if x is None or x != x else str(x).strip() if kind == "text" or abs(x) == float("inf") else float(x)


def read(table, reader):
    try:
        return reader(table)
    except Exception:
        return None


readers = {"pandas": (pd, by_pandas), "polars": (pl, by_polars)}
tables = json.load(sys.stdin)
results = {
    name: {"version": module.__version__, "tables": [read(table, reader) for table in tables]}
    for name, (module, reader) in readers.items()
}
json.dump(results, sys.stdout)
