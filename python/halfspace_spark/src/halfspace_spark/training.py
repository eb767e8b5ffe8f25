"""Trains by steps: a task for each shard does its step, the driver mixes the results."""

from __future__ import annotations

import json
import logging
import struct
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame

from halfspace_spark.blocks import binary, block_of, one_by_one, slices
from halfspace_spark.errors import DataError
from halfspace_spark.process import FINAL_STATUSES, CommandError
from halfspace_spark.requests import Requests, kept
from halfspace_spark.sharding import ROW_ID, SHARD, shown

log = logging.getLogger("halfspace_spark")

#: Called after every round with the line of ``halfspace mix``: rounds, updates, what comes next.
Progress = Callable[[dict[str, Any]], None]

#: The columns of a shard's result, or of the sentence that refuses one of its rows.
RESULTS = "shard int, result binary, fault string"

#: The columns of packed rows: blocks with their number of rows; and once for each shard, the result of the first step.
PACKED = f"rows int, block binary, {RESULTS}"


def packed_rows(job: dict[str, Any], sharded: DataFrame) -> DataFrame:
    """Returns the rows of all shards in blocks, and the results of the first step on them: one pass does both."""
    return sharded.mapInArrow(partial(_pack, job), PACKED)


def shard_results(job: dict[str, Any], packed: DataFrame, id_name: str, state: bytes | None) -> list[bytes]:
    """Lets a task for each shard do the next step of a state on packed rows. Returns the results of all shards."""
    if state is None:
        found = packed.where("rows is null").select("shard", "result", "fault").collect()
    else:
        blocks = packed.where("rows is not null").select("shard", "block")
        with one_by_one(packed.sparkSession):
            found = blocks.mapInArrow(partial(_work, job, _compressed(state)), RESULTS).collect()
    faults = sorted(row["fault"] for row in found if row["fault"] is not None)
    if faults:
        raise DataError(faults[0].replace(ROW_ID, id_name))
    results = {row["shard"]: _plain(row["result"]) for row in found}
    for shard in range(job["shards"]):
        if shard not in results:  # a shard without rows
            results[shard] = step(job, state, shard, [])
    return [results[shard] for shard in sorted(results)]


def add_up(job: dict[str, Any], work: Callable[[bytes | None], list[bytes]], progress: Progress | None = None) -> str:
    """Runs steps until the state says that nothing is left to do. Returns the text of the model.

    ``work`` lets the workers of all shards do the next step of a state, and returns their results in any order.
    """
    state: bytes | None = None
    told: dict[str, Any] = {"next": "fit"}
    with Requests() as mixer, refusals():
        mixer.ask({"task": "check", "job": job}, None, [])
        while told["next"] is not None:
            answer, state = mixer.ask({"task": "mix", "job": job}, state, work(state))
            told = answer["progress"]
            log.info("halfspace: %s", json.dumps(told))
            if progress is not None:
                progress(told)
        return mixer.ask({"task": "model", "job": job}, state, [])[1].decode()


@contextmanager
def refusals(id_name: str = ROW_ID) -> Iterator[None]:
    """Raises DataError for what halfspace refuses. ``id_name`` is the name of a row's id in messages."""
    try:
        yield
    except CommandError as error:
        if error.status not in FINAL_STATUSES:
            raise
        raise DataError(str(error).replace(ROW_ID, id_name)) from None


def step(job: dict[str, Any], state: bytes | None, shard: int, blocks: Iterable[bytes | pa.Buffer]) -> bytes:
    """Does the next step of a state on the blocks of a shard. Returns its result."""
    return kept().ask(_head(job, shard), state, blocks)[1]


def _head(job: dict[str, Any], shard: int) -> dict[str, Any]:
    return {"task": "work", "job": job, "shard": shard}


def _pack(job: dict[str, Any], batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Runs in one task, over the rows of one shard. Yields its blocks in the order of the rows, then its result."""
    shard, given = _shard_of(SHARD, batches)
    if shard is None:
        return
    try:
        with kept().request(_head(job, shard), None) as request:
            for rows in (rows for batch in given for rows in slices(shown(batch.drop_columns([SHARD])))):
                block = block_of(rows)
                request.write(block)
                yield _row(_PACKED, shard, rows=pa.array([rows.num_rows], pa.int32()), block=binary(block))
            result = request.answer()[1]
    except CommandError as error:
        yield _row(_PACKED, shard, fault=_fault(shard, error))
    else:
        yield _row(_PACKED, shard, result=pa.array([_compressed(result)]))


def _work(job: dict[str, Any], state: bytes, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Runs in one task, over the blocks of one shard. Yields its result, or the sentence of the refused row."""
    shard, given = _shard_of("shard", batches)
    if shard is None:
        return
    blocks = (block.as_buffer() for batch in given for block in batch.column("block"))
    try:
        result = step(job, _plain(state), shard, blocks)
    except CommandError as error:
        yield _row(_RESULTS, shard, fault=_fault(shard, error))
    else:
        yield _row(_RESULTS, shard, result=pa.array([_compressed(result)]))


def _compressed(text: bytes) -> bytes:
    """Returns a state or a result for Spark, which holds several copies. Most weights of many features are 0."""
    compressed: bytes = pa.compress(text, codec="zstd", asbytes=True)
    return struct.pack("<Q", len(text)) + compressed


def _plain(compressed: bytes) -> bytes:
    [length] = struct.unpack_from("<Q", compressed)
    text: bytes = pa.decompress(memoryview(compressed)[8:], length, codec="zstd", asbytes=True)
    return text


def _shard_of(name: str, batches: Iterable[pa.RecordBatch]) -> tuple[int | None, Iterable[pa.RecordBatch]]:
    """Returns the shard that a column tells, None without rows, and the batches that have rows."""
    some = (batch for batch in batches if batch.num_rows > 0)
    first = next(some, None)
    if first is None:
        return None, []
    return first.column(name)[0].as_py(), chain([first], some)


def _fault(shard: int, error: CommandError) -> pa.Array:
    """Returns the sentence of a refusal. Raises RuntimeError for a failure that another try may not have."""
    if error.status not in FINAL_STATUSES:
        raise RuntimeError(f"shard {shard}: {error}") from error
    return pa.array([str(error)])


_RESULTS = pa.schema([("shard", pa.int32()), ("result", pa.binary()), ("fault", pa.string())])
_PACKED = pa.schema([("rows", pa.int32()), ("block", pa.binary()), *_RESULTS])


def _row(schema: pa.Schema, shard: int, **cells: pa.Array) -> pa.RecordBatch:
    """Returns a row of a shard. Columns without a cell are null."""
    cells["shard"] = pa.array([shard], pa.int32())
    return pa.record_batch([cells.get(field.name, pa.nulls(1, field.type)) for field in schema], schema=schema)
