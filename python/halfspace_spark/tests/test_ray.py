"""The same job under Ray gives the bits that it has on Spark."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from test_classifier import of_table, table

from halfspace_spark import DataError
from halfspace_spark.sharding import ROW_ID, SHARD, in_shards

ray = pytest.importorskip("ray")


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR")
    yield
    ray.shutdown()


def test_the_engine_is_a_detail(local: SparkSession, cluster: None) -> None:
    from halfspace_spark import on_ray

    model = of_table(holdout=0.1, patience=1).fit(table(local))
    columns = ["label", "size", "kind", "open"]
    rows = in_shards(table(local), columns, 5, 1, "id").toArrow()
    shards = [rows.filter(pa.compute.equal(rows[SHARD], k)).drop_columns([SHARD]) for k in range(5)]
    assert on_ray.train(model.jobOfTraining, shards) == model.modelText
    bad = pa.table({**{name: shards[0][name].slice(0, 1) for name in shards[0].column_names}, "size": [float("inf")]})
    with pytest.raises(DataError, match=rf"shard 1, {ROW_ID} \d+, column \"size\": expected"):
        on_ray.train(model.jobOfTraining, [shards[0], bad])
