"""Blocks: rows of one shard as one value, so that an engine carries few large values instead of many rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa

from halfspace_spark.sharding import SHARD

#: Bytes of a block, about.
BLOCK_BYTES = 1 << 20

#: Columns of a data frame of blocks.
SCHEMA = f"{SHARD} int, rows int, block binary"


def block_of(batch: pa.RecordBatch) -> pa.Buffer:
    """Returns rows as a whole Arrow IPC stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return sink.getvalue()


def slices(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Yields the rows of a batch in their order, in pieces of about BLOCK_BYTES."""
    size = max(1, batch.num_rows * BLOCK_BYTES // max(1, batch.nbytes))
    for first in range(0, batch.num_rows, size):
        yield batch.slice(first, size)


def pack(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Runs in one task, over the rows of one shard. Yields its blocks in the order of the rows."""
    for batch in batches:
        if batch.num_rows == 0:
            continue
        shard = pa.array([batch.column(SHARD)[0].as_py()], pa.int32())
        for rows in slices(batch.drop_columns([SHARD])):
            columns = [shard, pa.array([rows.num_rows], pa.int32()), _binary(block_of(rows))]
            yield pa.record_batch(columns, names=[SHARD, "rows", "block"])


def _binary(value: pa.Buffer) -> pa.Array:
    """Returns an array of one value, without a copy of it."""
    offsets = pa.array([0, value.size], pa.int32()).buffers()[1]
    return pa.Array.from_buffers(pa.binary(), 1, [None, offsets, value])
