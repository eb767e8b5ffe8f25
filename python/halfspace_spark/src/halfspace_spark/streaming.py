"""Learns from the micro-batches of Structured Streaming, each exactly once."""

from __future__ import annotations

import datetime
import decimal
import json
import logging
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame

from halfspace_spark import process
from halfspace_spark.errors import DataError
from halfspace_spark.sharding import ROW_ID, SHARD, in_shards, shown

log = logging.getLogger("halfspace_spark")


class HalfspaceStream:
    """An online learner for ``DataStreamWriter.foreachBatch``.

    ``folder`` holds the state on the file system of the driver. The file of a state names the last batch that it has
    learned, and replaces the one before in one rename. So a batch that Spark hands over again after a crash is skipped,
    and none is learned twice or left out. Within a batch, rows are learned in the order of a hash of their id
    (``idCol``), or of their contents.

    ``options`` are those of ``halfspace learn`` by name: rule, positive, scale, drift and others. The first batch
    decides them.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        labelCol: str,
        inputCols: list[str],
        idCol: str | None = None,
        **options: Any,
    ) -> None:
        self.folder = Path(folder)
        self.labelCol = labelCol
        self.inputCols = list(inputCols)
        self.idCol = idCol
        self.options = options

    def __call__(self, batch: DataFrame, batch_id: int) -> None:
        """Learns a batch. Raises DataError for rows that halfspace refuses; the state then stays as it was."""
        self.folder.mkdir(parents=True, exist_ok=True)
        last = self._last()
        if last is not None and batch_id == last[0]:
            log.info("batch %s was learned before the restart: skipped", batch_id)
            return
        if last is not None and batch_id != last[0] + 1:
            raise ValueError(
                f"expected batch {last[0] + 1}, or {last[0]} again, by the state in {self.folder}; got batch"
                f" {batch_id}: the checkpoint of the stream and this folder belong to different runs"
            )
        rows = in_shards(batch, [self.labelCol, *self.inputCols], 1, 0, self.idCol).drop(SHARD)
        arguments = ["--format", "ndjson", "--label", self.labelCol, *self._flags()]
        task = partial(_learn, arguments, last[1].read_bytes() if last is not None else None, self.idCol is not None)
        results = rows.mapInArrow(task, "state binary, fault string").collect()
        if len(results) == 0:
            result_state = last[1].read_bytes() if last is not None else b""
        elif results[0]["fault"] is not None:
            raise DataError(f"batch {batch_id}: {results[0]['fault']}")
        else:
            result_state = bytes(results[0]["state"])
        self._save(batch_id, result_state)

    @property
    def batch_id(self) -> int | None:
        """The last batch that was learned; None before the first."""
        last = self._last()
        return None if last is None else last[0]

    def model_text(self) -> str:
        """Returns the text of model.json: the model of all rows so far. Any halfspace reads it."""
        last = self._last()
        if last is None or last[1].stat().st_size == 0:
            raise ValueError(f"expected a state in {self.folder}; got none: no row was learned yet")
        with tempfile.TemporaryDirectory(prefix="halfspace-") as folder:
            path = Path(folder) / "model.json"
            process.call(["learn", str(last[1]), "--model", str(path)])
            return path.read_text()

    def _flags(self) -> Iterator[str]:
        for name, value in self.options.items():
            flag = "--" + re.sub("[A-Z]", lambda letter: "-" + letter[0].lower(), name)
            if value is True:
                yield flag
            elif value is not None and value is not False:
                yield from (flag, str(value))

    def _last(self) -> tuple[int, Path] | None:
        found = [(int(path.stem), path) for path in self.folder.glob("*.state") if path.stem.isdigit()]
        return max(found, default=None)

    def _save(self, batch_id: int, state: bytes) -> None:
        before = list(self.folder.glob("*.state"))
        path = self.folder / f"{batch_id:020d}.state"
        partial_path = path.with_suffix(".partial")
        with open(partial_path, "wb") as file:
            file.write(state)
            file.flush()
            os.fsync(file.fileno())
        partial_path.rename(path)
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
        for older in before:
            older.unlink()


def _learn(
    arguments: list[str], state: bytes | None, named: bool, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Runs in one task. Yields the state after the rows, or the fault of a row."""
    ids: list[str] = []

    def lines() -> Iterator[bytes]:
        for batch in batches:
            if named:
                ids.extend(batch.column(ROW_ID).to_pylist())
            for row in shown(batch.drop_columns([ROW_ID])).to_pylist():
                yield json.dumps(row, default=_plain, allow_nan=True).encode() + b"\n"

    rows = lines()
    first = next(rows, None)
    if first is None:
        return
    with tempfile.TemporaryDirectory(prefix="halfspace-") as folder:
        path = Path(folder) / "learner.state"
        if state:
            path.write_bytes(state)
        again = ["--skip", "0"] if state else []
        all_rows = (line for part in ([first], rows) for line in part)
        try:
            process.call(
                ["learn", str(path), "-", "--model", str(Path(folder) / "model.json"), *arguments, *again], all_rows
            )
        except process.CommandError as error:
            if error.status not in process.FINAL_STATUSES:
                raise
            place = re.search(r"\brow (\d+)", str(error)) if named else None
            number = int(place[1]) - 1 if place else len(ids)
            told = f"{error} (id {ids[number]})" if number < len(ids) else str(error)
            yield pa.record_batch({"state": pa.nulls(1, pa.binary()), "fault": pa.array([told])})
            return
        yield pa.record_batch({"state": pa.array([path.read_bytes()], pa.binary()), "fault": pa.nulls(1, pa.string())})


def _plain(value: Any) -> Any:
    """Returns a value that JSON lacks as text."""
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return str(value)
    raise TypeError(f"expected columns of numbers, texts, booleans and dates; got {type(value).__name__}")
