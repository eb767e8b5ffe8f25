"""Learns halfspace classifiers on Apache Spark."""

from halfspace_spark.classifier import HalfspaceClassifier, HalfspaceModel
from halfspace_spark.errors import DataError
from halfspace_spark.streaming import HalfspaceStream

__all__ = ["DataError", "HalfspaceClassifier", "HalfspaceModel", "HalfspaceStream"]
