"""Predicts with a learned model."""

from __future__ import annotations

import base64
import json
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, Tuple  # noqa: UP035, Spark reads the hints of a function

import numpy as np
import pyarrow as pa
from pyspark.ml import Model
from pyspark.ml.linalg import DenseMatrix, DenseVector, Vector, VectorUDT
from pyspark.ml.util import DefaultParamsWriter, MLReadable, MLWritable, MLWriter
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T
from pyspark.sql.pandas.functions import arrow_udf

from halfspace_spark import process
from halfspace_spark.errors import DataError
from halfspace_spark.params import OF_TRANSFORM, Parameters, Reader
from halfspace_spark.sharding import ROW_ID, quoted, row_id
from halfspace_spark.training import refusals

_FOUND = "__halfspace_found"


class HalfspaceModel(Parameters, Model, MLReadable["HalfspaceModel"], MLWritable):
    """Predicts the class and the scores of rows. ``modelText`` is model.json, which any halfspace reads."""

    _settable = OF_TRANSFORM

    def __init__(self, job: dict[str, Any] | None = None, text: str = "") -> None:
        super().__init__()
        self.jobOfTraining = job or {}
        self.modelText = text

    @classmethod
    def fromText(cls, text: str) -> HalfspaceModel:
        """Returns the model of a model.json, such as one of the command or of a stream."""
        model = cls({}, text)
        try:
            features = model._members["features"]
        except (ValueError, KeyError, TypeError):
            raise DataError("expected the text of a model.json; got another text") from None
        if features["kind"] == "table":
            model._set(inputCols=[column["name"] for column in features["columns"]])
        elif features["kind"] != "indexed":
            raise DataError(f"expected a model of columns or of numbered features; got {features['kind']} ones")
        return model

    @property
    def _members(self) -> dict[str, Any]:
        return _parsed(self.modelText)

    @property
    def classes(self) -> list[str]:
        """The classes, in the order of the scores."""
        return list(self._members["classes"])

    @property
    def training(self) -> dict[str, Any]:
        """The record of the training: rows, rounds (``passes``), updates, reason of the end, accuracies."""
        return dict(self._members["training"])

    @property
    def isCalibrated(self) -> bool:
        """True if predictions have probabilities."""
        return self._members["calibration"] is not None

    @property
    def numClasses(self) -> int:
        return len(self.classes)

    @property
    def numFeatures(self) -> int:
        """The number of weights of a class. A column of texts has one for each category."""
        return int(self._functions[0].shape[1])

    @property
    def coefficientMatrix(self) -> DenseMatrix:
        """The weights: one row for two classes, else one for each class."""
        weights = self._functions[0]
        return DenseMatrix(weights.shape[0], weights.shape[1], weights.ravel(), True)

    @property
    def interceptVector(self) -> DenseVector:
        return DenseVector(self._functions[1])

    @property
    def coefficients(self) -> DenseVector:
        """The weights of two classes."""
        return DenseVector(self._of_two()[0][0])

    @property
    def intercept(self) -> float:
        return float(self._of_two()[1][0])

    def predictRaw(self, value: Vector) -> DenseVector:
        """Returns the scores of the classes for a vector."""
        weights, biases = self._functions
        if self.isDefined("inputCols"):
            raise DataError("expected a model of vectors; got one of the columns of inputCols: use transform")
        if len(value) != self.numFeatures:
            raise DataError(f"expected a vector of {self.numFeatures} numbers; got {len(value)}")
        scores = weights @ value.toArray() + biases
        return DenseVector([-scores[0], scores[0]] if len(scores) == 1 else scores)

    def predict(self, value: Vector) -> Any:
        """Returns the class of a vector, as ``predictionCol`` has it."""
        label = self.classes[int(np.argmax(self.predictRaw(value).toArray()))]
        return _labels(pa.array([label]), self._label_type())[0].as_py()

    @property
    def _functions(self) -> tuple[Any, Any]:
        return _functions_of(self.modelText)

    def _of_two(self) -> tuple[Any, Any]:
        if self.numClasses > 2:
            raise DataError(
                f"expected a model of two classes; got {self.numClasses}: use coefficientMatrix and interceptVector"
            )
        return self._functions

    def _job(self) -> dict[str, Any]:
        """Returns a job that reads rows as the training did."""
        if self.jobOfTraining:
            return self.jobOfTraining
        job = {"format": "halfspace-job", "version": 1, "label": "label", "id": ROW_ID, "shards": 1, "passes": 1}
        features = self._members["features"]
        columns = {each["name"]: {"kind": each["kind"]} for each in features.get("columns", [])}
        read = {"columns": columns} if columns else {"vector": self.getFeaturesCol()}
        return {**job, **read, "rule": {"name": "averaged"}}

    def _label_type(self) -> T.DataType:
        """Returns the type of the labels of the training. A text file has none, so its numbers are doubles."""
        found = self._members.get("labelType")
        if found is None and not self.jobOfTraining and all(map(_is_number, self.classes)):
            found = "number"
        types: dict[Any, T.DataType] = {"number": T.DoubleType(), "bigint": T.LongType(), "boolean": T.BooleanType()}
        return types.get(found, T.StringType())

    def _transform(self, dataset: DataFrame) -> DataFrame:
        thresholds = self.optional("thresholds")
        if thresholds is not None and not (self.isCalibrated and len(thresholds) == self.numClasses):
            raise DataError(
                f"expected thresholds of a calibrated model, one for each of {self.numClasses} classes;"
                f" got {len(thresholds)} of {'one' if self.isCalibrated else 'a model without probabilities'}"
            )
        columns = self.columns()
        for name in columns:
            if name not in dataset.columns:
                raise DataError(f"expected a column {json.dumps(name)}; got {', '.join(dataset.columns)}")
        found = {
            "prediction": (self.getPredictionCol(), self._label_type()),
            "raw": (self.getRawPredictionCol(), VectorUDT()),
            "probability": (self.getProbabilityCol() if self.isCalibrated else "", VectorUDT()),
        }
        found = {part: made for part, made in found.items() if made[0] != ""}
        for name, _ in found.values():
            if name in dataset.columns:
                raise DataError(f"expected data without a column {json.dumps(name)}, which transform adds; got one")
        if not found:
            return dataset
        kind = T.StructType([T.StructField(part, each) for part, (_, each) in found.items()])
        task = _Task(self._job(), self.modelText, columns, self._label_type(), thresholds, list(found))
        id_column = self.optional("idCol")
        task.id_name = id_column or "row"

        def run(rows: Iterator[Tuple[pa.Array, ...]]) -> Iterator[pa.Array]:  # noqa: UP006
            return task.run(rows)

        # Only the features go through Python. Spark runs a function that may change its mind just once for each row.
        predict = arrow_udf(run, kind).asNondeterministic()  # type: ignore[call-overload]
        given = [F.col(quoted(name)) for name in columns]
        whole = dataset.withColumn(_FOUND, predict(*given, row_id(id_column, columns)))
        made = [F.col(f"{_FOUND}.{part}").alias(name) for part, (name, _) in found.items()]
        return whole.select("*", *made).drop(_FOUND)

    def write(self) -> _ModelWriter:
        return _ModelWriter(self)

    @classmethod
    def read(cls) -> _ModelReader:
        return _ModelReader(cls)


class _ModelWriter(MLWriter):
    def __init__(self, model: HalfspaceModel) -> None:
        super().__init__()
        self.model = model

    def saveImpl(self, path: str) -> None:
        DefaultParamsWriter.saveMetadata(self.model, path, self.sparkSession)
        data = [(json.dumps(self.model.jobOfTraining), self.model.modelText)]
        self.sparkSession.createDataFrame(data, "job string, model string").coalesce(1).write.parquet(f"{path}/data")


class _ModelReader(Reader[HalfspaceModel]):
    def made(self, path: str) -> HalfspaceModel:
        row = self.sparkSession.read.parquet(f"{path}/data").first()
        assert row is not None
        return HalfspaceModel(json.loads(row["job"]), row["model"])


class _Task:
    """Predicts the rows of a partition."""

    id_name = "row"

    def __init__(
        self,
        job: dict[str, Any],
        model: str,
        columns: list[str],
        label_type: T.DataType,
        thresholds: list[float] | None,
        parts: list[str],
    ) -> None:
        self.job, self.model, self.columns, self.parts = job, model, columns, parts
        self.label_type, self.thresholds = label_type, thresholds

    def run(self, batches: Iterator[tuple[pa.Array, ...]]) -> Iterator[pa.Array]:
        """Yields what was found for each batch of features and ids."""
        names = [*self.columns, ROW_ID]
        rows = (pa.RecordBatch.from_arrays(list(batch), names=names) for batch in batches)
        first = next(rows, None)
        if first is None:
            return
        with refusals(self.id_name), tempfile.TemporaryDirectory(prefix="halfspace-") as name:
            folder = Path(name)
            (folder / "job.json").write_text(json.dumps(self.job))
            (folder / "model.json").write_text(self.model)
            arguments = ["worker", "--job", str(folder / "job.json"), "--model", str(folder / "model.json")]
            classes = json.loads(self.model)["classes"]
            with process.conversation(arguments) as (pipe, answers):
                writer = pa.ipc.new_stream(pipe, first.schema)
                for batch in chain([first], rows):
                    if batch.num_rows == 0:
                        yield self._found(pa.array([], pa.string()), *[pa.array([], pa.list_(pa.float64()))] * 2)
                        continue
                    writer.write_batch(batch)
                    pipe.flush()
                    try:
                        told = pa.ipc.open_stream(answers).read_all()
                    except pa.ArrowInvalid as error:
                        raise EOFError("the worker ended") from error
                    label, scores, *others = [column.combine_chunks() for column in told.columns]
                    if self.thresholds is not None:
                        label = _by_thresholds(classes, others[0], self.thresholds)
                    yield self._found(label, scores, *others)
                writer.close()

    def _found(self, label: pa.Array, scores: pa.ListArray, probabilities: pa.ListArray | None = None) -> pa.Array:
        made = {
            "prediction": lambda: _labels(label, self.label_type),
            "raw": lambda: _vectors(_of_each_class(scores)),
            "probability": lambda: _vectors(probabilities),
        }
        return pa.StructArray.from_arrays([made[part]() for part in self.parts], names=self.parts)


@lru_cache(2)
def _parsed(text: str) -> dict[str, Any]:
    return dict(json.loads(text))


@lru_cache(2)
def _functions_of(text: str) -> tuple[Any, Any]:
    """Returns the weights and the biases of all functions of a model."""
    found = _parsed(text)
    if found["kind"] not in ("linear", "multiclass"):
        raise DataError(f"expected a linear model; got one of the rule {found['rule']}")
    several = found["kind"] == "multiclass"
    weights = np.array([_numbers(each) for each in (found["weights"] if several else [found["weights"]])])
    biases = np.array(found["biases"] if several else [found["bias"]])
    return weights[:, found["features"].get("firstIndex", 0) :] / found["divisor"], biases * found["biasConstant"]


def _labels(texts: pa.Array, kind: T.DataType) -> pa.Array:
    """Returns classes as the labels of the training were."""
    types: dict[T.DataType, Any] = {T.DoubleType(): pa.float64(), T.LongType(): pa.int64(), T.BooleanType(): pa.bool_()}
    return texts.cast(types.get(kind, pa.string()))


def _of_each_class(scores: pa.ListArray) -> pa.ListArray:
    """Returns lists of one score for each class. Of two classes, halfspace has that of the positive one."""
    values = scores.flatten().to_numpy(zero_copy_only=False)
    if len(values) != len(scores):
        return scores
    return pa.ListArray.from_arrays(
        pa.array(np.arange(0, 2 * len(values) + 1, 2), pa.int32()), np.stack([-values, values], 1).ravel()
    )


def _by_thresholds(classes: list[str], probabilities: pa.ListArray, thresholds: list[float]) -> pa.Array:
    """Returns the classes with the largest ratio of probability and threshold, as Spark does."""
    values = probabilities.flatten().to_numpy(zero_copy_only=False).reshape(-1, len(classes))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.nan_to_num(values / np.array(thresholds), nan=-1, posinf=np.inf)
    return pa.array(classes).take(pa.array(np.argmax(ratios, 1)))


def _vectors(lists: pa.ListArray) -> pa.StructArray:
    """Returns lists of numbers as Spark's dense vectors."""
    columns = {
        "type": pa.repeat(pa.scalar(1, pa.int8()), len(lists)),
        "size": pa.nulls(len(lists), pa.int32()),
        "indices": pa.nulls(len(lists), pa.list_(pa.int32())),
        "values": lists,
    }
    return pa.StructArray.from_arrays(list(columns.values()), names=list(columns))


def _numbers(weights: Any) -> Any:
    """Returns the weights of a model file, which are a list of numbers or base64 of doubles."""
    if isinstance(weights, list):
        return np.array(weights)
    values = np.frombuffer(base64.b64decode(weights["float64"]), "<f8")
    if "positions" not in weights:
        return values
    dense = np.zeros(weights["length"])
    dense[np.frombuffer(base64.b64decode(weights["positions"]), "<u4")] = values
    return dense


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
