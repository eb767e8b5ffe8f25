import { join } from 'node:path';
import { ByteFile, putInteger } from './byte-file.mjs';

/**
 * Where sparse examples go.
 *
 * @typedef {import('./documents.mjs').Example} Example
 * @typedef {{ write: (example: Example) => void, close: () => Record<string, number> }} ExampleWriter `close` returns bytes by file name
 */

const space = 32;
const colon = 58;
const newline = 10;
const zero = 48;
const point = 46;

/**
 * Examples with values in (0, 1) as libsvm text (`NAME.svm`) and, after the label, byte for byte the same features as Vowpal
 * Wabbit text (`NAME.vw`).
 *
 * @returns {ExampleWriter}
 */
export function textWriter(folder, name) {
  const svm = new ByteFile(join(folder, `${name}.svm`));
  const vw = new ByteFile(join(folder, `${name}.vw`));
  return {
    write({ length, indices, millionths, label }) {
      const most = 16 + 20 * length;
      svm.room(most);
      vw.room(most);
      svm.text(label > 0 ? '+1' : '-1');
      const { bytes, end: featuresFrom } = svm;
      let at = featuresFrom;
      for (let k = 0; k < length; k++) {
        bytes[at++] = space;
        at = putInteger(bytes, at, indices[k], 1);
        bytes[at++] = colon;
        bytes[at++] = zero;
        bytes[at++] = point;
        at = putInteger(bytes, at, millionths[k], 6);
      }
      bytes[at++] = newline;
      svm.end = at;
      vw.text(label > 0 ? '1 |f' : '-1 |f');
      vw.end += bytes.copy(vw.bytes, vw.end, featuresFrom, at);
    },
    close: () => ({ [`${name}.svm`]: svm.close(), [`${name}.vw`]: vw.close() }),
  };
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
        put64(values, example.millionths[k] / 1e6);
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
