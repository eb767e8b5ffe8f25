"""The parameters of classifier and model, with a getter and a setter for each."""

from __future__ import annotations

import json
from typing import Any, ClassVar, Generic, TypeVar, cast

from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.param.shared import (
    HasFeaturesCol,
    HasInputCols,
    HasLabelCol,
    HasMaxIter,
    HasPredictionCol,
    HasProbabilityCol,
    HasRawPredictionCol,
    HasSeed,
    HasThresholds,
    HasTol,
    HasWeightCol,
)
from pyspark.ml.util import DefaultParamsReader, MLReader
from pyspark.sql import types as T

from halfspace_spark.errors import DataError
from halfspace_spark.sharding import ROW_ID

#: Parameters by which a model reads rows and names what it finds.
OF_TRANSFORM = (
    *("featuresCol", "inputCols", "idCol", "predictionCol", "rawPredictionCol", "probabilityCol"),
    "thresholds",
)


def _param(name: str, doc: str, convert: Any = TypeConverters.toString) -> Param[Any]:
    return Param(Params._dummy(), name, doc, convert)


class Parameters(
    HasFeaturesCol,
    HasInputCols,
    HasLabelCol,
    HasPredictionCol,
    HasProbabilityCol,
    HasRawPredictionCol,
    HasThresholds,
    HasMaxIter,
    HasSeed,
    HasTol,
    HasWeightCol,
):
    """The parameters that classifier and model share. Each ``name`` gets ``getName`` and ``setName``."""

    tol = _param(
        "tol",
        "the training ends after a round that moved the direction of the weights by at most this; 0: never",
        TypeConverters.toFloat,
    )
    idCol = _param("idCol", "column that names the rows; default: a hash of their contents")
    rule = _param("rule", "averaged, perceptron, margin, passive-aggressive, sgd or arow")
    ruleOptions = _param("ruleOptions", "options of the rule, as JSON text")
    shards = _param("shards", "number of shards; it changes the model", TypeConverters.toInt)
    mixing = _param("mixing", "uniform or updates")
    positive = _param("positive", "the positive class; all others are the negative one")
    holdout = _param(
        "holdout",
        "share of the rows of every class to evaluate the model on, not learned from; default: none",
        TypeConverters.toFloat,
    )
    patience = _param(
        "patience",
        "rounds without fewer errors on a held-out tenth of the rows until the training ends; default: no such end",
        TypeConverters.toInt,
    )
    calibrate = _param(
        "calibrate",
        "platt or isotonic: probabilities, fitted to the scores of the rows of holdout; default: none",
    )

    #: The parameters that users may set.
    _settable: ClassVar[tuple[str, ...] | None] = None

    def __init__(self) -> None:
        super().__init__()
        self._setDefault(
            **{"featuresCol": "features", "rule": "averaged", "ruleOptions": "{}"},
            **{"shards": 8, "maxIter": 10, "mixing": "uniform", "seed": 1, "tol": 0.01},
        )

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        for name in [name for name in dir(cls) if isinstance(getattr(cls, name, None), Param)]:
            word = name[0].upper() + name[1:]
            if not hasattr(cls, f"get{word}"):
                setattr(cls, f"get{word}", _getter(name))
            if cls._settable is None or name in cls._settable:
                setattr(cls, f"set{word}", _setter(name))

    def columns(self) -> list[str]:
        """Returns the columns of features."""
        return list(self.getInputCols()) if self.isDefined("inputCols") else [self.getFeaturesCol()]

    def optional(self, name: str) -> Any:
        """Returns the value of a parameter; None if it has none."""
        return self.getOrDefault(name) if self.isDefined(name) else None

    def jobOf(self, schema: T.StructType) -> dict[str, Any]:
        """Returns the job without its rule: the columns to read, and how."""
        weights = [self.getWeightCol()] if self.optional("weightCol") else []
        for name in (self.getLabelCol(), *weights, *self.columns()):
            if name not in schema.names:
                raise DataError(f"expected a column {json.dumps(name)}; got {', '.join(schema.names)}")
        job: dict[str, Any] = {"format": "halfspace-job", "version": 1, "label": self.getLabelCol(), "id": ROW_ID}
        if weights:
            job["weight"] = weights[0]
        if self.isDefined("inputCols"):
            return {**job, "columns": {name: {"kind": _kind(schema[name])} for name in self.getInputCols()}}
        return {**job, "vector": self.getFeaturesCol()}


def _getter(name: str) -> Any:
    def get(self: Params) -> Any:
        return self.getOrDefault(name)

    get.__doc__ = f"Returns the value of {name}, or its default."
    return get


def _setter(name: str) -> Any:
    def set_to(self: Params, value: Any) -> Params:
        return self._set(**{name: value})

    set_to.__doc__ = f"Sets {name}, and returns this object."
    return set_to


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


Kept = TypeVar("Kept", bound=Parameters)


class Reader(MLReader[Any], Generic[Kept]):
    """Reads what a class saved. A subclass reads more than parameters."""

    def __init__(self, kind: type[Kept]) -> None:
        super().__init__()
        self.kind = kind

    def made(self, path: str) -> Kept:
        """Returns a new object for the saved parameters."""
        return self.kind()

    def load(self, path: str) -> Kept:
        metadata = DefaultParamsReader.loadMetadata(path, self.sparkSession)
        if metadata["class"] != f"{self.kind.__module__}.{self.kind.__name__}":
            raise DataError(f"expected a saved {self.kind.__name__} in {path}; got a {metadata['class']}")
        made = self.made(path)
        made._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(cast(Any, made), metadata)
        return made
