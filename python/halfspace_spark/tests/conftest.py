"""Sessions of the tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"


def session(master: str, **settings: str) -> SparkSession:
    """Returns a new classic session. Settings have _ for dots."""
    builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false")
    builder = builder.config("spark.ui.showConsoleProgress", "false").config("spark.sql.shuffle.partitions", "4")
    for name, value in settings.items():
        builder = builder.config(name.replace("_", "."), value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    return made


@pytest.fixture(scope="module")
def local() -> Iterator[SparkSession]:
    made = session("local[2]")
    yield made
    made.stop()
