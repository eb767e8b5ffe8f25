"""The same steps under Ray: an engine carries bytes, and nothing else.

Install ``ray``. Rows come as one Arrow table for each shard, in the order in which they are learned.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import ray

from halfspace_spark.blocks import block_of, slices
from halfspace_spark.errors import DataError
from halfspace_spark.process import FINAL_STATUSES, CommandError
from halfspace_spark.training import add_up, step


@ray.remote
def _work(job: dict[str, Any], state: bytes | None, shard: int, table: pa.Table) -> tuple[bytes | None, str | None]:
    """Returns the result of a shard, or the sentence of the row that was refused."""
    try:
        return step(job, state, shard, (block_of(rows) for batch in table.to_batches() for rows in slices(batch))), None
    except CommandError as error:
        if error.status not in FINAL_STATUSES:
            raise
        return None, str(error)


def train(job: dict[str, Any], shards: list[pa.Table]) -> str:
    """Learns from the tables of all shards. Returns the text of model.json.

    ``job`` is described in docs/distributed.md. Its number of shards is that of the tables. Raises DataError for rows
    that halfspace refuses.
    """
    job = {"format": "halfspace-job", "version": 1, **job, "shards": len(shards)}
    tables = [ray.put(table) for table in shards]

    def work(state: bytes | None) -> list[bytes]:
        kept = ray.put(state)
        found = ray.get([_work.remote(job, kept, shard, table) for shard, table in enumerate(tables)])
        faults = sorted(fault for _, fault in found if fault is not None)
        if faults:
            raise DataError(faults[0])
        return [result for result, _ in found if result is not None]

    return add_up(job, work)
