/** Draws the picture of the README: a run of the perceptron on penguins, by the engine and the pictures of the lab. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defaultAlgorithm } from '../src/algorithm/algorithm.ts';
import type { Table } from '../src/data/dataset.ts';
import { type Examples, vectorAt } from '../src/engine/examples.ts';
import { LocalEngine } from '../src/engine/local-engine.ts';
import { type Recording, snapshot } from '../src/engine/recording.ts';
import { type Axes, axesIn, rangeOf } from '../src/picture/axes.ts';
import { cornersOf, cutHalfPlane, inPixels } from '../src/picture/clip.ts';
import { classRole, exampleMark, pathMark, symbolMark, textMark } from '../src/picture/marks.ts';
import type { Frame, Mark, Picture, Spot } from '../src/picture/picture.ts';
import { levelLine, sides } from '../src/views/plane/lines.ts';
import type { Slice } from '../src/views/plane/projection.ts';

/** Large text, because a README shows the picture smaller. */
const frame: Frame = { width: 960, height: 520, text: 21 };

/** Columns of the penguins that are drawn. */
const across = 'Body Mass (g)';
const upwards = 'Beak Depth (mm)';

/** Name of the picture, for those who do not see it. */
export const title =
  'A perceptron learns to tell Gentoo penguins from others: the line after each of its five mistakes, and the margin ' +
  'of the last line, which separates all 342 penguins';

/** Draws the line after each mistake of a perceptron, and the margin of the last one. */
export async function readmePicture(): Promise<Picture> {
  const engine = new LocalEngine();
  const examples = await engine.open(penguins());
  const run = await engine.run({ ...defaultAlgorithm, as: null, order: 'shuffled-once', seed: 24 });
  const axes = axesOf(examples);
  const lines = Array.from(run.updates, (_, k) => sliceAfter(run, k + 1));
  const last = lines.pop()!;
  const marks = [
    ...sides(axes, last),
    ...marginMarks(axes, last, run.report.train!.margin!),
    ...axes.marks,
    ...Array.from(examples.labels, (label, row) =>
      exampleMark(label, spotOf(axes, examples, row), 11, { stroke: 'paper', width: 1.2, opacity: 0.85 }),
    ),
    ...lines.flatMap((line, k) =>
      levelLine(axes, line, 0, { ...named(k + 1), stroke: 'answer', width: 2.5, opacity: 0.4 + 0.15 * k }),
    ),
    ...levelLine(axes, last, 0, { ...named(lines.length + 1), stroke: 'line', width: 5 }),
    ...mistakeMarks(axes, examples, run),
    ...classNames(axes),
  ];
  return { width: frame.width, height: frame.height, marks };
}

/** The penguins of vega-datasets with both measures. */
function penguins(): Table {
  const file = resolve(import.meta.dirname, '../../../node_modules/vega-datasets/data/penguins.json');
  const rows = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string | number | null>[];
  const lines = rows
    .filter((row) => row[across] !== null)
    .map((row) => [row[across], row[upwards], row.Species === 'Gentoo' ? 'Gentoo' : 'other'].join());
  const text = `${[[across, upwards, 'species'].join(), ...lines].join('\n')}\n`;
  return {
    kind: 'table',
    name: 'penguins.csv',
    text,
    label: 'species',
    positive: 'Gentoo',
    columns: null,
    scale: 'standard',
  };
}

function axesOf({ dimension, vectors, encoding }: Examples): Axes {
  const axis = (which: 0 | 1, name: string) => {
    const [from, to] = rangeOf(
      vectors.filter((_, k) => k % dimension === which),
      0.09,
    );
    const { mean, deviation } = encoding.columns[which] as { mean: number; deviation: number };
    return { from, to, title: name, grid: false, measure: { offset: mean, scale: deviation } };
  };
  return axesIn(frame, { horizontal: axis(0, 'body mass in grams'), vertical: axis(1, 'beak depth in millimetres') });
}

function sliceAfter(run: Recording, update: number): Slice {
  const { weights, bias } = snapshot(run, run.present, update);
  return [weights[0]!, weights[1]!, bias];
}

function spotOf({ x, y }: Axes, examples: Examples, row: number): Spot {
  const [u, v] = vectorAt(examples, row);
  return [x(u!), y(v!)];
}

/** Draws the strip around a line that has no examples. */
function marginMarks(axes: Axes, line: Slice, margin: number): Mark[] {
  const level = margin * Math.hypot(line[0], line[1]);
  const [a, b, c] = inPixels(axes, line);
  const strip = cutHalfPlane(cutHalfPlane(cornersOf(axes), a, b, c + level), -a, -b, level - c);
  return [
    pathMark(strip, { closed: true, fill: 'paper', opacity: 0.75, id: 'margin' }),
    ...[-level, level].flatMap((each) =>
      levelLine(axes, line, each, { stroke: classRole(each), width: 2, dash: [9, 6], id: 'edge of the margin' }),
    ),
  ];
}

const named = (number: number) => ({ name: String(number), end: 0 as const, id: `line ${number}`, text: frame.text });

/** Marks the examples that were mistakes with their numbers. */
function mistakeMarks(axes: Axes, examples: Examples, { updates, rows }: Recording): Mark[] {
  const numbers = new Map<number, number[]>();
  updates.forEach((step, k) => {
    const row = rows[step - 1]!;
    numbers.set(row, [...(numbers.get(row) ?? []), k + 1]);
  });
  return [...numbers].flatMap(([row, mistakes]) => {
    const [x, y] = spotOf(axes, examples, row);
    const style = { weight: 'bold', fill: 'update', stroke: 'paper', width: 4 } as const;
    return [
      symbolMark('ring', [x, y], 24, { stroke: 'update', width: 3, id: `mistake ${mistakes}` }),
      textMark([x + 18, y - 14], mistakes.join(', '), frame.text, style),
    ];
  });
}

function classNames({ left, right, top, bottom }: Axes): Mark[] {
  const size = frame.text * 1.1;
  return [
    textMark([left + size, top + size], 'Adelie and Chinstrap', size, { weight: 'bold', fill: 'negative' }),
    textMark([right - size, bottom - size], 'Gentoo', size, { anchor: 'end', weight: 'bold', fill: 'positive' }),
  ];
}
