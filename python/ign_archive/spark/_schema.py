"""Arrow types as those of Spark, which has no unsigned numbers and no dictionaries, and by default no times.

| Arrow | Spark | |
| --- | --- | --- |
| uint8, uint16 | smallint, int | the next larger signed type |
| uint64 | bigint | the same 64 bits: a board with a piece on h8 is negative |
| int8, int16, int32, float32, bool, date32 | tinyint, smallint, int, float, boolean, date | the same |
| time32 in milliseconds | int | the milliseconds since midnight |
| text, dictionary of text | string | the same text |
| list, struct | array, struct | of these types |
"""

from __future__ import annotations

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.types as of  # type: ignore[import-untyped]
from pyspark.sql import types as sql


def spark_schema(schema: pa.Schema) -> sql.StructType:
    """The schema of Spark for one of Arrow."""
    fields = [sql.StructField(field.name, _spark_type(field.type), field.nullable) for field in schema]
    return sql.StructType(fields)


def _spark_type(arrow: pa.DataType) -> sql.DataType:
    if of.is_list(arrow):
        item = arrow.value_field
        return sql.ArrayType(_spark_type(item.type), item.nullable)
    if of.is_struct(arrow):
        return spark_schema(pa.schema(list(arrow)))
    if of.is_dictionary(arrow):
        return _spark_type(arrow.value_type)
    return SIMPLE[arrow]


SIMPLE: dict[pa.DataType, sql.DataType] = {
    pa.uint8(): sql.ShortType(),
    pa.uint16(): sql.IntegerType(),
    pa.uint64(): sql.LongType(),
    pa.int8(): sql.ByteType(),
    pa.int16(): sql.ShortType(),
    pa.int32(): sql.IntegerType(),
    pa.float32(): sql.FloatType(),
    pa.bool_(): sql.BooleanType(),
    pa.date32(): sql.DateType(),
    pa.time32("ms"): sql.IntegerType(),
    pa.string(): sql.StringType(),
}


#: Types whose values have the same bits in Spark.
SAME_BITS = (pa.uint64(), pa.time32("ms"))


def converted(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """A batch with the types that Spark expects; most columns are not copied."""
    columns = [_column(column, field.type) for column, field in zip(batch.columns, schema)]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _column(column: pa.Array, wanted: pa.DataType) -> pa.Array:
    if column.type in SAME_BITS:
        return column.view(wanted)
    return column if column.type == wanted else column.cast(wanted)
