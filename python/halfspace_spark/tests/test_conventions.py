"""Classifier and model behave as those of Spark do."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyspark.ml.classification import LogisticRegression, OneVsRest
from pyspark.ml.evaluation import BinaryClassificationEvaluator, MulticlassClassificationEvaluator
from pyspark.ml.feature import VectorAssembler
from pyspark.ml.linalg import SparseVector, Vectors
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from test_classifier import of_table, of_vectors, one_machine, table, vectors

from halfspace_spark import DataError, HalfspaceClassifier, HalfspaceModel
from halfspace_spark.errors import check_versions, one_python

#: A value other than the default, by the type of a parameter.
OTHERS = {str: '{"epochs": 1}', int: 7, float: 0.25, list: ["a", "b"]}
DEFAULTS = {"inputCols": [], "thresholds": [], "holdout": 0.1, "patience": 1}


@pytest.fixture(scope="module")
def model(local: SparkSession) -> HalfspaceModel:
    return of_vectors(holdout=0.3, calibrate="platt").fit(vectors(local))


@pytest.mark.parametrize("kind", [HalfspaceClassifier, HalfspaceModel])
def test_every_parameter_is_set_read_copied_and_kept(
    local: SparkSession, model: HalfspaceModel, tmp_path: Path, kind: Any
) -> None:
    made = kind() if kind is HalfspaceClassifier else model.copy()
    names = [param.name for param in made.params]
    assert len(names) > 17
    for name in names:
        word = name[0].upper() + name[1:]
        default = made.optional(name)
        value = OTHERS[type(DEFAULTS.get(name, "") if default is None else default)]
        value = [0.5, 0.5] if name == "thresholds" else value
        if hasattr(made, f"set{word}"):
            assert getattr(made, f"set{word}")(value) is made
        else:
            assert kind is HalfspaceModel
            made._set(**{name: value})
        assert getattr(made, f"get{word}")() == value == made.copy().getOrDefault(name)
        assert name in made.explainParam(name) and str(value) in made.explainParam(name)
    made.save(str(tmp_path / "kept"))
    again = kind.load(str(tmp_path / "kept"))
    assert again.uid == made.uid
    for param in again.params:
        assert again.getOrDefault(param) == made.getOrDefault(param.name)


def test_the_model_has_the_identity_and_the_parameters_of_its_classifier(local: SparkSession) -> None:
    classifier = HalfspaceClassifier().setShards(2).setMaxIter(1).setPredictionCol("found")
    model = classifier.fit(vectors(local, 100))
    assert (model.uid, model.getShards(), model.getPredictionCol()) == (classifier.uid, 2, "found")


def test_a_saved_object_of_another_kind_is_refused(local: SparkSession, model: HalfspaceModel, tmp_path: Path) -> None:
    model.save(str(tmp_path / "model"))
    with pytest.raises(DataError, match=r"expected a saved HalfspaceClassifier in .*; got a halfspace_spark\.model"):
        HalfspaceClassifier.load(str(tmp_path / "model"))
    LogisticRegression().save(str(tmp_path / "other"))
    with pytest.raises(DataError, match=r"expected a saved HalfspaceModel in .*; got a org\.apache\.spark"):
        HalfspaceModel.load(str(tmp_path / "other"))


def test_coefficients_give_the_scores(local: SparkSession, model: HalfspaceModel) -> None:
    rows = model.transform(vectors(local, 50)).collect()
    for row in rows:
        score = model.coefficients.dot(row["features"]) + model.intercept
        assert row["rawPrediction"].toArray() == pytest.approx([-score, score])
        assert model.predictRaw(row["features"]).toArray() == pytest.approx(row["rawPrediction"].toArray())
        assert model.predict(row["features"]) == row["prediction"]
    assert (model.numClasses, model.numFeatures) == (2, 60)
    assert model.coefficientMatrix.toArray().shape == (1, 60) and len(model.interceptVector) == 1
    several = of_vectors().fit(vectors(local, 300).withColumn("label", F.col("id") % 3))
    assert several.coefficientMatrix.toArray().shape == (3, 60)
    found = several.transform(vectors(local, 20)).collect()
    for row in found:
        scores = several.coefficientMatrix.toArray() @ row["features"].toArray() + several.interceptVector.toArray()
        assert row["rawPrediction"].toArray() == pytest.approx(scores)
        assert row["prediction"] == np.argmax(scores) == several.predict(row["features"])
    with pytest.raises(DataError, match="expected a model of two classes; got 3: use coefficientMatrix"):
        _ = several.coefficients
    with pytest.raises(DataError, match="expected a vector of 60 numbers; got 3"):
        model.predict(Vectors.dense(1, 2, 3))


def test_evaluators_and_one_vs_rest_read_raw_predictions(local: SparkSession, model: HalfspaceModel) -> None:
    assert BinaryClassificationEvaluator().evaluate(model.transform(vectors(local))) > 0.8
    rows = local.createDataFrame(
        [(float(i % 3), Vectors.dense([float(i % 3 == k) + i % 7 / 9 for k in range(3)])) for i in range(200)],
        ["label", "features"],
    )
    found = OneVsRest(classifier=HalfspaceClassifier(shards=2, maxIter=3)).fit(rows).transform(rows)
    assert MulticlassClassificationEvaluator(metricName="accuracy").evaluate(found) > 0.9


def test_outputs_may_be_left_out_and_are_never_replaced(local: SparkSession, model: HalfspaceModel) -> None:
    rows = vectors(local, 20)
    found = model.transform(rows)
    assert found.columns == [*rows.columns, "prediction", "rawPrediction", "probability"]
    with pytest.raises(DataError, match='expected data without a column "prediction", which transform adds; got one'):
        model.transform(found)
    few = model.copy().setRawPredictionCol("").setProbabilityCol("")
    assert few.transform(rows).columns == [*rows.columns, "prediction"]
    assert few.setPredictionCol("").transform(rows).columns == rows.columns


def test_thresholds_divide_probabilities(local: SparkSession, model: HalfspaceModel) -> None:
    cautious = model.copy().setThresholds([0.2, 0.8])
    for row in cautious.transform(vectors(local, 100)).collect():
        assert row["prediction"] == float(row["probability"][1] / 0.8 > row["probability"][0] / 0.2)
    with pytest.raises(DataError, match="expected thresholds of a calibrated model, one for each of 2 classes; got 3"):
        model.copy().setThresholds([1.0, 1.0, 1.0]).transform(vectors(local, 10))


def test_labels_keep_their_type(local: SparkSession) -> None:
    rows = table(local, 200).withColumn("label", F.col("id") % 3 == 0)
    for kind, given, found in (
        ("int", "int", "double"),
        ("double", "double", "double"),
        ("string", "string", "string"),
        ("boolean", "boolean", "boolean"),
        ("digits", "int", "string"),
    ):
        labels = rows.withColumn("label", F.col("label").cast(given).cast("string" if kind == "digits" else given))
        predicted = of_table().fit(labels).transform(labels)
        assert dict(predicted.dtypes)["prediction"] == found
        assert predicted.where("prediction = label").count() > 100


def test_weights_count_as_repeated_rows_and_zero_as_none(local: SparkSession) -> None:
    rows = vectors(local, 200).withColumn("w.w", F.col("id") % 3)
    found = of_vectors(weightCol="w.w").fit(rows)
    present = of_vectors(weightCol="w.w").fit(rows.where("`w.w` > 0"))
    assert found.modelText == present.modelText != of_vectors(weightCol="").fit(rows).modelText
    ones = vectors(local, 200).withColumn("w", F.lit(1.0))
    assert of_vectors(weightCol="w").fit(ones).coefficients == of_vectors().fit(ones).coefficients
    for bad, said in (("null", "null"), ("-1D", "-1")):
        weights = ones.withColumn("w", F.expr(f"if(id = 7, {bad}, w)"))
        with pytest.raises(DataError, match=rf'id 7, column "w": expected a weight in \[0, 2⁵³\); got {said}'):
            of_vectors(weightCol="w").fit(weights)


def test_other_columns_and_names_with_dots_pass_through(local: SparkSession) -> None:
    rows = table(local, 200).withColumns({"wait": F.expr("interval 3 days"), "map": F.expr("map('a', id)")})
    expected = of_table().fit(rows)
    dotted = rows.withColumnsRenamed({"size": "a.size", "id": "the.id", "label": "la.bel"})
    classifier = of_table(labelCol="la.bel", predictionCol="p.q").setInputCols(["a.size", "kind", "open"])
    model = classifier.setIdCol("the.id").fit(dotted)
    found = model.transform(dotted).orderBy("`the.id`").collect()
    assert [tuple(row) for row in found] == [tuple(row) for row in expected.transform(rows).orderBy("id").collect()]


def test_vectors_have_one_size(local: SparkSession, model: HalfspaceModel) -> None:
    rows = vectors(local, 100)
    for size, vector in ((61, SparseVector(61, [1], [1.0])), (2, Vectors.dense(1.0, 2.0))):
        bad = local.createDataFrame([(4711, vector, 1.0)], ["id", "features", "label"])
        sentence = f'id 4711, column "features": expected a vector of 60 numbers; got one of {size}'
        for shards in (1, 4):
            with pytest.raises(DataError, match=r"shard \d, .*expected a vector of \d+ numbers; got one of \d+"):
                of_vectors().setShards(shards).fit(rows.union(bad))
        with pytest.raises(Exception, match=sentence):
            model.transform(bad).collect()
    null = rows.union(local.createDataFrame([(4711, None, 1.0)], rows.schema))
    with pytest.raises(DataError, match=r'id 4711, column "features": expected a vector; got none'):
        of_vectors().fit(null)


def test_options_are_refused_before_rows_are_read(local: SparkSession) -> None:
    for options, sentence in (
        ({"ruleOptions": "{a}"}, 'expected ruleOptions to be a JSON object, such as {"C": 1}; got {a}'),
        ({"ruleOptions": "3"}, "expected ruleOptions to be a JSON object"),
        ({"ruleOptions": '{"aggressiveness": -1}', "rule": "passive-aggressive"}, "aggressiveness"),
        ({"mixing": "median"}, "mixing"),
    ):
        with pytest.raises(DataError) as caught:
            of_vectors(**options).fit(vectors(local, 10))
        assert sentence in str(caught.value) and "\n" not in str(caught.value)
    with pytest.raises(DataError, match="shards"):
        of_vectors().setShards(0).fit(vectors(local, 10))


def test_other_versions_are_told_in_a_sentence() -> None:
    class Old:
        version = "3.5.1"

    with pytest.raises(RuntimeError, match=r"^expected a session of Spark 4\.1 or later; got 3\.5\.1$"):
        check_versions(Old())  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match=r"^expected Python 3\.\d+ in the tasks, as in the driver; got 3\.9: set"):  # noqa: SIM117
        with one_python():
            raise ValueError(
                "[PYTHON_VERSION_MISMATCH] Python in worker has different version: 3.9 than that in driver"
            )


def test_models_of_the_command_predict(local: SparkSession, tmp_path: Path) -> None:
    rows = [(i % 7, "uvw"[i % 3], int(i % 7 > 3)) for i in range(60)]
    (tmp_path / "rows.csv").write_text("\n".join(["a,b,c", *(f"{a},{b},{c}" for a, b, c in rows)]))
    (tmp_path / "rows.libsvm").write_text("".join(f"{c} 1:{a + 1} 3:{'uvw'.index(b) + 1}\n" for a, b, c in rows))
    data = local.createDataFrame(rows, "a int, b string, c int")
    number = data.withColumns({"x": F.col("a") + 1, "y": F.lit(0), "z": F.ascii("b") - ord("u") + 1})
    data = VectorAssembler(inputCols=["x", "y", "z"], outputCol="features").transform(number)
    for file, rule, flags in (
        ("rows.csv", "averaged", ["--label=c"]),
        ("rows.csv", "tree", ["--label=c"]),
        ("rows.libsvm", "averaged", []),
    ):
        arguments = [*one_machine(), "train", str(tmp_path / file), *flags, f"--rule={rule}"]
        subprocess.run([*arguments, f"--model={tmp_path / 'model.json'}"], check=True, capture_output=True)
        said = subprocess.run(
            [*one_machine(), "predict", str(tmp_path / "model.json"), str(tmp_path / file)],
            check=True,
            capture_output=True,
            text=True,
        )
        model = HalfspaceModel.fromText((tmp_path / "model.json").read_text())
        model.save(str(tmp_path / f"{rule}{file}.model"))
        again = HalfspaceModel.load(str(tmp_path / f"{rule}{file}.model"))
        assert [str(int(row["prediction"])) for row in again.transform(data).collect()] == said.stdout.split()
    with pytest.raises(DataError, match=r"expected the text of a model\.json; got another text"):
        HalfspaceModel.fromText(json.dumps([1]))
