"""Learns halfspace classifiers on Apache Spark."""

import pyspark

if tuple(map(int, pyspark.__version__.split(".")[:2])) < (4, 1):
    raise ImportError(f"expected PySpark 4.1 or later; got {pyspark.__version__}")

from halfspace_spark.classifier import HalfspaceClassifier
from halfspace_spark.errors import DataError
from halfspace_spark.model import HalfspaceModel
from halfspace_spark.streaming import HalfspaceStream

__all__ = ["DataError", "HalfspaceClassifier", "HalfspaceModel", "HalfspaceStream"]
