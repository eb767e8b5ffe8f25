import type { ExampleSource, TableEncoding } from 'halfspace';
import { featureNames } from 'halfspace/models';
import type { StoredBatch } from 'halfspace/rules';
import { forEachNonzero } from 'halfspace/rules';
import { listedLeftOut } from 'halfspace/tables';
import * as points from '../data/encode-points.ts';
import type { EncodingOptions } from '../data/read.ts';
import type { ReadTable } from '../data/read-table.ts';
import type { Examples } from './examples.ts';

/** Maximum numbers of drawn examples, and of their features in total. */
const mostShown = 2000;
const mostNumbers = 4_000_000;

/** The examples of a table in one encoding, kept between runs. */
export interface Encoded {
  /** Equal for equal encodings of the same table. */
  readonly key: string;
  readonly encoding: TableEncoding;
  readonly rows: number;
  readonly dimension: number;
  readonly batches: readonly StoredBatch[];
}

/** Returns a key that differs between encodings of one table. */
export function encodingKey({ scale, holdout, seed }: EncodingOptions): string {
  return holdout === 0 ? scale : `${scale} ${holdout} ${seed}`;
}

/**
 * Fits an encoding to a table, and encodes its rows. The code for tables is loaded with the first table.
 * @throws HalfspaceError with a message for the user.
 */
export async function encodeExamples(table: ReadTable, options: EncodingOptions): Promise<Encoded> {
  const { fitEncoding, encodeTable } = table.isDrawn === true ? points : await import('../data/encode-columns.ts');
  const encoding = fitEncoding(table, options);
  const batches = encodeTable(table, encoding);
  const dimension = featureNames(encoding).length;
  return { key: encodingKey(options), encoding, rows: table.rows, dimension, batches };
}

/** Returns encoded examples as a source. */
export function sourceOf({ encoding, batches }: Encoded): ExampleSource {
  return {
    name: 'the data',
    classes: classesOf(encoding),
    encoding: () => encoding,
    async *batches() {
      yield* batches;
    },
  };
}

/** Returns the names of the negative and the positive class. */
export function classesOf({ label }: TableEncoding): readonly [negative: string, positive: string] {
  const positive = label.positive ?? label.classes.at(-1)!;
  return [label.negative ?? `not ${positive}`, positive];
}

/** Returns the examples in the form of the page, in new arrays. */
export function examplesOf({ encoding, rows, dimension, batches }: Encoded, table: ReadTable): Examples {
  const count = Math.max(1, Math.min(rows, mostShown, Math.floor(mostNumbers / Math.max(1, dimension))));
  // One row of each stretch, not each time the same one: classes may alternate.
  const within = (k: number) => (count === rows ? 0 : (k * 0.6180339887498949) % 1);
  const shown = Uint32Array.from({ length: count }, (_, k) => Math.floor(((k + within(k)) * rows) / count));
  const labels = new Int8Array(rows);
  const vectors = new Float64Array(count * dimension);
  let [first, next] = [0, 0];
  for (const batch of batches) {
    for (let i = 0; i < batch.rows; i++) {
      labels[first + i] = batch.labels[i]! > 0 ? 1 : -1;
      if (shown[next] !== first + i) continue;
      copyRow(batch, i, vectors, next++ * dimension);
    }
    first += batch.rows;
  }
  const notes = [...table.notes, ...leftOutNotes(encoding)];
  if (count < rows)
    notes.push(
      `${count.toLocaleString('en')} of ${rows.toLocaleString('en')} examples are drawn; all are learned from.`,
    );
  return {
    rows,
    dimension,
    featureNames: featureNames(encoding),
    encoding,
    classes: classesOf(encoding),
    labels,
    shown,
    vectors,
    notes,
  };
}

function leftOutNotes({ leftOut }: TableEncoding): string[] {
  const others = leftOut.filter(({ reason }) => reason !== 'dropped');
  return others.length === 0 ? [] : [`Left out: ${listedLeftOut(others, 8)}.`];
}

/** Returns the features of one example, by its number in the data. */
export function vectorOf({ batches, dimension }: Encoded, row: number): { x: Float64Array; y: number } {
  const x = new Float64Array(dimension);
  let first = 0;
  for (const batch of batches) {
    if (row < first + batch.rows) {
      copyRow(batch, row - first, x, 0);
      return { x, y: batch.labels[row - first]! };
    }
    first += batch.rows;
  }
  return { x, y: 0 };
}

function copyRow(batch: StoredBatch, i: number, into: Float64Array, at: number): void {
  forEachNonzero(batch, i, (j, x) => {
    into[at + j] = x;
  });
}
