/**
 * Some rows of a table, column by column: the form in which a reader hands tables to {@link TableFitter} and
 * {@link TableEncoder}. Arrays may be longer than `rows`, are read during the call only, and can be used again.
 */
export interface TableChunk {
  readonly rows: number;
  /** The fitter reads `rows` of the cells only, those at these positions. Default: the first ones. */
  readonly numbers?: Uint32Array;
  /** One entry per column that the fitter or the encoding has, in its order; null: the table lacks this column, all is missing. */
  readonly columns: readonly (ColumnCells | null)[];
  /** −1, +1, or NaN where there is none; null: no row has a label. Not needed by the fitter. */
  readonly labels?: Float64Array | null;
  /** Name of the data, for messages. */
  readonly source?: string;
  /** Number of the first row in its source, from 0, for messages. */
  readonly firstRow?: number;
}

/**
 * The cells of one column. Numbers, booleans (0 and 1) and dates (days since 1970-01-01) come as doubles, NaN where the value
 * is missing; ±Infinity is refused. Any kind may come as words; a category always does.
 */
export type ColumnCells = Float64Array | WordCells;

/**
 * Cells as positions in a list of words, so that every word is looked at once however often it occurs. The list may grow from
 * chunk to chunk; work done for a list is kept for as long as the same array comes again. null is a missing value, and so is
 * every word that says so (see `missingWords`).
 */
export interface WordCells {
  readonly codes: Uint8Array | Uint16Array | Uint32Array;
  readonly words: readonly (string | null)[];
}

/** Encoded rows: a `Batch` in all but name, which lies further right in the order of imports. */
export type EncodedRows = {
  readonly rows: number;
  readonly dimension: number;
  readonly labels: Float64Array;
  readonly importance: null;
  readonly values: Float64Array;
} & (
  | { readonly kind: 'dense' }
  | { readonly kind: 'sparse'; readonly offsets: Uint32Array; readonly indices: Uint32Array }
);
