import type { DuckDBDataChunk } from '@duckdb/node-api';

/*
 * Reads the memory of DuckDB's vectors through private members of its classes. The public method for each item would
 * take longer than the rest of reading.
 */

/** One bit for each row of a column, from `offset` on: 1 if it is not NULL. */
interface Validity {
  readonly bits: Uint8Array;
  readonly offset: number;
}

/** Returns the validity of a column; null: no row is NULL. */
export function validityOf(chunk: DuckDBDataChunk, column: number): Validity | null {
  const { validity } = chunk.getColumnVector(column) as unknown as {
    validity: { data: BigUint64Array | null; offset: number };
  };
  if (validity.data === null) return null;
  const { buffer, byteOffset, byteLength } = validity.data;
  return { bits: new Uint8Array(buffer, byteOffset, byteLength), offset: validity.offset };
}

export function isValid(validity: Validity | null, i: number): boolean {
  if (validity === null) return true;
  const at = validity.offset + i;
  return ((validity.bits[at >> 3]! >> (at & 7)) & 1) === 1;
}

/** Returns the text in row i of a column; null for NULL. */
export function textOf(chunk: DuckDBDataChunk, column: number, i: number): string | null {
  return chunk.getColumnVector(column).getItem(i) as string | null;
}

/**
 * Maximum length in bytes of a text that is in the vector itself, padded with zeros; of a longer text the vector has
 * the first bytes and an address.
 */
export const inlineBytes = 12;

/**
 * Returns a column of text as four numbers per row: the length in bytes, and the text if it is short.
 * @see DuckDB's `duckdb_string_t`
 */
export function textWords(chunk: DuckDBDataChunk, column: number): Int32Array {
  const { dataView } = chunk.getColumnVector(column) as unknown as { dataView: DataView };
  return new Int32Array(dataView.buffer, dataView.byteOffset, dataView.byteLength >> 2);
}
