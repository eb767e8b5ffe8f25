"""Learns classifiers by iterative parameter mixing: rounds over shards, each an ordinary stage of mapInArrow."""

from __future__ import annotations

import json
from typing import Any

from pyspark import keyword_only
from pyspark.ml import Estimator
from pyspark.ml.util import DefaultParamsWritable, MLReadable
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from halfspace_spark.errors import DataError, check_versions, one_python
from halfspace_spark.model import HalfspaceModel
from halfspace_spark.params import Parameters, Reader
from halfspace_spark.sharding import in_shards, quoted
from halfspace_spark.training import Progress, add_up, packed_rows, shard_results

#: Parameters without a default that are members of a job.
_OPTIONAL = ("positive", "holdout", "patience", "calibrate")


class HalfspaceClassifier(
    Parameters, Estimator["HalfspaceModel"], MLReadable["HalfspaceClassifier"], DefaultParamsWritable
):
    """A linear classifier learned in shards.

    The features are the vectors of ``featuresCol``, or the columns of ``inputCols``: numbers, booleans, dates, and
    texts as categories. The number of shards is part of the model: the same rows, parameters and shards give the same
    bits on any number of executors and partitions.
    """

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
        thresholds: list[float] | None = None,
        idCol: str | None = None,
        weightCol: str | None = None,
        rule: str = "averaged",
        ruleOptions: str = "{}",
        shards: int = 8,
        maxIter: int = 10,
        tol: float = 0.01,
        mixing: str = "uniform",
        positive: str | None = None,
        holdout: float | None = None,
        patience: int | None = None,
        calibrate: str | None = None,
        seed: int = 1,
    ) -> None:
        super().__init__()
        self.progress: Progress | None = None
        self.setParams(**self._input_kwargs)

    def setParams(self, **values: Any) -> HalfspaceClassifier:
        """Sets parameters by their names. None leaves one as it is."""
        self._set(**{name: value for name, value in values.items() if value is not None})
        return self

    def _fit(self, dataset: DataFrame) -> HalfspaceModel:
        check_versions(dataset.sparkSession)
        job = {
            **self.jobOf(dataset.schema),
            "rule": {"name": self.getOrDefault("rule"), **self._options()},
            "shards": self.getOrDefault("shards"),
            "passes": self.getMaxIter(),
            "mixing": self.getOrDefault("mixing"),
            "seed": self.getSeed(),
            **{name: self.getOrDefault(name) for name in _OPTIONAL if self.isDefined(name)},
        }
        # One shard gives the model of one machine, which has no such end.
        if self.getTol() > 0 and (job["shards"] > 1 or self.isSet("tol")):
            job["tolerance"] = self.getTol()
        id_column = self.optional("idCol")
        packed: list[DataFrame] = []

        def work(state: bytes | None) -> list[bytes]:
            if not packed:
                weights = [job["weight"]] if "weight" in job else []
                columns = [self.getLabelCol(), *weights, *self.columns()]
                # A row of weight 0 is as absent. A missing weight is refused with its row.
                rows = dataset.where(F.expr(f"not {quoted(weights[0])} <=> 0")) if weights else dataset
                packed.append(packed_rows(job, in_shards(rows, columns, job["shards"], job["seed"], id_column)))
                packed[0].persist()
            return shard_results(job, packed[0], id_column or "row", state)

        try:
            with one_python():
                model = HalfspaceModel(job, add_up(job, work, self.progress))
        finally:
            for frame in packed:
                frame.unpersist()
        return self._copyValues(model._resetUid(self.uid))

    def _options(self) -> dict[str, Any]:
        text = self.getOrDefault("ruleOptions")
        try:
            return dict(json.loads(text))
        except (TypeError, ValueError):
            raise DataError(f'expected ruleOptions to be a JSON object, such as {{"C": 1}}; got {text}') from None

    @classmethod
    def read(cls) -> Reader[HalfspaceClassifier]:
        return Reader(cls)
