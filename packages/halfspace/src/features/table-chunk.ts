/**
 * Some rows of a table by column: the input of {@link TableFitter} and {@link TableEncoder}. Arrays may be longer than
 * `rows`. They are read during the call only, so they can be reused.
 */
export interface TableChunk {
  readonly rows: number;
  /** Positions of the `rows` cells that the fitter reads. Default: the first ones. */
  readonly numbers?: Uint32Array;
  /** The columns of the fitter or encoding, in its order; null: the table lacks this column, so all is missing. */
  readonly columns: readonly (ColumnCells | null)[];
  /** −1, +1, or NaN for a missing label; null: no row has a label. The fitter does not need them. */
  readonly labels?: Float64Array | null;
  /** Weights of the rows; null or absent: each row counts once. */
  readonly weights?: Float64Array | null;
  /** Name of the data, for messages. */
  readonly source?: string;
  /** Number of the first row in its source, from 0, for messages. */
  readonly firstRow?: number;
}

/**
 * The cells of one column. Numbers, booleans (0 and 1) and dates (days since 1970-01-01) can be doubles, with NaN for
 * missing and ±Infinity for refused values. Any kind can be words; a category must be.
 */
export type ColumnCells = Float64Array | WordCells;

/**
 * Cells as positions in a list of words, so that each word is parsed once. The list may grow from chunk to chunk;
 * parsed words are kept as long as the same array is passed. null and the `missingWords` are missing values.
 */
export interface WordCells {
  readonly codes: Uint8Array | Uint16Array | Uint32Array;
  readonly words: readonly (string | null)[];
}

/** Encoded rows, in the form of a `Batch`. */
export type EncodedRows = {
  readonly rows: number;
  readonly dimension: number;
  readonly labels: Float64Array;
  readonly importance: Float64Array | null;
  readonly values: Float64Array;
} & (
  | { readonly kind: 'dense' }
  | { readonly kind: 'sparse'; readonly offsets: Uint32Array; readonly indices: Uint32Array }
);
