"""The same rows, parameters and shards give the same bits, whatever the cluster does."""

from __future__ import annotations

import json
import math
import os
import random
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import session
from pyspark import InheritableThread
from pyspark.errors import PythonException
from pyspark.ml import Pipeline, PipelineModel
from pyspark.ml.evaluation import BinaryClassificationEvaluator, MulticlassClassificationEvaluator
from pyspark.ml.feature import StringIndexer
from pyspark.ml.linalg import Vectors
from pyspark.ml.tuning import CrossValidator, ParamGridBuilder
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from halfspace_spark import DataError, HalfspaceClassifier, HalfspaceModel
from halfspace_spark.node import command
from halfspace_spark.process import CommandError
from halfspace_spark.training import step

TABLE = "id long, size double, kind string, open boolean, label string"


def table(spark: SparkSession, count: int = 2000) -> DataFrame:
    chance = random.Random(1)
    rows = []
    for i in range(count):
        size = None if i % 11 == 0 else chance.gauss(0, 1)
        label = "yes" if (size or 0) + (i % 3 == 0) + chance.gauss(0, 0.3) > 0.5 else "no"
        rows.append((i, size, "uvw"[i % 3], None if i % 13 == 0 else i % 2 == 0, label))
    return spark.createDataFrame(rows, TABLE)


def vectors(spark: SparkSession, count: int = 1500) -> DataFrame:
    chance = random.Random(2)
    rows = []
    for i in range(count):
        words = sorted(chance.sample(range(60), 5))
        score = sum(1 if word < 30 else -1 for word in words) + chance.gauss(0, 1)
        rows.append((i, Vectors.sparse(60, words, [1.0] * 5), float(score > 0)))
    return spark.createDataFrame(rows, ["id", "features", "label"])


def of_table(**more: Any) -> HalfspaceClassifier:
    return HalfspaceClassifier(inputCols=["size", "kind", "open"], idCol="id", shards=5, maxIter=4, **more)


def of_vectors(**more: Any) -> HalfspaceClassifier:
    return HalfspaceClassifier(idCol="id", shards=4, maxIter=3, **more)


@pytest.fixture(scope="module")
def expected(local: SparkSession) -> dict[str, str]:
    return {"table": of_table().fit(table(local)).modelText, "vectors": of_vectors().fit(vectors(local)).modelText}


def test_partitions_and_their_order_do_not_change_a_bit(local: SparkSession, expected: dict[str, str]) -> None:
    shuffled = table(local).orderBy("kind", "size").repartition(7)
    assert of_table().fit(shuffled).modelText == expected["table"]
    assert of_vectors().fit(vectors(local).coalesce(1)).modelText == expected["vectors"]


def test_held_out_rows_end_the_training_and_judge_the_model(local: SparkSession) -> None:
    classifier = of_table(rule="perceptron", holdout=0.2, patience=2)
    classifier.set(classifier.maxIter, 50)
    told: list[dict[str, Any]] = []
    classifier.progress = told.append
    model = classifier.fit(table(local))
    training = model.training
    assert training["stop"] == "patience" and training["passes"] == told[-1]["best"]["round"] + 2 < 50
    # Each shard holds out the share of each class, one row more or less.
    assert abs(training["examples"] - 1600) <= 10 and training["holdoutAccuracy"] > 0.85
    assert training["holdoutAccuracy"] == 1 - told[-1]["heldOutErrors"] / (2000 - training["examples"])
    assert classifier.fit(table(local).orderBy("size").repartition(3)).modelText == model.modelText


def test_a_model_predicts_and_is_kept(local: SparkSession, tmp_path: Path) -> None:
    rows = table(local)
    model = of_table().fit(rows)
    told = model.training
    right = model.transform(rows).where("prediction = label").count()
    assert right == round(told["trainAccuracy"] * told["examples"]) > 1700
    assert told["shards"] == 5
    model.write().overwrite().save(str(tmp_path / "model"))
    again = HalfspaceModel.load(str(tmp_path / "model"))
    assert again.modelText == model.modelText
    assert again.transform(rows).collect() == model.transform(rows).collect()
    of_table(rule="perceptron").save(str(tmp_path / "classifier"))
    assert HalfspaceClassifier.load(str(tmp_path / "classifier")).getOrDefault("rule") == "perceptron"


def test_a_calibrated_model_has_probabilities(local: SparkSession, tmp_path: Path) -> None:
    rows = vectors(local)
    assert "probability" not in of_vectors().fit(rows).transform(rows).columns
    model = of_vectors(holdout=0.3, calibrate="platt", probabilityCol="p").fit(rows)
    assert model.isCalibrated
    found = model.transform(rows).select("rawPrediction", "p").collect()
    [calibration] = json.loads(model.modelText)["calibration"]
    for score, p in found:
        expected = 1 / (1 + math.exp(-(calibration["slope"] * score[1] + calibration["intercept"])))
        assert p[1] == pytest.approx(expected) and p[0] + p[1] == 1
    judge = MulticlassClassificationEvaluator(metricName="logLoss", probabilityCol="p")
    assert judge.evaluate(model.transform(rows)) < 0.5
    with pytest.raises(DataError, match='expected "holdout" with "calibrate"'):
        of_vectors(calibrate="platt").fit(rows)


def test_a_pipeline_is_kept(local: SparkSession, tmp_path: Path) -> None:
    rows = table(local, 600)
    index = StringIndexer(inputCol="kind", outputCol="k")
    pipeline = Pipeline(stages=[index, HalfspaceClassifier(inputCols=["size", "k"], idCol="id", shards=2, maxIter=2)])
    pipeline.save(str(tmp_path / "pipeline"))
    model = Pipeline.load(str(tmp_path / "pipeline")).fit(rows)
    model.save(str(tmp_path / "model"))
    again = PipelineModel.load(str(tmp_path / "model"))
    assert (
        again.transform(rows).collect()
        == model.transform(rows).collect()
        == pipeline.fit(rows).transform(rows).collect()
    )


def test_cross_validation_chooses_a_rule(local: SparkSession) -> None:
    classifier = of_vectors()
    grid = ParamGridBuilder().addGrid(classifier.rule, ["averaged", "passive-aggressive"]).build()
    search = CrossValidator(
        estimator=classifier, estimatorParamMaps=grid, evaluator=BinaryClassificationEvaluator(), numFolds=2
    )
    assert min(search.fit(vectors(local, 600)).avgMetrics) > 0.8


@pytest.fixture(scope="module")
def model(local: SparkSession) -> HalfspaceModel:
    return of_table().fit(table(local, 200))


def one_machine() -> list[str]:
    """Returns the command of the checkout, which reads Parquet."""
    return [command()[0], str(Path(__file__).resolve().parents[3] / "packages" / "cli" / "bin" / "halfspace.cjs")]


BAD_ROWS = [
    ((4711, float("inf"), "u", True, "yes"), 'column "size": expected a finite number; got Infinity'),
    ((4711, float("nan"), "u", True, "yes"), 'column "size": expected a finite number; got NaN'),
    ((4711, 1.0, "u", True, None), 'column "label": expected a label; got none; leave such rows out'),
    ((4711, 1.0, "u", True, "NA"), 'column "label": expected a label; got none; leave such rows out'),
]


@pytest.mark.parametrize(("row", "sentence"), BAD_ROWS)
def test_a_refused_row_is_named_by_its_id(
    local: SparkSession, model: HalfspaceModel, tmp_path: Path, row: Any, sentence: str
) -> None:
    good = table(local, 60)
    bad = local.createDataFrame([row], TABLE)
    with pytest.raises(DataError, match=rf"^shard \d, id 4711, {re.escape(sentence)}$"):
        of_table().fit(good.union(bad))
    # One machine says the same of the same rows.
    good.union(bad).coalesce(1).write.parquet(str(tmp_path / "rows"))
    [file] = (tmp_path / "rows").glob("*.parquet")
    columns = [f"--column={pair}" for pair in ("size=number", "kind=category", "open=boolean", "id=drop")]
    said = subprocess.run(
        [*one_machine(), "train", str(file), "--label=label", *columns], capture_output=True, text=True
    )
    assert said.returncode == 3
    assert sentence.removesuffix("; leave such rows out") in said.stderr
    # Labels are not read to predict.
    if "label" in sentence:
        assert model.transform(bad).count() == 1
        return
    with pytest.raises(PythonException, match=rf"DataError: rows, id 4711, {re.escape(sentence)}(\n|$)"):
        model.transform(good.union(bad)).collect()
    unnamed = model.copy()
    unnamed.clear(unnamed.idCol)
    with pytest.raises(PythonException, match=rf"DataError: rows, row [0-9A-F]{{1,16}}, {re.escape(sentence)}(\n|$)"):
        unnamed.transform(bad).collect()


def test_nulls_and_unknown_levels_are_predicted_as_on_one_machine(
    local: SparkSession, model: HalfspaceModel, tmp_path: Path
) -> None:
    rows = [
        (i, None if i % 3 == 0 else i / 7, (None, "new", "", "u")[i % 4], (None, True)[i % 2], None) for i in range(40)
    ]
    found = model.transform(local.createDataFrame(rows, TABLE).repartition(3)).orderBy("id").collect()
    assert [row["id"] for row in found] == list(range(40))
    (tmp_path / "model.json").write_text(model.modelText)
    names = ["size", "kind", "open"]
    lines = [json.dumps(dict(zip(names, row[1:4], strict=True))) for row in rows]
    (tmp_path / "rows.ndjson").write_text("\n".join(lines))
    arguments = [*one_machine(), "predict", "model.json", "rows.ndjson"]
    said = subprocess.run(arguments, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert [row["prediction"] for row in found] == said.stdout.split()


def test_decimals_are_numbers_and_what_cannot_be_learned_is_refused(local: SparkSession) -> None:
    rows = table(local, 200)
    as_decimal = rows.withColumn("size", F.col("size").cast("decimal(12, 4)"))
    as_double = as_decimal.withColumn("size", F.col("size").cast("double"))
    assert of_table().fit(as_decimal).modelText == of_table().fit(as_double).modelText
    with pytest.raises(DataError, match='expected a column "kind"; got id, size, open, label'):
        of_table().fit(rows.drop("kind"))
    with pytest.raises(DataError, match=r"expected columns of numbers, .*; got kind of type array<string>"):
        of_table().fit(rows.withColumn("kind", F.array("kind")))
    with pytest.raises(DataError, match="expected a rule that can be mixed"):
        of_table(rule="tree").fit(rows)


def test_a_cancelled_training_leaves_no_process(local: SparkSession) -> None:
    classifier = of_table(rule="perceptron")
    classifier.set(classifier.maxIter, 1000)
    learning = threading.Event()
    classifier.progress = lambda told: learning.set() if told["rounds"] > 0 else None
    found: list[str] = []

    def fit() -> None:
        local.sparkContext.setJobGroup("training", "a training to cancel", interruptOnCancel=True)
        try:
            classifier.fit(table(local))
        except Exception as error:
            found.append(str(error))

    training = InheritableThread(target=fit)
    training.start()
    assert learning.wait(120)
    assert running("halfspace.cjs")
    while training.is_alive():  # between two jobs there is nothing to cancel
        local.sparkContext.cancelJobGroup("training")
        training.join(0.05)
    assert len(found) == 1 and "cancelled" in found[0]
    for _ in range(200):
        if not running("halfspace.cjs"):
            break
        time.sleep(0.2)
    assert not running("halfspace.cjs")


def test_a_worker_that_dies_is_told_and_replaced() -> None:
    job = {"format": "halfspace-job", "version": 1, "label": "y", "vector": "x", "shards": 1, "passes": 1}
    job["rule"] = {"name": "averaged"}

    def dies() -> Iterator[bytes]:
        for pid in running("halfspace.cjs"):
            os.kill(pid, signal.SIGKILL)
        yield from [bytes(1 << 20)] * 9

    before = step(job, None, 0, [])
    with pytest.raises(CommandError, match="signal 9 ended the worker"):
        step(job, None, 0, dies())
    assert step(job, None, 0, []) == before


@pytest.mark.parametrize("executors", [1, 2, 4])
def test_executors_do_not_change_a_bit(executors: int, expected: dict[str, str]) -> None:
    SparkSession.getActiveSession() and SparkSession.getActiveSession().stop()  # type: ignore[union-attr]
    spark = session(f"local-cluster[{executors},1,1024]", spark_speculation="true", spark_speculation_multiplier="1.1")
    try:
        classifier = of_table()
        if executors == 2:
            classifier.progress = kill_an_executor_in_round_two
        assert classifier.fit(table(spark).repartition(6)).modelText == expected["table"]
        if executors == 2:
            assert killed
        assert of_vectors().fit(vectors(spark)).modelText == expected["vectors"]
    finally:
        spark.stop()


killed: list[int] = []


def kill_an_executor_in_round_two(told: dict[str, Any]) -> None:
    if told["rounds"] == 1 and told["next"] == "learn":
        killed.append(running("CoarseGrainedExecutorBackend")[0])
        os.kill(killed[0], signal.SIGKILL)


def running(word: str) -> list[int]:
    """Returns the processes of this user whose command line has a word and that descend from this one."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            line = (folder / "cmdline").read_bytes().decode() if folder.name.isdigit() else ""
        except OSError:
            continue
        if word in line and descends(int(folder.name)):
            found.append(int(folder.name))
    return found


def descends(pid: int) -> bool:
    while pid > 1:
        if pid == os.getpid():
            return True
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[1])
        except OSError:
            return False
    return False
