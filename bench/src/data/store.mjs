import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createRowModel } from './dense-rows.mjs';
import { denseWriter } from './dense-writer.mjs';
import { createDocumentModel } from './documents.mjs';
import { mixedTableWriter } from './mixed-table.mjs';
import { textWriter } from './sparse-writers.mjs';

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
