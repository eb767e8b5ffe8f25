import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { linesOf, textOf, writeParts } from './parts.mjs';

/**
 * Two files of the same format: one to learn from, one to be judged on.
 *
 * @typedef {object} QualitySet
 * @property {string} name
 * @property {string} train
 * @property {string} heldout
 * @property {'csv' | 'tsv' | 'svm' | 'vw'} format
 * @property {boolean} header whether a table's first line names its columns
 * @property {string | null} label the column to predict, of a table
 * @property {string[]} texts columns of text
 * @property {string[]} dates columns of dates
 * @property {number} examples examples to learn from
 * @property {number} judged examples to be judged on
 */

/**
 * Data as published, by the names in the data folder's README.
 *
 * @typedef {object} Published
 * @property {string} name
 * @property {string[]} files one, or one to learn from and one to be judged on
 * @property {QualitySet['format']} format
 * @property {string} [label]
 * @property {string[]} [texts]
 * @property {(file: string) => string[]} [lines] how a file becomes lines, one an example
 */

/** @type {Published[]} */
export const published = [
  { name: 'sonar', files: ['sonar.csv'], format: 'csv', label: 'column60' },
  { name: 'banknote', files: ['banknote_authentication.csv'], format: 'csv', label: 'column4' },
  { name: 'ionosphere', files: ['ionosphere.csv'], format: 'csv', label: 'column34' },
  { name: 'breast-cancer-wisconsin', files: ['breast-cancer-wisconsin.csv'], format: 'csv', label: 'column9' },
  { name: 'iris', files: ['iris.csv'], format: 'csv', label: 'column4' },
  { name: 'spambase', files: ['spambase.csv'], format: 'csv', label: 'column57' },
  {
    name: 'adult',
    files: ['adult-train.csv', 'adult-test.csv'],
    format: 'csv',
    label: 'column14',
    // The labels of the test file end in a dot.
    lines: (file) => linesOf(textOf(file)).map((line) => line.replace(/\.$/, '')),
  },
  { name: 'sms', files: ['sms.tsv'], format: 'tsv', label: 'column0', texts: ['column1'] },
  { name: 'agaricus', files: ['agaricus.train.svm', 'agaricus.test.svm'], format: 'svm' },
  { name: 'w8a', files: ['w8a.svm'], format: 'svm' },
  { name: 'rcv1_small', files: ['rcv1_small.train.vw', 'rcv1_small.test.vw'], format: 'vw' },
  {
    name: 'mnist10k',
    files: ['mnist10k-images-idx3-ubyte.gz'],
    format: 'svm',
    lines: (file) => digits(file, file.replace('images-idx3', 'labels-idx1')),
  },
];

/** Those of the published sets whose files are in `folder`, and the names of the others. */
export function findPublished(folder) {
  const isHere = ({ files }) => files.every((file) => existsSync(join(folder, file)));
  return { here: published.filter(isHere), absent: published.filter((set) => !isHere(set)) };
}

/**
 * Writes the two files of a published set: row i, from 0, is held out where i % 5 = 4, unless a file of its own was
 * published for that.
 *
 * @param {Published} set
 * @param {{ from: string, to: string }} folders
 * @returns {QualitySet}
 */
export function cutPublished({ name, files, format, label = null, texts = [], lines }, { from, to }) {
  const [first, second] = files.map((file) => (lines ?? ((path) => linesOf(textOf(path))))(join(from, file)));
  const shape = { name, format, header: /** @type {const} */ (false), label, texts, dates: [] };
  return writeParts(to, shape, second === undefined ? first : { train: first, heldout: second });
}

/** Images in IDX form as libsvm text: the digit and the share of ink of every pixel, row by row, that has any. */
function digits(imageFile, labelFile) {
  const images = gunzipSync(textOf(imageFile, null));
  const labels = gunzipSync(textOf(labelFile, null));
  const [count, rows, columns] = [4, 8, 12].map((at) => images.readUInt32BE(at));
  const pixels = rows * columns;
  return Array.from({ length: count }, (_, i) => {
    const words = [String(labels[8 + i])];
    for (let k = 0; k < pixels; k++) {
      const ink = images[16 + i * pixels + k];
      if (ink > 0) words.push(`${k + 1}:${Number((ink / 255).toFixed(6))}`);
    }
    return words.join(' ');
  });
}
