"""Blocks: rows of one shard as one value, so that an engine carries few large values instead of many rows."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa
from pyspark.sql import SparkSession

#: Bytes of a block, about.
BLOCK_BYTES = 1 << 20


def block_of(batch: pa.RecordBatch) -> pa.Buffer:
    """Returns rows as a whole Arrow IPC stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return sink.getvalue()


def slices(batch: pa.RecordBatch, most: int = BLOCK_BYTES) -> Iterator[pa.RecordBatch]:
    """Yields the rows of a batch in their order, in pieces of about so many bytes."""
    size = max(1, batch.num_rows * most // max(1, batch.nbytes))
    for first in range(0, batch.num_rows, size):
        yield batch.slice(first, size)


def binary(value: pa.Buffer) -> pa.Array:
    """Returns a block as an array of one value, without a copy."""
    offsets = pa.array([0, value.size], pa.int32()).buffers()[1]
    return pa.Array.from_buffers(pa.binary(), 1, [None, offsets, value])


#: Spark's setting of the largest batch that it hands to Python.
_LARGEST = "spark.sql.execution.arrow.maxBytesPerBatch"

_lock = threading.Lock()
#: By session: number of stages that read blocks, and the setting before them.
_readers: dict[SparkSession, tuple[int, str | None]] = {}


@contextmanager
def one_by_one(spark: SparkSession) -> Iterator[None]:
    """Lets stages of a session read single blocks. Spark copies them twice to gather them in batches of 64 MB."""
    with _lock:
        count, before = _readers.get(spark) or (0, spark.conf.get(_LARGEST))
        _readers[spark] = (count + 1, before)
        spark.conf.set(_LARGEST, BLOCK_BYTES)
    try:
        yield
    finally:
        with _lock:
            count, before = _readers.pop(spark)
            if count > 1:
                _readers[spark] = (count - 1, before)
            elif before is not None:
                spark.conf.set(_LARGEST, before)
