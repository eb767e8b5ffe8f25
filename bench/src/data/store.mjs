import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ByteFile, putInteger } from './byte-file.mjs';
import { columns, createRowModel } from './dense-rows.mjs';
import { createDocumentModel } from './documents.mjs';
import { Random } from './random.mjs';
import { textWriter } from './sparse-writers.mjs';

/**
 * Records in the manner of a census or of customers: six numbers, seven categories of 2 to 40 levels, a yes or no, a
 * date, and gaps, as CSV and as one JSON object a line. The class is the sign of a noisy sum over some of them.
 */

const levels = { region: 12, work: 8, education: 16, status: 7, occupation: 15, channel: 5, country: 40 };
const gapShare = 0.03;
const noise = 0.6;
const stream = { train: 3, heldout: 4 };

/** @param {'train' | 'heldout'} part */
function mixedTableWriter(folder, part, count, seed) {
  const random = new Random(seed, stream[part]);
  const csv = new ByteFile(join(folder, `${part}.csv`));
  const json = new ByteFile(join(folder, `${part}.ndjson`));
  let positives = 0;
  let nonzeros = 0;
  for (let i = 0; i < count; i++) {
    const record = recordOf(random);
    if (i === 0) csv.text(`${Object.keys(record).join(',')}\n`);
    if (record.answer === 'yes') positives++;
    nonzeros += Object.values(record).filter((value) => value !== null).length - 1;
    csv.text(`${Object.values(record).join(',')}\n`);
    json.text(`${JSON.stringify(record)}\n`);
  }
  return {
    bytes: { [`${part}.csv`]: csv.close(), [`${part}.ndjson`]: json.close() },
    counts: { examples: count, nonzeros, positives },
  };
}

function recordOf(random) {
  const age = 18 + random.below(60);
  const income = Math.round(100 * Math.exp(8 + 0.6 * random.normal())) / 100;
  const hours = 10 + random.below(50);
  const member = random.uniform() < 0.4;
  const level = Object.fromEntries(
    Object.entries(levels).map(([name, size]) => [name, Math.floor(size * random.uniform() ** 2)]),
  );
  const z =
    (age - 48) / 17 +
    (Math.log(income) - 8) / 0.6 +
    (member ? 0.5 : -0.3) +
    (level.education % 3) -
    (level.occupation % 4) / 2 +
    noise * random.normal();
  const gap = (value) => (random.uniform() < gapShare ? null : value);
  return {
    age: gap(age),
    income: gap(income),
    hours,
    balance: Math.round(1e4 * random.normal()) / 100,
    visits: Math.floor(-8 * Math.log(1 - random.uniform())),
    rating: gap(1 + random.below(5)),
    ...Object.fromEntries(Object.entries(level).map(([name, at]) => [name, gap(`${name}-${at}`)])),
    member,
    since: `20${10 + random.below(15)}-0${1 + random.below(9)}-${10 + random.below(18)}`,
    answer: z > 0.3 ? 'yes' : 'no',
  };
}

/** Increase this when the generators write other bytes for the same options; then older files are generated again. */
const generatorVersion = 1;

/**
 * A made data set.
 *
 * @typedef {object} Made
 * @property {string} folder
 * @property {object} options
 * @property {{ examples: number, nonzeros: number, positives: number }} train
 * @property {{ examples: number, nonzeros: number, positives: number }} heldout
 * @property {Record<string, number>} bytes by file name
 * @property {number} seconds it took to make
 */

/**
 * @typedef {{ train: number, heldout: number, features: number, seed: number }} DocumentOptions
 */

/** Documents as text: `train` and `heldout`, each `.svm` and `.vw`. @param {DocumentOptions} options @returns {Made} */
export function documentText(root, options) {
  return made(root, 'documents', options, (folder) => writeDocuments(options, folder));
}

/** Dense rows: `train` and `heldout`, each `.svm`, `.vw` and `.csv`. @returns {Made} */
export function denseText(root, options) {
  return made(root, 'dense', options, (folder) => writeRows(options, folder));
}

/** Records of numbers, words, dates and gaps: `train` and `heldout`, each `.csv` and `.ndjson`. @returns {Made} */
export function mixedTable(root, options) {
  return made(root, 'mixed', options, (folder) =>
    bothParts(options, (part, count) => mixedTableWriter(folder, part, count, options.seed)),
  );
}

function writeRows(options, folder) {
  const model = createRowModel(options);
  return bothParts(options, (part, count) => {
    const writer = denseWriter(folder, part);
    const next = model.rows(part);
    let positives = 0;
    let nonzeros = 0;
    for (let i = 0; i < count; i++) {
      const row = next();
      if (row.label > 0) positives++;
      nonzeros += row.values.length;
      writer.write(row);
    }
    return { bytes: writer.close(), counts: { examples: count, nonzeros, positives } };
  });
}

function writeDocuments(options, folder) {
  const model = createDocumentModel(options);
  return bothParts(options, (part, count) => {
    const writer = textWriter(folder, part);
    const next = model.documents(part);
    let positives = 0;
    let nonzeros = 0;
    for (let i = 0; i < count; i++) {
      const document = next();
      if (document.label > 0) positives++;
      nonzeros += document.length;
      writer.write(document);
    }
    return { bytes: writer.close(), counts: { examples: count, nonzeros, positives } };
  });
}

function bothParts({ train, heldout }, write) {
  const first = write('train', train);
  const second = write('heldout', heldout);
  return { train: first.counts, heldout: second.counts, bytes: { ...first.bytes, ...second.bytes } };
}

/** Reuses the data set if it was made by this version with these options; otherwise generates it. */
function made(root, kind, options, make) {
  const folder = join(root, `${kind}-${Object.values(options).join('-')}`);
  const recipe = { version: generatorVersion, options };
  const known = contentsOf(folder, recipe);
  if (known !== null) return { folder, options, ...known };
  // Generated in another folder and then moved, so that an interrupted run leaves no incomplete data set.
  const making = `${folder}.${process.pid}.making`;
  mkdirSync(making, { recursive: true });
  const began = performance.now();
  const contents = make(making);
  contents.seconds = (performance.now() - began) / 1000;
  writeFileSync(join(making, recordFile), `${JSON.stringify({ recipe, contents }, null, 2)}\n`);
  // Another run may have made the same meanwhile, and be reading it.
  if (contentsOf(folder, recipe) === null) {
    rmSync(folder, { recursive: true, force: true });
    renameSync(making, folder);
  } else rmSync(making, { recursive: true });
  return { folder, options, ...contents };
}

const recordFile = 'made.json';

/** Returns the recorded description of the data set in `folder`; null if there is none for these options. */
function contentsOf(folder, recipe) {
  const record = join(folder, recordFile);
  if (!existsSync(record)) return null;
  const made = JSON.parse(readFileSync(record, 'utf8'));
  return isDeepStrictEqual(made.recipe, recipe) ? made.contents : null;
}

/**
 * Dense rows as libsvm text, Vowpal Wabbit text and CSV with a header line: the same numbers with four decimals in
 * each.
 */
function denseWriter(folder, name) {
  const svm = new ByteFile(join(folder, `${name}.svm`));
  const vw = new ByteFile(join(folder, `${name}.vw`));
  const csv = new ByteFile(join(folder, `${name}.csv`));
  csv.text(`label,${Array.from({ length: columns }, (_, j) => `x${j + 1}`).join(',')}\n`);
  const most = 16 + 24 * columns;
  return {
    /** @param {{ values: Int32Array, label: number }} row */
    write({ values, label }) {
      svm.room(most);
      vw.room(most);
      csv.room(most);
      svm.text(label > 0 ? '+1' : '-1');
      csv.text(label > 0 ? '1' : '-1');
      vw.text(label > 0 ? '1 |f' : '-1 |f');
      const featuresFrom = svm.end;
      for (let j = 0; j < columns; j++) {
        csv.text(',');
        csv.end = putValue(csv.bytes, csv.end, values[j]);
        svm.text(' ');
        svm.end = putInteger(svm.bytes, svm.end, j + 1, 1);
        svm.text(':');
        svm.end = putValue(svm.bytes, svm.end, values[j]);
      }
      svm.text('\n');
      csv.text('\n');
      vw.end += svm.bytes.copy(vw.bytes, vw.end, featuresFrom, svm.end);
    },
    close: () => ({
      [`${name}.svm`]: svm.close(),
      [`${name}.vw`]: vw.close(),
      [`${name}.csv`]: csv.close(),
    }),
  };
}

function putValue(bytes, at, tenThousandths) {
  if (tenThousandths < 0) {
    bytes[at++] = 45;
    tenThousandths = -tenThousandths;
  }
  const whole = Math.floor(tenThousandths / 1e4);
  at = putInteger(bytes, at, whole, 1);
  bytes[at++] = 46;
  return putInteger(bytes, at, tenThousandths - 1e4 * whole, 4);
}
