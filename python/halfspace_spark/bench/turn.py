"""Measures what Spark itself takes for a round of any size. Prints JSON for the simulation in bench/src/cluster.

    python bench/turn.py [--cores 2]

Needs the installed wheel with pyspark, and Java 17. Less than a minute.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from statistics import median
from typing import Any

import pyarrow as pa
from pyspark.sql import functions as F
from speed import session

from halfspace_spark.training import step

JOB = {"format": "halfspace-job", "version": 1, "label": "y", "vector": "x", "shards": 1, "passes": 1}


def work(job: dict[str, Any], batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Does the smallest step: that of a shard without rows."""
    for _ in batches:
        pass
    step(job, None, 0, [])
    yield pa.record_batch({"n": pa.array([1], pa.int64())})


def seconds(run: Callable[[], object]) -> float:
    times = []
    for _ in range(12):
        began = time.perf_counter()
        run()
        times.append(time.perf_counter() - began)
    return median(times[4:])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measures what Spark takes for a round of any size.")
    parser.add_argument("--cores", type=int, default=2)
    cores = parser.parse_args().cores
    spark = session(cores)
    job = {**JOB, "rule": {"name": "averaged"}}
    steps = {
        tasks: seconds(lambda n=tasks: spark.range(0, n, 1, n).mapInArrow(partial(work, job), "n long").collect())
        for tasks in (cores, 9 * cores)
    }
    plain = {
        tasks: seconds(lambda n=tasks: spark.range(0, n, 1, n).select(F.sum("id")).collect()) for tasks in (cores, 500)
    }
    start = (steps[9 * cores] - steps[cores]) / 8
    dispatch = (plain[500] - plain[cores]) / (500 - cores)
    costs = {"turn": steps[cores] - start, "start": start, "dispatch": dispatch}
    print(json.dumps({name: float(f"{value:.2g}") for name, value in costs.items()}))
    spark.stop()
