import { join } from 'node:path';
import { ByteFile, putInteger } from './byte-file.mjs';

/**
 * What a generator of sparse examples makes, the same object again and again.
 *
 * @typedef {object} Example
 * @property {number} length number of nonzeros
 * @property {Uint32Array} indices ascending, from 1
 * @property {(k: number) => number} value of the k-th nonzero: the number that its text stands for
 * @property {(bytes: Buffer, at: number, k: number) => number} put writes that text, at most 16 bytes, and returns its
 * end
 * @property {number} label −1 or +1
 */

/**
 * Where examples go.
 *
 * @typedef {{ write: (example: Example) => void, close: () => Record<string, number> }} ExampleWriter `close` returns
 * bytes by file name
 */

const space = 32;
const colon = 58;
const newline = 10;

/**
 * Examples as libsvm text (`NAME.svm`).
 *
 * @returns {ExampleWriter & { svm: ByteFile }}
 */
export function svmWriter(folder, name) {
  const svm = new ByteFile(join(folder, `${name}.svm`));
  return {
    svm,
    write(example) {
      svm.room(bytesFor(example));
      svm.text(example.label > 0 ? '+1' : '-1');
      svm.end = putFeatures(svm.bytes, svm.end, example);
    },
    close: () => ({ [`${name}.svm`]: svm.close() }),
  };
}

/**
 * The same and, after the label, byte for byte the same features as Vowpal Wabbit text (`NAME.vw`).
 *
 * @returns {ExampleWriter}
 */
export function textWriter(folder, name) {
  const { svm, write, close } = svmWriter(folder, name);
  const vw = new ByteFile(join(folder, `${name}.vw`));
  return {
    write(example) {
      svm.room(bytesFor(example));
      vw.room(bytesFor(example));
      const from = svm.end + labelBytes;
      write(example);
      vw.text(example.label > 0 ? '1 |f' : '-1 |f');
      vw.end += svm.bytes.copy(vw.bytes, vw.end, from, svm.end);
    },
    close: () => ({ ...close(), [`${name}.vw`]: vw.close() }),
  };
}

/** Of "+1" and "-1". */
const labelBytes = 2;

const bytesFor = ({ length }) => 16 + 28 * length;

/** Everything of a line behind the label. */
function putFeatures(bytes, at, example) {
  const { length, indices } = example;
  for (let k = 0; k < length; k++) {
    bytes[at++] = space;
    at = putInteger(bytes, at, indices[k], 1);
    bytes[at++] = colon;
    at = example.put(bytes, at, k);
  }
  bytes[at++] = newline;
  return at;
}

/**
 * The same examples as compressed sparse rows in plain little-endian files, which every language reads without parsing:
 * `NAME.offsets` and `NAME.indices` (uint32, indices from 1), `NAME.values` and `NAME.labels` (float64).
 *
 * @returns {ExampleWriter}
 */
export function arrayWriter(folder, name) {
  const parts = ['offsets', 'indices', 'values', 'labels'];
  const files = parts.map((part) => new ByteFile(join(folder, `${name}.${part}`)));
  const [offsets, indices, values, labels] = files;
  let stored = 0;
  put32(offsets, 0);
  return {
    write(example) {
      for (let k = 0; k < example.length; k++) {
        put32(indices, example.indices[k]);
        put64(values, example.value(k));
      }
      stored += example.length;
      put32(offsets, stored);
      put64(labels, example.label);
    },
    close: () => Object.fromEntries(parts.map((part, i) => [`${name}.${part}`, files[i].close()])),
  };
}

function put32(file, value) {
  file.room(4);
  file.end = file.bytes.writeUInt32LE(value, file.end);
}

function put64(file, value) {
  file.room(8);
  file.end = file.bytes.writeDoubleLE(value, file.end);
}
