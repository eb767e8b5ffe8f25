"""Splits the rows of a data frame into shards. The same rows give the same shards in the same order on any cluster."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

#: Columns that sharding adds. Names of data that begin like them are refused.
ROW_ID = "__halfspace_id"
SHARD = "__halfspace_shard"
ORDER = ["__halfspace_order", "__halfspace_content", "__halfspace_content2"]


def in_shards(data: DataFrame, columns: Sequence[str], shards: int, seed: int, id_column: str | None) -> DataFrame:
    """Returns the columns and ROW_ID, one partition for each shard, in the order in which a worker learns them.

    The shard of a row is the hash of its id, modulo ``shards``. The order within a shard is that of another hash, which
    takes the seed. Rows with equal ids follow the hash of their contents; rows with equal contents are the same to
    a learner. Without an id column, a hash of the contents is the id.
    """
    for name in data.columns:
        if name.startswith("__halfspace_"):
            raise ValueError(f"expected names of columns that do not begin with __halfspace_; got {name}")
    content = [F.col(quoted(name)) for name in sorted({*columns, *([id_column] if id_column else [])})]
    key: list[Column] = [F.col(quoted(id_column))] if id_column else content
    order = [
        F.xxhash64(F.lit(seed).cast("long"), *key),
        F.xxhash64(*content),
        F.xxhash64(F.lit(-1).cast("long"), *content),
    ]
    return (
        data.select(
            *[F.col(quoted(name)).alias(name.translate(_HIDDEN)) for name in columns],
            row_id(id_column, columns).alias(ROW_ID),
            F.pmod(F.xxhash64(*key), F.lit(shards)).cast("int").alias(SHARD),
            *[column.alias(name) for column, name in zip(order, ORDER, strict=True)],
        )
        .repartitionById(shards, SHARD)
        .sortWithinPartitions(*ORDER)
        .drop(*ORDER)
    )


def row_id(id_column: str | None, columns: Sequence[str]) -> Column:
    """Returns the text that names a row in messages: its id, or else a hash of these columns in alphabetical order."""
    if id_column is not None:
        return F.col(quoted(id_column)).cast("string")
    return F.hex(F.xxhash64(*[F.col(quoted(name)) for name in sorted(columns)]))


#: Characters that mapInArrow does not allow in the names of columns, and others for them.
_HIDDEN = {ord("."): "\x1e", ord("`"): "\x1f"}
_SHOWN = {ord(other): chr(plain) for plain, other in _HIDDEN.items()}


def shown(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Returns rows of ``in_shards`` with the names of columns that the data have."""
    return batch.rename_columns([name.translate(_SHOWN) for name in batch.schema.names])


def quoted(name: str) -> str:
    """Returns a name of a column that may contain dots."""
    return "`" + name.replace("`", "``") + "`"
