/** Some rows of a shard, as an engine gives them. */
export interface ShardBatch {
  readonly rows: number;
  /** Names of the columns. */
  readonly names: readonly string[];
  /** Returns a column; null: there is none of this name. */
  column(name: string): ShardColumn | null;
  /** Returns the rows in [from, to). */
  slice(from: number, to: number): ShardBatch;
}

/** A column of a {@link ShardBatch}. Its errors name the row, from 1, and the column. */
export interface ShardColumn {
  /** True: the cells are texts. */
  readonly isText: boolean;
  /** Type of the cells by `typeof`, as a table of the command has it. */
  readonly type: string;
  /** The cells, if they are doubles and none is null; else null. Finite or not. */
  readonly doubles: Float64Array | null;
  /**
   * Returns the cells as doubles: NaN for null, days since 1970 for dates, Infinity for numbers that are not finite.
   * The result may be the memory of the column, so it must not be changed.
   */
  numbers(kind: 'number' | 'boolean' | 'date'): Float64Array;
  /**
   * Returns a reader of the cells as texts: text as it is, numbers in the fewest digits that tell them from others of
   * their type; null stays null. The reader refuses numbers that are not finite.
   */
  texts(): (i: number) => string | null;
  /** Returns the vectors in the cells. @param size that they must have; null: the first one decides. */
  vectors(size: number | null): SparseRows;
  /** Returns a cell, for messages. */
  get(i: number): unknown;
}

/** Rows of numbers by index, without zeros. */
export interface SparseRows {
  readonly offsets: Uint32Array;
  readonly indices: Uint32Array;
  readonly values: Float64Array;
  /** Length of the longest vector. */
  readonly dimension: number;
  /** The size that all vectors have; null: none declares it, as sparse ones without `size`. */
  readonly size: number | null;
}
