import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Field,
  Float64,
  Int32,
  List,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { createDocumentModel } from '../data/documents.mjs';
import { Random } from '../data/random.mjs';

/**
 * Rows for training in shards.
 *
 * @typedef {object} ShardedSet
 * @property {string} name
 * @property {object} features members of the job: `vector` or `columns`
 * @property {unknown[]} train
 * @property {unknown[]} test
 * @property {(row: unknown) => string} labelOf
 * @property {(rows: unknown[]) => Uint8Array} encode returns an Arrow stream
 */

const rowsInBatch = 4096;
const seed = 1;

/** Adult, from its two files: 8 categories, 6 numbers. @returns {ShardedSet | null} */
export function adult(folder) {
  const paths = ['adult-train.csv', 'adult-test.csv'].map((name) => join(folder, name));
  if (!paths.every(existsSync)) return null;
  const [train, test] = paths.map((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.includes(','))
      .map((line) => line.split(',').map((cell) => cell.trim().replace(/\.$/, ''))),
  );
  const numbers = [0, 2, 4, 10, 11, 12];
  const names = Array.from({ length: 14 }, (_, c) => `c${c}`);
  const isNumber = names.map((_, c) => numbers.includes(c));
  const columns = Object.fromEntries(names.map((name, c) => [name, { kind: isNumber[c] ? 'number' : 'category' }]));
  const fields = names.map((name, c) => new Field(name, isNumber[c] ? new Float64() : new Utf8(), true));
  const encode = (rows) =>
    streamOf(rows, [...fields, new Field('y', new Utf8())], (some) => [
      ...fields.map(({ type }, c) => {
        const cells = some.map((row) => (row[c] === '?' ? null : isNumber[c] ? Number(row[c]) : row[c]));
        return vectorFromArray(cells, type).data[0];
      }),
      labels(some.map((row) => row[14])),
    ]);
  return {
    name: 'adult',
    features: { columns },
    train: new Random(seed, 7).shuffled(train),
    test,
    labelOf: (row) => row[14],
    encode,
  };
}

/** w8a of LIBSVM: every fifth row is held out. @returns {ShardedSet | null} */
export function w8a(folder) {
  const path = join(folder, 'w8a.svm');
  if (!existsSync(path)) return null;
  const rows = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [label, ...pairs] = line.trim().split(/\s+/);
      const cells = pairs.map((pair) => pair.split(':').map(Number));
      return { label, indices: cells.map(([index]) => index), values: cells.map(([, value]) => value) };
    });
  const all = new Random(seed, 7).shuffled(rows);
  return sparse(
    'w8a',
    all.filter((_, i) => i % 5 > 0),
    all.filter((_, i) => i % 5 === 0),
    301,
  );
}

/** Documents like those of RCV1. @returns {ShardedSet} */
export function documents(count) {
  const features = 47_152;
  const model = createDocumentModel({ features, seed });
  const some = (part, rows) => {
    const next = model.documents(part);
    return Array.from({ length: rows }, () => {
      const example = next();
      return {
        label: String(example.label),
        indices: Array.from(example.indices.subarray(0, example.length)),
        values: Array.from({ length: example.length }, (_, k) => example.value(k)),
      };
    });
  };
  return sparse('documents', some('train', count), some('heldout', Math.round(count / 5)), features + 1);
}

function sparse(name, train, test, size) {
  return { name, features: { vector: 'x' }, train, test, labelOf: ({ label }) => label, encode: sparseEncoder(size) };
}

/** Returns what encodes rows of `label`, `indices` and `values` as an Arrow stream with the vectors `x` and the labels `y`. */
function sparseEncoder(size) {
  const lists = (type) => new List(new Field('item', type, false));
  const vector = new Struct([
    new Field('size', new Int32(), false),
    new Field('indices', lists(new Int32()), false),
    new Field('values', lists(new Float64()), false),
  ]);
  return (rows) =>
    streamOf(rows, [new Field('x', vector), new Field('y', new Utf8())], (some) => {
      const valueOffsets = new Int32Array(some.length + 1);
      some.forEach(({ indices }, i) => {
        valueOffsets[i + 1] = valueOffsets[i] + indices.length;
      });
      const listOf = (field, type, data) =>
        makeData({
          type: vector.children[field].type,
          length: some.length,
          nullCount: 0,
          valueOffsets,
          child: makeData({ type, length: data.length, nullCount: 0, data }),
        });
      const children = [
        makeData({
          type: new Int32(),
          length: some.length,
          nullCount: 0,
          data: new Int32Array(some.length).fill(size),
        }),
        listOf(1, new Int32(), Int32Array.from(some.flatMap(({ indices }) => indices))),
        listOf(2, new Float64(), Float64Array.from(some.flatMap(({ values }) => values))),
      ];
      return [
        makeData({ type: vector, length: some.length, nullCount: 0, children }),
        labels(some.map(({ label }) => label)),
      ];
    });
}

const labels = (words) => vectorFromArray(words, new Utf8()).data[0];

function streamOf(rows, fields, childrenOf) {
  const schema = new Schema(fields);
  const writer = new RecordBatchStreamWriter();
  for (let from = 0; from < Math.max(1, rows.length); from += rowsInBatch) {
    const some = rows.slice(from, from + rowsInBatch);
    const type = new Struct(fields);
    const data = makeData({ type, length: some.length, nullCount: 0, children: childrenOf(some) });
    writer.write(new RecordBatch(schema, data));
  }
  writer.finish();
  return writer.toUint8Array(true);
}
