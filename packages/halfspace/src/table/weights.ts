import { HalfspaceError, quote } from '../errors.ts';
import type { TableEncoding } from '../features/table-encoding.ts';
import { sliceCells } from './cells.ts';
import { namedColumn } from './columns.ts';
import type { RejectedRow, ScannedChunk, SourceColumn, Table } from './table.ts';
import { WordList } from './words.ts';

/** The column with the weights of the rows. */
interface WeightColumn {
  readonly name: string;
  /** False: tables may lack it, and rows without a weight count once. */
  readonly isNeeded: boolean;
  /** Further words that count as missing. Default: none. */
  readonly missing?: readonly string[] | undefined;
}

/** Returns the column with the weights of rows to train on; null: there is none. */
export function weightsOf(name: string | undefined, missing: readonly string[] | undefined): WeightColumn | null {
  return name === undefined ? null : { name, isNeeded: true, missing };
}

/** Returns the column with the weights of rows that are read for a model; null: there is none. */
export function weightsOfModel({ leftOut, missing }: TableEncoding, name: string | undefined): WeightColumn | null {
  const known = name ?? leftOut.find(({ reason }) => reason === 'weight')?.name;
  return known === undefined ? null : { name: known, isNeeded: name !== undefined, missing };
}

/**
 * Returns a table whose chunks have the weights of one of its columns, which then is no other column of it. A row
 * without a proper weight is refused like a row that cannot be read.
 *
 * @param given null: the table has no weights, and is returned as it is.
 * @throws HalfspaceError `column-unknown`.
 */
export function withWeights<T extends Table>(table: T, given: WeightColumn | null): T {
  if (given === null) return table;
  const { name } = given;
  if (!given.isNeeded && !table.columns.some((column) => column.name === name)) return table;
  const column = namedColumn(table, name);
  const read: WeightReading = { source: table.name, ...given };
  return {
    ...table,
    columns: table.columns.filter((other) => other !== column),
    scan(wanted, label, options) {
      const all = [...wanted, weights(column, given)];
      const scan = table.scan(all, label, options);
      const own = (chunk: ScannedChunk) => weighted(chunk, wanted.length, read, options.tolerant);
      return {
        skipWords: (c: number) => scan.skipWords(c),
        async *chunks() {
          for await (const chunk of scan.chunks()) yield* own(chunk);
        },
        // Only tables of plain objects have it.
        *read() {
          for (const chunk of (scan as unknown as { read(): Iterable<ScannedChunk> }).read()) yield* own(chunk);
        },
      };
    },
  };
}

interface WeightReading extends WeightColumn {
  readonly source: string;
}

function weights(column: SourceColumn, { missing }: WeightColumn) {
  return { column, kind: 'number', list: new WordList(), missing } as const;
}

/** Yields a chunk with the weights in its column `at`. @throws HalfspaceError `number-invalid`, if not tolerant. */
function* weighted(chunk: ScannedChunk, at: number, read: WeightReading, tolerant: boolean): Generator<ScannedChunk> {
  const { rows, damaged } = chunk;
  const columns = chunk.columns.slice(0, at);
  const weights = chunk.columns[at] as Float64Array;
  const faults = new Map<number, HalfspaceError>();
  for (let i = 0; i < rows; i++) {
    const weight = weights[i]!;
    if (damaged?.[i] === 1) weights[i] = 1;
    else if (Number.isNaN(weight) && !read.isNeeded) weights[i] = 1;
    else if (!(weight >= 0 && weight < Infinity)) faults.set(i, faultOf(chunk, i, at, read));
  }
  ignoreAbsent(columns, weights, rows);
  const whole = { ...chunk, columns, weights };
  if (faults.size === 0) {
    yield whole;
    return;
  }
  if (!tolerant) {
    const [[first, error]] = faults as unknown as [[number, HalfspaceError]];
    if (first > 0) yield { ...whole, rows: first };
    throw error;
  }
  const rejected = (row: number): RejectedRow => {
    const error = faults.get(row);
    return error === undefined ? chunk.rejected(row) : { error, text: chunk.text(row) };
  };
  const flags = Uint8Array.from({ length: rows }, (_, i) => (faults.has(i) ? 1 : (damaged?.[i] ?? 0)));
  yield { ...whole, damaged: flags, rejected };
}

function faultOf(chunk: ScannedChunk, i: number, at: number, { source, name }: WeightReading): HalfspaceError {
  const value = chunk.cell(at, i);
  const got = value === null || value === undefined || value === '' ? 'none' : quote(value);
  return new HalfspaceError('number-invalid', `expected a weight, a finite number from 0; got ${got}`, {
    source,
    row: chunk.first + i + 1,
    field: name,
  });
}

/** Rows of weight 0 count as absent, so their cells are not refused. */
function ignoreAbsent(columns: ScannedChunk['columns'], weights: Float64Array, rows: number): void {
  for (let i = 0; i < rows; i++) {
    if (weights[i] !== 0) continue;
    for (const cells of columns)
      if (cells instanceof Float64Array && Math.abs(cells[i]!) === Infinity) cells[i] = Number.NaN;
  }
}

/** Yields the parts of a chunk without rows of weight 0, and where each begins. */
export function* presentParts(chunk: ScannedChunk): Generator<readonly [part: ScannedChunk, from: number]> {
  const { rows, weights } = chunk;
  if (weights == null || !weights.subarray(0, rows).includes(0)) {
    yield [chunk, 0];
    return;
  }
  for (let from = 0; from < rows; from++) {
    if (weights[from] === 0) continue;
    let to = from + 1;
    while (to < rows && weights[to] !== 0) to++;
    yield [partOf(chunk, from, to), from];
    from = to;
  }
}

function partOf(chunk: ScannedChunk, from: number, to: number): ScannedChunk {
  const { first, columns, label, damaged, weights } = chunk;
  return {
    rows: to - from,
    first: first + from,
    columns: columns.map((cells) => sliceCells(cells, from, to)),
    label: sliceCells(label, from, to) as ScannedChunk['label'],
    damaged: damaged?.subarray(from, to) ?? null,
    weights: weights!.subarray(from, to),
    rejected: (row) => chunk.rejected(from + row),
    cell: (column, row) => chunk.cell(column, from + row),
    text: (row) => chunk.text(from + row),
  };
}
