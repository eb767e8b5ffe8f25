import { csvCell } from 'halfspace/tables';
import type { Dataset, Table } from './dataset.ts';
import { threeClouds } from './generate.ts';
import { pixelName } from './pixels.ts';
import { dataPresets, type PresetValues } from './presets.ts';

/** A table that teaches one thing. */
export interface TablePreset {
  readonly id: string;
  readonly title: string;
  readonly teaches: string;
  /** Origin of the data. */
  readonly source: string;
  /** Loads the data from a separate file of the page. */
  readonly load: () => Promise<Table>;
}

type Cell = string | number | null;

/** Writes rows with the same fields as CSV. */
function csvOf(rows: readonly Readonly<Record<string, Cell>>[]): string {
  const lines = [Object.keys(rows[0]!), ...rows.map((row) => Object.values(row))];
  return lines.map((cells) => `${cells.map((cell) => csvCell(String(cell ?? ''))).join(',')}\n`).join('');
}

export const tablePresets: readonly TablePreset[] = [
  {
    id: 'three-clouds',
    title: 'Three clouds',
    teaches:
      'Three classes: a weight vector for each, and the highest score wins. The view “Three classes” shows them at once.',
    source: 'made from a seed by this page.',
    async load() {
      const rows = threeClouds({ count: 60, seed: 3 });
      const names = ['west', 'east', 'north'] as const;
      return {
        kind: 'table',
        name: 'three-clouds.csv',
        text: csvOf(rows.map(({ x, y, cloud }) => ({ x1: x, x2: y, class: names[cloud]! }))),
        label: 'class',
        positive: 'north',
        columns: null,
        scale: 'none',
      };
    },
  },
  {
    id: 'penguins',
    title: 'Penguins',
    teaches: 'Real measurements of 342 birds: a line tells Gentoo penguins from two other species.',
    source: 'Palmer Station, Antarctica LTER; K. Gorman; through vega-datasets.',
    async load() {
      const { default: text } = await import('../../../../node_modules/vega-datasets/data/penguins.json?raw');
      // Two birds were not measured.
      const rows = (JSON.parse(text) as Record<string, Cell>[]).filter((row) => row['Body Mass (g)'] !== null);
      const names: Readonly<Record<string, string>> = {
        Island: 'island',
        'Beak Length (mm)': 'beak length (mm)',
        'Beak Depth (mm)': 'beak depth (mm)',
        'Flipper Length (mm)': 'flipper length (mm)',
        'Body Mass (g)': 'body mass (g)',
        Sex: 'sex',
        Species: 'species',
      };
      return {
        kind: 'table',
        name: 'penguins.csv',
        text: csvOf(
          rows.map((row) =>
            Object.fromEntries(
              Object.entries(names).map(([from, to]) => {
                const cell = row[from] ?? null;
                // One sex is written as a dot: not known.
                return [to, cell === '.' ? null : cell];
              }),
            ),
          ),
        ),
        label: 'species',
        positive: 'Gentoo',
        columns: ['beak length (mm)', 'beak depth (mm)', 'flipper length (mm)', 'body mass (g)'],
        scale: 'standard',
      };
    },
  },
  {
    id: 'cars',
    title: 'Cars',
    teaches:
      'Cylinders, displacement, origin and year of 398 cars: is the mileage good or bad? A table for a line and for a tree.',
    source: 'Auto MPG, StatLib (Carnegie Mellon University); through vega-datasets.',
    async load() {
      const { default: text } = await import('../../../../node_modules/vega-datasets/data/cars.json?raw');
      const rows = (JSON.parse(text) as Record<string, Cell>[]).filter((row) => row.Miles_per_Gallon !== null);
      return {
        kind: 'table',
        name: 'cars.csv',
        text: csvOf(
          rows.map((row) => ({
            cyl: row.Cylinders!,
            disp: row.Displacement!,
            hp: row.Horsepower ?? null,
            weight: row.Weight_in_lbs!,
            accel: row.Acceleration!,
            year: Number(String(row.Year).slice(0, 4)),
            origin: row.Origin!,
            // Good: at least 23 miles to the gallon, the median of these cars.
            mileage: Number(row.Miles_per_Gallon) >= 23 ? 'good' : 'bad',
          })),
        ),
        label: 'mileage',
        positive: 'good',
        columns: ['cyl', 'disp', 'year', 'origin'],
        scale: 'standard',
      };
    },
  },
  {
    id: 'mails',
    title: 'Words of mails',
    teaches:
      'Forty short mails as counts of their words: the weights tell which words make a mail spam. Click on an example to read it.',
    source: 'written for this page.',
    async load() {
      const { default: text } = await import('./mails.txt?raw');
      const mails = text
        .trim()
        .split('\n')
        .map((line) => {
          const space = line.indexOf(' ');
          return { kind: line.slice(0, space), text: line.slice(space + 1) };
        });
      const wordsIn = (mail: string) => mail.toLowerCase().match(/[a-z]+/g) ?? [];
      const counts = new Map<string, number>();
      for (const mail of mails)
        for (const word of new Set(wordsIn(mail.text))) counts.set(word, (counts.get(word) ?? 0) + 1);
      // Words of one or two mails would be learned by heart; the shortest ones say nothing of the kind.
      const words = [...counts.keys()].filter((word) => counts.get(word)! >= 4 && word.length > 3).sort();
      return {
        kind: 'table',
        name: 'mails.csv',
        text: csvOf(
          mails.map(({ kind, text: mail }) => ({
            ...Object.fromEntries(words.map((word) => [word, wordsIn(mail).filter((each) => each === word).length])),
            mail,
            kind,
          })),
        ),
        label: 'kind',
        positive: 'spam',
        columns: words,
        scale: 'none',
      };
    },
  },
  {
    id: 'digits',
    title: 'Digits',
    teaches:
      '400 written digits of 8 × 8 pixels. The view “Digits” shows the weights as images; draw a digit there, and see what it is taken for.',
    source:
      'E. Alpaydin and C. Kaynak, “Optical Recognition of Handwritten Digits”, UCI Machine Learning Repository, 1998, CC BY 4.0; a part of its test set.',
    async load() {
      const { default: text } = await import('./digits.txt?raw');
      const rows = text
        .trim()
        .split('\n')
        .map((line) => ({
          ...Object.fromEntries(
            // A letter for each pixel: a is 0, q is 16.
            Array.from(line.slice(1), (letter, k) => [pixelName(k, 8), letter.charCodeAt(0) - 97]),
          ),
          digit: line[0]!,
        }));
      return {
        kind: 'table',
        name: 'digits.csv',
        text: csvOf(rows),
        label: 'digit',
        positive: '3',
        columns: null,
        scale: 'none',
      };
    },
  },
];

/** Returns the data of a preset, drawn or real, by its id. @throws RangeError for an unknown id. */
export async function presetDataset(id: string, values: PresetValues = {}): Promise<Dataset> {
  const drawn = dataPresets.find((preset) => preset.id === id);
  if (drawn !== undefined) return drawn.make(values);
  const table = tablePresets.find((preset) => preset.id === id);
  if (table === undefined) throw new RangeError(`expected the id of a preset; got ${JSON.stringify(id)}`);
  return table.load();
}
