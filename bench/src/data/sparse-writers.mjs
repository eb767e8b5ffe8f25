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
 * Examples as libsvm text (`NAME.svm`) and, after the label, byte for byte the same as Vowpal Wabbit text (`NAME.vw`).
 *
 * @returns {ExampleWriter}
 */
export function textWriter(folder, name) {
  const [svm, vw] = ['svm', 'vw'].map((format) => new ByteFile(join(folder, `${name}.${format}`)));
  return {
    write(example) {
      for (const file of [svm, vw]) file.room(bytesFor(example));
      const from = svm.end + labelBytes;
      svm.text(example.label > 0 ? '+1' : '-1');
      svm.end = putFeatures(svm.bytes, svm.end, example);
      vw.text(example.label > 0 ? '1 |f' : '-1 |f');
      vw.end += svm.bytes.copy(vw.bytes, vw.end, from, svm.end);
    },
    close: () => ({ [`${name}.svm`]: svm.close(), [`${name}.vw`]: vw.close() }),
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
