"""Learns classifiers by iterative parameter mixing: rounds over shards, each an ordinary stage of mapInArrow."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator
from functools import partial, reduce
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark import keyword_only
from pyspark.ml import Estimator, Model
from pyspark.ml.linalg import VectorUDT
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.param.shared import (
    HasFeaturesCol,
    HasInputCols,
    HasLabelCol,
    HasPredictionCol,
    HasProbabilityCol,
    HasRawPredictionCol,
)
from pyspark.ml.util import (
    DefaultParamsReadable,
    DefaultParamsWritable,
    DefaultParamsWriter,
    MLReadable,
    MLReader,
    MLWritable,
    MLWriter,
)
from pyspark.sql import DataFrame
from pyspark.sql import types as T

from halfspace_spark import process
from halfspace_spark.errors import DataError
from halfspace_spark.sharding import ROW_ID, in_shards, row_id
from halfspace_spark.training import Progress, add_up, packed_rows, refusals, shard_results


class _Params(HasFeaturesCol, HasInputCols, HasLabelCol, HasPredictionCol, HasProbabilityCol, HasRawPredictionCol):
    """The parameters that classifier and model share."""

    idCol: Param[str] = Param(
        Params._dummy(),
        "idCol",
        "column that names the rows; default: a hash of their contents",
        TypeConverters.toString,
    )

    def job(self, schema: T.StructType) -> dict[str, Any]:
        """Returns the job without its rule: the columns to read, and how."""
        for name in (self.getLabelCol(), *self.columns()):
            if name not in schema.names:
                raise DataError(f"expected a column {json.dumps(name)}; got {', '.join(schema.names)}")
        job: dict[str, Any] = {"format": "halfspace-job", "version": 1, "label": self.getLabelCol(), "id": ROW_ID}
        if self.isDefined("inputCols"):
            return {**job, "columns": {name: {"kind": _kind(schema[name])} for name in self.getInputCols()}}
        return {**job, "vector": self.getFeaturesCol()}

    def columns(self) -> list[str]:
        return list(self.getInputCols()) if self.isDefined("inputCols") else [self.getFeaturesCol()]


#: Parameters without a default that are members of a job.
_OPTIONAL = ("positive", "holdout", "patience", "calibrate")


class HalfspaceClassifier(
    _Params, Estimator["HalfspaceModel"], DefaultParamsReadable["HalfspaceClassifier"], DefaultParamsWritable
):
    """A linear classifier learned in shards.

    The features are the vectors of ``featuresCol``, or the columns of ``inputCols``: numbers, booleans, dates, and
    texts as categories. The number of shards is part of the model: the same rows, parameters and shards give the same
    bits on any number of executors and partitions.
    """

    rule: Param[str] = Param(
        Params._dummy(),
        "rule",
        "averaged, perceptron, margin, passive-aggressive, sgd or arow",
        TypeConverters.toString,
    )
    ruleOptions: Param[str] = Param(
        Params._dummy(), "ruleOptions", "options of the rule, as JSON text", TypeConverters.toString
    )
    shards: Param[int] = Param(
        Params._dummy(), "shards", "number of shards; it changes the model", TypeConverters.toInt
    )
    maxIter: Param[int] = Param(Params._dummy(), "maxIter", "largest number of rounds", TypeConverters.toInt)
    mixing: Param[str] = Param(Params._dummy(), "mixing", "uniform or updates", TypeConverters.toString)
    positive: Param[str] = Param(
        Params._dummy(), "positive", "the positive class; all others are the negative one", TypeConverters.toString
    )
    holdout: Param[float] = Param(
        Params._dummy(),
        "holdout",
        "share of the rows of every class to evaluate the model on, not learned from; default: none",
        TypeConverters.toFloat,
    )
    patience: Param[int] = Param(
        Params._dummy(),
        "patience",
        "rounds without fewer errors on a held-out tenth of the rows until the training ends; default: no such end",
        TypeConverters.toInt,
    )
    calibrate: Param[str] = Param(
        Params._dummy(),
        "calibrate",
        "platt or isotonic: probabilities, fitted to the scores of the rows of holdout; default: none",
        TypeConverters.toString,
    )
    seed: Param[int] = Param(
        Params._dummy(), "seed", "seed of the order of rows within shards and of held-out rows", TypeConverters.toInt
    )

    #: What ``keyword_only`` keeps of the arguments that were given.
    _input_kwargs: dict[str, Any]

    @keyword_only
    def __init__(
        self,
        *,
        featuresCol: str = "features",
        inputCols: list[str] | None = None,
        labelCol: str = "label",
        predictionCol: str = "prediction",
        rawPredictionCol: str = "rawPrediction",
        probabilityCol: str = "probability",
        idCol: str | None = None,
        rule: str = "averaged",
        ruleOptions: str = "{}",
        shards: int = 8,
        maxIter: int = 10,
        mixing: str = "uniform",
        positive: str | None = None,
        holdout: float | None = None,
        patience: int | None = None,
        calibrate: str | None = None,
        seed: int = 1,
    ) -> None:
        super().__init__()
        self._setDefault(
            rule="averaged", ruleOptions="{}", shards=8, maxIter=10, mixing="uniform", seed=1, featuresCol="features"
        )
        self._set(**{name: value for name, value in self._input_kwargs.items() if value is not None})
        self.progress: Progress | None = None

    def _fit(self, dataset: DataFrame) -> HalfspaceModel:
        shards = self.getOrDefault("shards")
        job = {
            **self.job(dataset.schema),
            "rule": {"name": self.getOrDefault("rule"), **json.loads(self.getOrDefault("ruleOptions"))},
            "shards": shards,
            "passes": self.getOrDefault("maxIter"),
            "mixing": self.getOrDefault("mixing"),
            "seed": self.getOrDefault("seed"),
            **{name: self.getOrDefault(name) for name in _OPTIONAL if self.isDefined(name)},
        }
        id_column = self.getOrDefault("idCol") if self.isDefined("idCol") else None
        columns = [self.getLabelCol(), *self.columns()]
        packed = packed_rows(job, in_shards(dataset, columns, shards, job["seed"], id_column)).persist()
        try:
            text = add_up(job, partial(shard_results, job, packed, id_column or "row"), self.progress)
        finally:
            packed.unpersist()
        model = HalfspaceModel(job, text)
        return self._copyValues(model)


class HalfspaceModel(_Params, Model, MLReadable["HalfspaceModel"], MLWritable):
    """Predicts the class and the scores of rows. ``modelText`` is model.json, which any halfspace reads."""

    def __init__(self, job: dict[str, Any] | None = None, text: str = "") -> None:
        super().__init__()
        self._setDefault(featuresCol="features")
        self.jobOfTraining = job or {}
        self.modelText = text

    @property
    def classes(self) -> list[str]:
        """The classes, in the order of the scores."""
        return list(json.loads(self.modelText)["classes"])

    @property
    def training(self) -> dict[str, Any]:
        """The record of the training: rows, rounds (``passes``), updates, reason of the end, accuracies."""
        return dict(json.loads(self.modelText)["training"])

    @property
    def isCalibrated(self) -> bool:
        """True if predictions have probabilities."""
        return json.loads(self.modelText)["calibration"] is not None

    def _transform(self, dataset: DataFrame) -> DataFrame:
        numeric = all(_is_number(name) for name in self.classes)
        several = len(self.classes) > 2
        prediction, raw = self.getPredictionCol(), self.getRawPredictionCol()
        kind: T.DataType = T.DoubleType() if numeric else T.StringType()
        scores: T.DataType = T.ArrayType(T.DoubleType()) if several else T.DoubleType()
        id_column = self.getOrDefault("idCol") if self.isDefined("idCol") else None
        given = dataset.withColumn(ROW_ID, row_id(id_column, self.columns()))
        schema = T.StructType([*dataset.schema.fields, T.StructField(prediction, kind), T.StructField(raw, scores)])
        if self.isCalibrated:
            schema = schema.add(self.getProbabilityCol(), VectorUDT())
        names = (prediction, raw, self.getProbabilityCol(), id_column or "row")
        task = partial(_predict, self.jobOfTraining, self.modelText, self.columns(), numeric, several, names)
        return given.mapInArrow(task, schema)

    def write(self) -> _ModelWriter:
        return _ModelWriter(self)

    @classmethod
    def read(cls) -> _ModelReader:
        return _ModelReader()


class _ModelWriter(MLWriter):
    def __init__(self, model: HalfspaceModel) -> None:
        super().__init__()
        self.model = model

    def saveImpl(self, path: str) -> None:
        DefaultParamsWriter.saveMetadata(self.model, path, self.sparkSession)
        data = [(json.dumps(self.model.jobOfTraining), self.model.modelText)]
        self.sparkSession.createDataFrame(data, "job string, model string").coalesce(1).write.parquet(f"{path}/data")


class _ModelReader(MLReader["HalfspaceModel"]):
    def load(self, path: str) -> HalfspaceModel:
        from pyspark.ml.util import DefaultParamsReader

        metadata = DefaultParamsReader.loadMetadata(path, self.sparkSession)
        row = self.sparkSession.read.parquet(f"{path}/data").first()
        assert row is not None
        model = HalfspaceModel(json.loads(row["job"]), row["model"])
        model._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(model, metadata)
        return model


def _predict(
    job: dict[str, Any],
    model: str,
    columns: list[str],
    numeric: bool,
    several: bool,
    names: tuple[str, str, str, str],
    batches: Iterable[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    """Runs in one task. Yields the batches with the columns of the prediction, named by the first three names."""
    rows = (batch for batch in batches if batch.num_rows > 0)
    first = next(rows, None)
    if first is None:
        return
    with refusals(names[3]), tempfile.TemporaryDirectory(prefix="halfspace-") as name:
        folder = Path(name)
        (folder / "job.json").write_text(json.dumps(job))
        (folder / "model.json").write_text(model)
        arguments = ["worker", "--job", str(folder / "job.json"), "--model", str(folder / "model.json")]
        with process.conversation(arguments) as (pipe, answers):
            writer = pa.ipc.new_stream(pipe, first.select([*columns, ROW_ID]).schema)
            for batch in chain([first], rows):
                writer.write_batch(batch.select([*columns, ROW_ID]))
                pipe.flush()
                try:
                    found = pa.ipc.open_stream(answers).read_all()
                except pa.ArrowInvalid as error:
                    raise EOFError("the worker ended") from error
                [label, scores, *others] = [column.combine_chunks() for column in found.columns]
                prediction = label.cast(pa.float64()) if numeric else label
                raw = scores if several else scores.flatten()
                given = batch.drop_columns([ROW_ID])
                made = zip(names, [prediction, raw, *map(_vectors, others)], strict=False)
                yield reduce(lambda whole, column: whole.append_column(*column), made, given)
            writer.close()


def _vectors(lists: pa.ListArray) -> pa.StructArray:
    """Returns lists of numbers as Spark's dense vectors."""
    columns = {
        "type": pa.repeat(pa.scalar(1, pa.int8()), len(lists)),
        "size": pa.nulls(len(lists), pa.int32()),
        "indices": pa.nulls(len(lists), pa.list_(pa.int32())),
        "values": lists,
    }
    return pa.StructArray.from_arrays(list(columns.values()), names=list(columns))


def _kind(field: T.StructField) -> str:
    """Returns how a column is read."""
    if isinstance(field.dataType, T.StringType):
        return "category"
    if isinstance(field.dataType, T.BooleanType):
        return "boolean"
    if isinstance(field.dataType, T.DateType | T.TimestampType | T.TimestampNTZType):
        return "date"
    if isinstance(field.dataType, T.NumericType):
        return "number"
    raise DataError(
        "expected columns of numbers, texts, booleans and dates; got "
        f"{field.name} of type {field.dataType.simpleString()}"
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
