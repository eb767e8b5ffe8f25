import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchFolder } from '../run/process.mjs';
import { writeParts } from './parts.mjs';
import { runPython } from './scikit-learn.mjs';

/**
 * Tables that nothing was tuned to: of vega-datasets, and those that scikit-learn brings or makes.
 *
 * @typedef {object} Further
 * @property {string} name
 * @property {(folder: string) => import('./sets.mjs').QualitySet} write
 */

/**
 * @param {string | null} python one that has scikit-learn
 *
 * @returns {{ here: Further[], absent: { name: string }[] }}
 */
export function furtherSets(python) {
  const folder = vegaFolder();
  const fromVega = Object.entries(vegaTables).map(([name, table]) => ({
    name,
    write: (to) =>
      writeTable(
        to,
        name,
        table.rows((file) => readRows(join(folder, file))),
        table,
      ),
  }));
  const bundled = python === null ? null : JSON.parse(runPython(python, script, {}));
  const fromPython = Object.entries(bundled ?? {}).map(([name, rows]) => ({
    name,
    write: (to) => writeTable(to, name, rows, { label: 'class' }),
  }));
  return {
    here: [...fromPython, ...(folder === null ? [] : fromVega)],
    absent: [
      ...(bundled === null ? [{ name: "scikit-learn's own tables" }] : []),
      ...(folder === null ? fromVega.map(({ name }) => ({ name })) : []),
    ],
  };
}

const script = fileURLToPath(new URL('further_tables.py', import.meta.url));

/**
 * @typedef {Record<string, string | number | null>} Row
 * @type {Record<string, { label: string, texts?: string[], dates?: string[], rows: (read: (file: string) => Row[]) =>
 * Row[] }>}
 */
const vegaTables = {
  cars: { label: 'Origin', dates: ['Year'], rows: (read) => read('cars.json') },
  penguins: { label: 'Species', rows: (read) => read('penguins.json') },
  movies: {
    label: 'Major Genre',
    texts: ['Title'],
    dates: ['Release Date'],
    rows: (read) =>
      read('movies.json')
        .filter((row) => row['Major Genre'] !== null)
        .map((row) => ({ ...row, 'Release Date': isoDate(row['Release Date']) })),
  },
  birdstrikes: {
    label: 'Effect Amount of damage',
    dates: ['Flight Date'],
    rows: (read) => read('birdstrikes.csv'),
  },
  airports: {
    label: 'state',
    texts: ['name'],
    rows: (read) => read('airports.csv').map(({ iata: _, country: __, ...row }) => row),
  },
  weather: { label: 'weather', dates: ['date'], rows: (read) => read('weather.csv') },
  flights: {
    label: 'late',
    dates: ['date'],
    rows: (read) =>
      read('flights-5k.json').map(({ delay, ...row }) => ({ ...row, late: Number(delay) > 15 ? 'yes' : 'no' })),
  },
  football: {
    label: 'result',
    dates: ['date'],
    rows: (read) =>
      read('football.json').map(({ home_score: home, away_score: away, ...row }) => ({
        ...row,
        result: home > away ? 'home' : home < away ? 'away' : 'draw',
      })),
  },
  jobs: { label: 'sex', rows: (read) => read('jobs.json') },
  gapminder: { label: 'cluster', rows: (read) => read('gapminder.json').map(({ country: _, ...row }) => row) },
  earthquakes: {
    label: 'magType',
    texts: ['place'],
    rows: (read) =>
      read('earthquakes.json').map((row) => {
        const { mag, place, tsunami, sig, nst, dmin, rms, gap, type, magType } = row;
        return { mag, place, tsunami, sig, nst, dmin, rms, gap, type, magType };
      }),
  },
};

/** Writes rows as CSV, without those that have no label, which NA is too. */
function writeTable(folder, name, rows, { label, texts = [], dates = [] }) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (cells) => cells.map(cellText).join(',');
  const labelled = rows.filter((row) => !['', 'NA'].includes(cellText(row[label])));
  const shape = { name, format: /** @type {const} */ ('csv'), header: line(columns), label, texts, dates };
  return writeParts(
    folder,
    shape,
    labelled.map((row) => line(columns.map((column) => row[column]))),
  );
}

function cellText(value) {
  if (value === null || value === undefined) return '';
  const text = String(value).replaceAll(/\s+/g, ' ').trim();
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** "Jun 12 1998" as 1998-06-12. */
function isoDate(text) {
  const date = new Date(`${text} UTC`);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10);
}

/** @returns {Row[]} */
function readRows(file) {
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('.csv')) return csvRows(text);
  const value = JSON.parse(text);
  return Array.isArray(value) ? value : value.features.map(({ properties }) => properties);
}

/** Comma-separated text with quoted cells but no line breaks in them. */
function csvRows(text) {
  const [names, ...rows] = text
    .trim()
    .split(/\r?\n/)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
        quoted === undefined ? plain : quoted.replaceAll('""', '"'),
      ),
    );
  return rows.map((cells) => Object.fromEntries(names.map((name, k) => [name, cells[k] ?? ''])));
}

/** Among the packages of this repository's root; null where that is not installed. */
function vegaFolder() {
  const folder = join(benchFolder, '../node_modules/vega-datasets/data');
  return existsSync(folder) ? folder : null;
}
