"""Micro-batches: each is learned once, whatever order and partitions its rows have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from halfspace_spark import DataError, HalfspaceStream

SCHEMA = "id int, x double, word string, label double"


def rows(first: int, count: int) -> list[tuple[int, float, str, float]]:
    return [(i, float(i * 7 % 11), f"w{i % 3}", float(i * 7 % 11 > 5)) for i in range(first, first + count)]


def state(stream: HalfspaceStream) -> bytes:
    [path] = stream.folder.glob("*.state")
    return path.read_bytes()


def stream_in(folder: Path, **options: object) -> HalfspaceStream:
    return HalfspaceStream(folder, labelCol="label", inputCols=["x", "word"], idCol="id", **options)


def test_batches_are_learned_once_in_an_order_of_their_own(local: SparkSession, tmp_path: Path) -> None:
    first, second = (local.createDataFrame(rows(start, 60), SCHEMA) for start in (0, 60))
    plain = stream_in(tmp_path / "plain", rule="passive-aggressive")
    plain(first, 0)
    plain(second, 1)
    again = stream_in(tmp_path / "again", rule="passive-aggressive")
    again(first.orderBy("x").repartition(3), 0)
    again(first, 0)  # as after a crash before Spark noted the batch
    again = stream_in(tmp_path / "again", rule="passive-aggressive")  # as after a restart
    again(second.repartition(2), 1)
    again(second, 1)
    assert state(again) == state(plain)
    assert again.batch_id == 1
    assert json.loads(state(again))["rows"] == 120
    with pytest.raises(ValueError, match=r"expected batch 2, or 1 again, .* got batch 4"):
        again(second, 4)
    assert json.loads(again.model_text())["rule"] == "passive-aggressive"


def test_a_bad_row_leaves_the_state_and_names_its_id(local: SparkSession, tmp_path: Path) -> None:
    stream = stream_in(tmp_path, columns=None)
    stream(local.createDataFrame(rows(0, 20), SCHEMA), 0)
    before = state(stream)
    bad = local.createDataFrame([*rows(20, 5), (777, 1e80, "w1", 1.0)], SCHEMA)
    with pytest.raises(DataError, match=r"batch 1: .*1e\+80.*\(id 777\)"):
        stream(bad, 1)
    assert state(stream) == before
    stream(local.createDataFrame([], SCHEMA), 1)
    assert stream.batch_id == 1


def test_a_query_goes_on_after_a_stop(local: SparkSession, tmp_path: Path) -> None:
    source, checkpoint = tmp_path / "source", str(tmp_path / "checkpoint")
    source.mkdir()

    def run() -> None:
        frame = local.readStream.schema(SCHEMA).json(str(source))
        sink = frame.writeStream.foreachBatch(stream).option("checkpointLocation", checkpoint)
        sink.trigger(availableNow=True).start().awaitTermination()

    stream = stream_in(tmp_path / "folder")
    for batch in range(2):
        lines = [json.dumps(dict(zip(("id", "x", "word", "label"), row, strict=True))) for row in rows(batch * 30, 30)]
        (source / f"{batch}.json").write_text("\n".join(lines))
        run()
        stream = stream_in(tmp_path / "folder")
    assert json.loads(state(stream))["rows"] == 60
