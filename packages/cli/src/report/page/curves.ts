import type { Model } from 'halfspace';
import { type DescribedFunction, describeFunctions } from 'halfspace/models';
import { curvePicture, mostCurves } from 'halfspace-lab/picture/curve.ts';
import { gridPicture } from 'halfspace-lab/picture/grid.ts';
import { valueText } from 'halfspace-lab/picture/values.ts';
import { listed, number, numbers, percent } from '../format.ts';
import { cardOf, sectionOf } from './html.ts';
import { pictureOf } from './svg.ts';

type Curve = DescribedFunction['curves'][number];
type Grid = DescribedFunction['grids'][number];
type Steps = Grid['sides'][number];

/** Maximum number of charts in a page. */
const mostCharts = 30;

/** A curve or a grid of a class. */
interface Of<T> {
  readonly class: string;
  readonly part: T;
}

/**
 * Returns a section that draws what bent columns and pairs add to the score; nothing if there are none.
 *
 * @param means of the features over the training rows; null: not known.
 */
export function curveSection(model: Model, means: Float64Array | null): string {
  if (model.kind !== 'linear' && model.kind !== 'multiclass') return '';
  const { classes } = model;
  const isLinear = model.kind === 'linear';
  const charts = new Map<string, Of<Curve | Grid>[]>();
  for (const { class: of, curves, grids } of describeFunctions(model, means ?? undefined))
    for (const part of [...curves, ...grids]) {
      const name = 'sides' in part ? part.sides.map(({ column }) => column).join(' × ') : part.column;
      charts.set(name, [...(charts.get(name) ?? []), { class: of, part }]);
    }
  const bySpread = (a: Of<Curve | Grid>, b: Of<Curve | Grid>) => b.part.spread - a.part.spread;
  const all = [...charts]
    .map(([name, each]) => [name, each.sort(bySpread)] as const)
    .sort(([, [a]], [, [b]]) => bySpread(a!, b!));
  const cards = all.slice(0, mostCharts).map(([name, each], k) => {
    const [{ part, ...first }] = each as [Of<Curve | Grid>];
    return 'sides' in part
      ? gridCard(name, { ...first, part }, k, isLinear)
      : curveCard(name, each as readonly Of<Curve>[], k);
  });
  const further = all.slice(mostCharts).map(([name]) => name);
  const sides = isLinear ? ` Above 0 speaks for ${classes[1]}, below for ${classes[0]}.` : '';
  const mean = means === null ? '' : ' 0 is the mean over the training rows. Grey bars: rows in each interval.';
  const rest = further.length === 0 ? '' : ` Not drawn, because they move it less: ${listed(further, 20)}.`;
  return sectionOf(
    'What each column adds to the score',
    `What moves the score most comes first; each chart has its own scale.${sides}${mean}${rest}`,
    cards,
  );
}

function curveCard(column: string, all: readonly Of<Curve>[], k: number): string {
  const shown = all.slice(0, mostCurves);
  const [{ part, class: first }] = shown as [Of<Curve>];
  const { shares } = part;
  const names = stepNames(part);
  const values = numbers(shown.flatMap((each) => [...each.part.values]));
  const several = all.length > 1;
  const some =
    shown.length < all.length ? ` The ${shown.length} of ${all.length} classes that it moves most are drawn.` : '';
  const text = `It moves the score ${several ? `of ${first} ` : ''}by ${number(part.spread)} on average.${some}`;
  const curves = shown.map((each) => ({ class: each.class, curve: each.part }));
  return cardOf({
    title: column,
    text,
    body: pictureOf(curvePicture(curves, { width: 380, height: 260, text: 12 }), {
      ...{ id: `chart-${k}`, title: `What ${column} adds to the score` },
      description: `${text} ${shown.map(extremes).join(' ')}`,
    }),
    numbers: {
      caption: 'What each interval adds',
      columns: [column, ...(several ? shown.map((each) => each.class) : ['added']), ...(shares ? ['rows'] : [])],
      rows: names.map((name, j) => [
        name,
        ...shown.map((_, c) => values[c * names.length + j]!),
        ...(shares ? [percent(Math.min(1, shares[j]!))] : []),
      ]),
    },
  });
}

/** Returns where a curve is lowest and highest. */
function extremes({ class: name, part: { edges, values, format } }: Of<Curve>): string {
  const steps = values.subarray(0, edges.length + 1);
  const end = (value: number) => {
    const at = steps.indexOf(value);
    const where = at === 0 ? `below ${valueText(edges[0]!, format)}` : `from ${valueText(edges[at - 1]!, format)}`;
    return `${number(value)} ${where}`;
  };
  return `For ${name} the least is ${end(Math.min(...steps))}, the most ${end(Math.max(...steps))}.`;
}

function gridCard(name: string, { class: of, part }: Of<Grid>, k: number, isLinear: boolean): string {
  const { sides, values, spread } = part;
  const [rows, columns] = sides.map(stepNames) as [string[], string[]];
  const texts = numbers([...values]);
  const text = `The pair moves the score${isLinear ? '' : ` of ${of}`} by ${number(spread)} on average, beside what both columns add alone.`;
  return cardOf({
    title: name,
    text,
    body: pictureOf(gridPicture(part, { width: 380, height: 300, text: 12 }), {
      ...{ id: `chart-${k}`, title: `What ${name} adds to the score` },
      description: `${text} The least is ${number(Math.min(...values))}, the most ${number(Math.max(...values))}.`,
    }),
    numbers: {
      caption: `Columns: ${sides[1].column}`,
      columns: [sides[0].column, ...columns],
      rows: rows.map((row, i) => [row, ...texts.slice(i * columns.length, (i + 1) * columns.length)]),
    },
  });
}

/** Returns the names of the groups of a column: `< 3`, `3 to 5`, `≥ 5`, `missing`. */
function stepNames({ edges, names, format }: Steps): string[] {
  if (edges === null) return [...names];
  const texts = edges.map((edge) => (format === undefined ? String(edge) : valueText(edge, format)));
  return [`< ${texts[0]}`, ...texts.slice(1).map((text, k) => `${texts[k]} to ${text}`), `≥ ${texts.at(-1)}`, ...names];
}
