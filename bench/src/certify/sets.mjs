import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ByteFile } from '../data/byte-file.mjs';
import { Random } from '../data/random.mjs';

/**
 * A data set of the classes 1 and -1, as libsvm text.
 *
 * @typedef {object} DataSet
 * @property {string} name
 * @property {string} about
 * @property {(path: string) => void} write
 */

/**
 * Rows of a noisy linear function: each row has `nonzeros` features at random places, and a tenth of the labels is turned round.
 *
 * @param {string} name
 * @param {{ rows: number, features: number, nonzeros: number }} shape
 *
 * @returns {DataSet}
 */
function noisy(name, { rows, features, nonzeros }) {
  const count = (value) => value.toLocaleString('en');
  const filled = nonzeros === features ? 'dense' : `${nonzeros} nonzeros a row`;
  return {
    name,
    about: `${count(rows)} × ${count(features)}, ${filled}, 10 % of the labels wrong`,
    write(path) {
      const random = new Random(21);
      const weights = Float64Array.from({ length: features }, () => random.normal());
      const file = new ByteFile(path);
      for (let i = 0; i < rows; i++) {
        const places = nonzeros === features ? weights.keys() : somePlaces(random, features, nonzeros);
        let score = 0;
        let text = '';
        for (const j of places) {
          const value = Math.round(1000 * random.normal()) / 1000;
          if (value === 0) continue;
          score += weights[j] * value;
          text += ` ${j + 1}:${value}`;
        }
        const isPositive = score > 0 !== random.uniform() < 0.1;
        file.text(`${isPositive ? 1 : -1}${text}\n`);
      }
      file.close();
    },
  };
}

/** Different places, in rising order. */
function somePlaces(random, features, count) {
  const places = new Set();
  while (places.size < count) places.add(random.below(features));
  return [...places].sort((a, b) => a - b);
}

/**
 * One digit of the ten thousand MNIST test digits against the others: pixels from 0 to 255.
 *
 * @param {string} folder
 * @param {number} digit
 *
 * @returns {DataSet}
 */
const mnist = (folder, digit) => ({
  name: `mnist-${digit}`,
  about: `MNIST test digits, ${digit} against the others, 10,000 × 784`,
  write(path) {
    const { rows, digits } = readMnist(folder);
    const file = new ByteFile(path);
    rows.forEach(({ indices, values }, i) => {
      const pixels = indices.map((j, k) => ` ${j + 1}:${Math.round(255 * values[k])}`);
      file.text(`${digits[i] === digit ? 1 : -1}${pixels.join('')}\n`);
    });
    file.close();
  },
});

/**
 * All sets, the small ones first.
 *
 * @param {string | undefined} folder where the MNIST files are; without it, the digits are left out
 *
 * @returns {DataSet[]}
 */
export const sets = (folder) => [
  noisy('dense-1000', { rows: 20_000, features: 1000, nonzeros: 1000 }),
  noisy('dense-20', { rows: 1_000_000, features: 20, nonzeros: 20 }),
  noisy('sparse-2500', { rows: 100_000, features: 2500, nonzeros: 50 }),
  noisy('sparse-10000', { rows: 100_000, features: 10_000, nonzeros: 50 }),
  noisy('sparse-100000', { rows: 100_000, features: 100_000, nonzeros: 100 }),
  ...(folder === undefined ? [] : Array.from({ length: 10 }, (_, digit) => mnist(folder, digit))),
];

/**
 * The digits of two IDX files in `folder`, as sparse rows of pixels in [0, 1] and their classes.
 *
 * @returns {{ rows: { indices: number[], values: number[] }[], digits: Uint8Array }}
 */
function readMnist(folder) {
  const bytes = (name) => gunzipSync(readFileSync(join(folder, `mnist10k-${name}-ubyte.gz`)));
  const labels = bytes('labels-idx1');
  const images = bytes('images-idx3');
  if (labels.readUInt32BE(0) !== 2049 || images.readUInt32BE(0) !== 2051)
    throw new Error(`expected IDX files of bytes in ${folder}; got others`);
  const count = images.readUInt32BE(4);
  const pixels = images.readUInt32BE(8) * images.readUInt32BE(12);
  const rows = Array.from({ length: count }, (_, i) => {
    const image = images.subarray(16 + i * pixels, 16 + (i + 1) * pixels);
    const indices = [...image.keys()].filter((j) => image[j] > 0);
    return { indices, values: indices.map((j) => image[j] / 255) };
  });
  return { rows, digits: Uint8Array.from(labels.subarray(8, 8 + count)) };
}
