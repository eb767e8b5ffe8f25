import { type FitColumn, HalfspaceError, labelSign, type TableChunk, type TableLabel, type WordCells } from 'halfspace';
import { query, type ResultChunk, stream, tableFault } from './engine.ts';
import { cell, textOf } from './profile.ts';
import type { Relation } from './relation.ts';

/** A row that was set aside. */
export interface RejectedRow {
  readonly error: HalfspaceError;
  /** The row's own text, where the format has one. */
  readonly text: string | null;
}

export interface ReadOptions {
  readonly columns: readonly FitColumn[];
  /** Null: no labels. */
  readonly label: TableLabel | null;
  /** Whether a row without a label, or with a class that is not known, is a fault. */
  readonly labelsNeeded: boolean;
  /** Called for bad rows, which are then left out; undefined: the first one is thrown. */
  readonly reject: ((rejected: RejectedRow) => void) | undefined;
}

/**
 * The rows of a relation in order, as chunks for the fitter and the encoder. Cells of number columns are checked here, so that bad
 * rows can be set aside one by one. A chunk is valid until the next one is asked for.
 */
export async function* readRows(relation: Relation, options: ReadOptions): AsyncGenerator<TableChunk> {
  const { columns, label } = options;
  const texts = columns.map(({ name }) => textOf(relation, name));
  const labelText = label === null ? null : textOf(relation, label.column);
  const inner: string[] = [];
  const outer: string[] = [];
  columns.forEach(({ kind }, c) => {
    const text = texts[c];
    inner.push(`${text === null ? 'NULL' : cell(text!)} AS v${c}`);
    outer.push(kind === 'number' ? numberOf(`v${c}`) : `v${c}`);
  });
  if (labelText !== null) {
    inner.push(`${cell(labelText)} AS label`);
    outer.push('label');
  }
  if (inner.length === 0) {
    inner.push('1 AS one');
    outer.push('one');
  }
  const coders = columns.map(() => new WordCoder());
  let firstRow = 0;
  try {
    for await (const result of stream(
      `SELECT ${outer.join(', ')} FROM (SELECT ${inner.join(', ')} FROM ${relation.from})`,
    )) {
      const cells = columns.map(({ kind }, c) => {
        if (texts[c] === null) return null;
        return kind === 'number' ? result.doubles(c) : coders[c]!.code(result.words(c));
      });
      const labels = labelText === null ? null : signs(label!, result, columns.length);
      const chunk: TableChunk = { rows: result.rows, columns: cells, labels, source: relation.name, firstRow };
      const bad = await faults(relation, chunk, options);
      for (const { error } of bad) {
        if (options.reject === undefined) throw error;
        options.reject({ error, text: null });
      }
      yield bad.length === 0 ? chunk : without(chunk, new Set(bad.map(({ row }) => row)));
      firstRow += result.rows;
    }
  } catch (error) {
    throw tableFault(error, relation.name);
  }
}

/** NaN for a missing value, ∞ for a number that is not finite, −∞ for a word. */
function numberOf(value: string): string {
  const number = `try_cast(${value} AS DOUBLE)`;
  return (
    `CASE WHEN ${value} IS NULL THEN 'nan'::DOUBLE WHEN ${number} IS NULL THEN '-inf'::DOUBLE ` +
    `WHEN isfinite(${number}) THEN ${number} ELSE 'inf'::DOUBLE END`
  );
}

/** Cells of words as codes, the same list of words growing from chunk to chunk. */
class WordCoder {
  readonly #codes = new Map<string | null, number>();
  readonly #words: (string | null)[] = [];
  #array = new Uint32Array(0);

  code(cells: readonly (string | null)[]): WordCells {
    if (this.#array.length < cells.length) this.#array = new Uint32Array(cells.length);
    for (let i = 0; i < cells.length; i++) {
      const word = cells[i]!;
      let code = this.#codes.get(word);
      if (code === undefined) {
        code = this.#words.length;
        this.#words.push(word);
        this.#codes.set(word, code);
      }
      this.#array[i] = code;
    }
    return { codes: this.#array, words: this.#words };
  }
}

function signs(label: TableLabel, result: ResultChunk, column: number): Float64Array {
  return Float64Array.from(result.words(column), (word) => labelSign(label, word));
}

async function faults(
  relation: Relation,
  chunk: TableChunk,
  { columns, label, labelsNeeded }: ReadOptions,
): Promise<{ row: number; error: HalfspaceError }[]> {
  const found = new Map<number, HalfspaceError>();
  const firstRow = chunk.firstRow ?? 0;
  for (let c = 0; c < columns.length; c++) {
    const cells = chunk.columns[c];
    if (!(cells instanceof Float64Array)) continue;
    for (let i = 0; i < chunk.rows; i++) {
      const value = cells[i]!;
      if (value - value === 0 || Number.isNaN(value) || found.has(i)) continue;
      const text = await textAt(relation, columns[c]!.name, firstRow + i);
      found.set(
        i,
        new HalfspaceError(
          'number-invalid',
          `expected a ${value > 0 ? 'finite ' : ''}number; got ${JSON.stringify(text)}`,
          {
            source: relation.name,
            row: firstRow + i + 1,
            field: columns[c]!.name,
          },
        ),
      );
    }
  }
  const labels = chunk.labels ?? null;
  if (labels !== null && label !== null && labelsNeeded)
    for (let i = 0; i < chunk.rows; i++) {
      if (Math.abs(labels[i]!) === 1 || found.has(i)) continue;
      const where = { source: relation.name, row: firstRow + i + 1, field: label.column };
      found.set(
        i,
        Number.isNaN(labels[i]!)
          ? new HalfspaceError('label-missing', 'expected a label; got none', where)
          : new HalfspaceError(
              'label-classes',
              `expected a class the model knows (${label.classes.slice(0, 10).join(', ')}); got ${JSON.stringify(await textAt(relation, label.column, firstRow + i))}`,
              where,
            ),
      );
    }
  return [...found].sort(([a], [b]) => a - b).map(([row, error]) => ({ row, error }));
}

async function textAt(relation: Relation, name: string, row: number): Promise<string> {
  const [found] = await query(`SELECT ${textOf(relation, name)} AS v FROM ${relation.from} LIMIT 1 OFFSET ${row}`);
  return String(found?.v ?? '');
}

/** The chunk without some of its rows. */
export function without(chunk: TableChunk, dropped: ReadonlySet<number>): TableChunk {
  const kept: number[] = [];
  for (let i = 0; i < chunk.rows; i++) if (!dropped.has(i)) kept.push(i);
  const columns = chunk.columns.map((cells) => {
    if (cells === null) return null;
    if (cells instanceof Float64Array) return Float64Array.from(kept, (i) => cells[i]!);
    return { codes: Uint32Array.from(kept, (i) => cells.codes[i]!), words: cells.words };
  });
  const labels = chunk.labels == null ? null : Float64Array.from(kept, (i) => chunk.labels![i]!);
  return { ...chunk, rows: kept.length, columns, labels };
}
