"""Measures rounds on one machine: beside a stage that only counts the same rows, with 1 and 2 cores, and beside Spark's
own linear classifiers on the same persisted rows.

    python bench/speed.py [--rows 5000000] [--cores 1,2] [--rounds 10] [--job '{"holdout": 0.1}']

--job adds members to the job, and leaves out Spark's classifiers.

Needs the installed wheel with pyspark, and Java 17.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import pyarrow as pa
from pyspark.ml.classification import LinearSVC, LogisticRegression
from pyspark.ml.evaluation import MulticlassClassificationEvaluator
from pyspark.ml.feature import VectorAssembler
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from halfspace_spark import HalfspaceClassifier
from halfspace_spark.sharding import in_shards
from halfspace_spark.training import add_up, packed_rows, shard_results

NAMES = [f"x{j}" for j in range(10)]


def session(cores: int) -> SparkSession:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.master(f"local[{cores}]").config("spark.driver.memory", "6g")
    made = builder.config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false").getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    return made


def count(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield pa.record_batch(
        {"rows": pa.array([sum(sum(batch.column("rows").to_pylist()) for batch in batches)], pa.int64())}
    )


def measure(cores: int, rows: int, rounds: int, more: dict[str, Any]) -> None:
    spark = session(cores)
    score = sum((F.col(name) * (1 - 2 * (j % 2)) * (j + 1) for j, name in enumerate(NAMES)), F.randn(99) * 3)
    features = [F.randn(j).alias(name) for j, name in enumerate(NAMES)]
    data = spark.range(rows).select("id", *features).withColumn("label", (score > 0).cast("double"))
    classifier = HalfspaceClassifier(inputCols=NAMES, idCol="id", shards=4)
    shards = 4
    job = {**classifier.jobOf(data.schema), "rule": {"name": "averaged"}, "shards": shards, "passes": rounds, **more}
    packed = packed_rows(job, in_shards(data, ["label", *NAMES], shards, 1, "id")).persist()
    began = time.perf_counter()
    packed.count()
    print(f"{cores} cores: generate, shard, sort, scan and persist {rows:,} rows: {time.perf_counter() - began:.1f} s")
    blocks = packed.where("rows is not null").select("rows", "block")

    counting = []
    for _ in range(4):
        began = time.perf_counter()
        blocks.mapInArrow(count, "rows long").collect()
        counting.append(time.perf_counter() - began)
    told: list[tuple[float, dict[str, Any]]] = [(time.perf_counter(), {})]
    add_up(job, partial(shard_results, job, packed, "id"), lambda line: told.append((time.perf_counter(), line)))
    steps = [(now - before, line["next"]) for (before, _), (now, line) in pairwise(told)]
    learning = sorted(seconds for seconds, _ in steps[1 : 1 + rounds])
    median = learning[len(learning) // 2]
    least = sorted(counting)[1]
    ratio = f"{median / least:.2f} ×"  # noqa: RUF001
    print(f"{cores} cores: count {least:.2f} s, round {median:.2f} s ({ratio}); {rounds} rounds {sum(learning):.1f} s")
    for few in (1, 2):
        began = time.perf_counter()
        add_up({**job, "passes": few}, partial(shard_results, job, packed, "id"))
        print(
            f"{cores} cores: {few} rounds and the last scan, from persisted blocks: {time.perf_counter() - began:.1f} s"
        )
    packed.unpersist()
    if cores > 1 and not more:
        beside(data)
    spark.stop()


def beside(data: Any) -> None:
    """Learns the same rows with Spark's classifiers, persisted in the form that each wants."""
    assembled = VectorAssembler(inputCols=NAMES, outputCol="features").transform(data).select("id", "features", "label")
    assembled = assembled.persist()
    assembled.count()
    evaluator = MulticlassClassificationEvaluator(metricName="accuracy")
    plain = data.persist()
    plain.count()
    for name, learner, rows in (
        *(
            (
                f"halfspace, averaged, rounds: {few}",
                HalfspaceClassifier(inputCols=NAMES, idCol="id", shards=4, maxIter=few),
                plain,
            )
            for few in (1, 2)
        ),
        ("LogisticRegression", LogisticRegression(), assembled),
        ("LinearSVC", LinearSVC(), assembled),
    ):
        began = time.perf_counter()
        model = learner.fit(rows)
        seconds = time.perf_counter() - began
        print(f"{name}: {seconds:.1f} s, accuracy {evaluator.evaluate(model.transform(rows)):.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measures rounds on Spark.")
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--cores", default="1,2")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--job", type=json.loads, default={})
    given = parser.parse_args()
    for each in given.cores.split(","):
        measure(int(each), given.rows, given.rounds, given.job)
