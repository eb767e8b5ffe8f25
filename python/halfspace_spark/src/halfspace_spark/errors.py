"""Errors that users meet."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession


class DataError(ValueError):
    """Rows or options that halfspace refuses. The message has its sentence, the place and the id of the row."""


def check_versions(spark: SparkSession) -> None:
    """Raises RuntimeError for a session of a Spark that is too old, such as a server of Spark Connect."""
    if tuple(map(int, spark.version.split(".")[:2])) < (4, 1):
        raise RuntimeError(f"expected a session of Spark 4.1 or later; got {spark.version}")


@contextmanager
def one_python() -> Iterator[None]:
    """Raises RuntimeError, with one sentence, if the tasks run another Python than the driver."""
    try:
        yield
    except Exception as error:
        if "PYTHON_VERSION_MISMATCH" not in str(error):
            raise
        found = re.search(r"different version: (\S+) than", str(error))
        own = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise RuntimeError(
            f"expected Python {own} in the tasks, as in the driver; got {found[1] if found else 'another'}:"
            f" set PYSPARK_PYTHON (now {os.environ.get('PYSPARK_PYTHON', 'not set')}) before the session starts"
        ) from None
