import {
  type LearningCurve,
  type Reliability,
  type RunPoint,
  type Spread,
  thinCurve,
  type ValidationCurve,
} from 'halfspace';
import { count, number } from '../format.ts';
import type { ClassRanking, Histogram } from '../score-analysis.ts';
import { colours, dashes, series, svgOf } from './svg.ts';

/** Points of a curve that are drawn, and that are written as numbers. */
const drawn = 200;
export const written = 25;

const unit = { domain: [0, 1], nice: false };
const shares = { format: '.0%', tickCount: 5 };
const plain = (title: string, more: object = {}) => ({ title, tickCount: 5, ...more });

/** A scale of names in the order given, in the colours of the house. */
function coloured(field: string, names: readonly string[], legend: boolean) {
  const scale = { domain: names, range: names.map((_, k) => series[k % series.length]) };
  return { field, type: 'nominal', sort: null, scale, ...(legend ? {} : { legend: null }) };
}

/** As `coloured`; the legends of both become one. */
function dashed(field: string, names: readonly string[], legend: boolean) {
  const scale = { domain: names, range: names.map((_, k) => dashes[k % dashes.length]) };
  return { field, type: 'nominal', sort: null, scale, ...(legend ? {} : { legend: null }) };
}

/** Lines of several classes beyond so many cannot be told apart; the worst are drawn. */
export const mostLines = series.length;

function lines(rankings: readonly ClassRanking[]): readonly ClassRanking[] {
  const present = rankings.filter(({ roc }) => roc !== null);
  if (present.length <= mostLines) return present;
  const worst = [...present].sort((a, b) => a.rocArea! - b.rocArea!).slice(0, mostLines);
  return present.filter((each) => worst.includes(each));
}

export function rocChart(rankings: readonly ClassRanking[]): Promise<string> {
  const shown = lines(rankings);
  const names = shown.map((each) => each.class);
  const values = shown.flatMap((each) => {
    const { falsePositiveRates, truePositiveRates } = thinCurve(each.roc!, drawn);
    return Array.from(falsePositiveRates, (x, i) => ({ x, y: truePositiveRates[i]!, i, class: each.class }));
  });
  return svgOf({
    id: 'roc',
    title: 'ROC curve',
    description: `Share of the class found over share of the others taken for it. ${shown.map((each) => `Area for ${each.class}: ${number(each.rocArea!)}`).join('. ')}.`,
    spec: {
      layer: [
        {
          data: {
            values: [
              { x: 0, y: 0 },
              { x: 1, y: 1 },
            ],
          },
          mark: { type: 'line', color: colours.muted, strokeDash: [3, 3], strokeWidth: 1 },
          encoding: square('others taken for the class', 'of the class, found'),
        },
        {
          data: { values },
          mark: { type: 'line', strokeWidth: 2.5, interpolate: 'linear', clip: false },
          encoding: {
            ...square('others taken for the class', 'of the class, found'),
            order: { field: 'i' },
            color: coloured('class', names, shown.length > 1),
            strokeDash: dashed('class', names, shown.length > 1),
          },
        },
      ],
    },
    height: 300,
  });
}

export function precisionRecallChart(rankings: readonly ClassRanking[]): Promise<string> {
  const shown = lines(rankings);
  const names = shown.map((each) => each.class);
  const values = shown.flatMap((each) => {
    const { recalls, precisions } = thinCurve(each.precisionRecall!, drawn);
    return Array.from(recalls, (x, i) => ({ x, y: precisions[i]!, i, class: each.class }));
  });
  return svgOf({
    id: 'precision-recall',
    title: 'Precision–recall curve',
    description: `Share of what is given the class that has it, over share of the class found. ${shown.map((each) => `Average precision for ${each.class}: ${number(each.averagePrecision!)}`).join('. ')}.`,
    spec: {
      data: { values },
      mark: { type: 'line', strokeWidth: 2.5, interpolate: 'step-before' },
      encoding: {
        ...square('of the class, found (recall)', 'rightly given it (precision)'),
        order: { field: 'i' },
        color: coloured('class', names, shown.length > 1),
        strokeDash: dashed('class', names, shown.length > 1),
      },
    },
    height: 300,
  });
}

function square(x: string, y: string) {
  return {
    x: { field: 'x', type: 'quantitative', scale: unit, axis: plain(x, shares) },
    y: { field: 'y', type: 'quantitative', scale: unit, axis: plain(y, shares) },
  };
}

export function histogramChart({ kind, edges, counts }: Histogram, classes: readonly string[]): Promise<string> {
  const totals = counts.map((own) =>
    Math.max(
      1,
      own.reduce((sum, n) => sum + n, 0),
    ),
  );
  const two = kind === 'scores';
  const names = two ? [classes[1]!, classes[0]!] : ['right', 'wrong'];
  const values = counts.flatMap((own, k) =>
    own.map((n, bin) => {
      const share = n / totals[k]!;
      const name = two ? classes[k]! : edges[bin]! >= 0 ? 'right' : 'wrong';
      return { from: edges[bin]!, to: edges[bin + 1]!, share: two && k === 0 ? -share : share, class: name };
    }),
  );
  return svgOf({
    id: 'scores',
    title: two ? 'Scores by class' : 'Leads of the true class',
    description: two
      ? `Histogram of scores: ${classes[1]} above the axis, ${classes[0]} below. The threshold is at 0.`
      : 'Histogram of the score of each row’s class less the highest other score: above 0 the row is right.',
    spec: {
      layer: [
        {
          data: { values },
          mark: { type: 'bar', binSpacing: 0.5 },
          encoding: {
            x: {
              field: 'from',
              type: 'quantitative',
              bin: { binned: true },
              axis: plain(two ? 'score' : 'lead', { grid: false, format: '.4~r' }),
            },
            x2: { field: 'to' },
            y: {
              field: 'share',
              type: 'quantitative',
              stack: null,
              axis: plain(two ? 'share of the class' : 'share of the rows', {
                labelExpr: 'format(abs(datum.value), "~%")',
              }),
            },
            color: coloured('class', names, true),
          },
        },
        {
          data: { values: [{}] },
          mark: { type: 'rule', color: colours.ink, strokeWidth: 1.5, strokeDash: [4, 3] },
          encoding: { x: { datum: 0, type: 'quantitative' } },
        },
      ],
    },
    height: 300,
  });
}

export function reliabilityChart(reliability: Reliability, what: string): Promise<string> {
  const { meanProbabilities, positiveShares, weights } = reliability;
  const values = Array.from(meanProbabilities, (x, i) => ({ x, y: positiveShares[i]!, rows: weights[i]! }));
  const axes = square('said: mean probability', what);
  return svgOf({
    id: 'reliability',
    title: 'Reliability',
    description: `How often what had a probability came true, over that probability, in ${values.length} groups of rows. On the diagonal probabilities are right; they are off by ${number(reliability.expectedCalibrationError)} on average.`,
    spec: {
      layer: [
        {
          data: {
            values: [
              { x: 0, y: 0 },
              { x: 1, y: 1 },
            ],
          },
          mark: { type: 'line', color: colours.muted, strokeDash: [3, 3], strokeWidth: 1 },
          encoding: axes,
        },
        { data: { values }, mark: { type: 'line', color: colours.blue, strokeWidth: 2 }, encoding: axes },
        {
          data: { values },
          mark: { type: 'point', filled: true, color: colours.blue, opacity: 1, size: 55 },
          encoding: axes,
        },
      ],
    },
    height: 300,
  });
}

/** Two lines with a band of one deviation to either side. */
function band(
  points: readonly (RunPoint & { readonly x: number })[],
  value: (spread: Spread) => number,
  {
    x,
    y,
    learned,
    heldOut,
  }: { readonly x: object; readonly y: string; readonly learned: string; readonly heldOut: string },
) {
  const names = [heldOut, learned];
  const values = points.flatMap((point) =>
    (
      [
        [heldOut, point.heldOut],
        [learned, point.learned],
      ] as const
    ).map(([name, spread]) => {
      const middle = value(spread);
      const low = Math.max(0, middle - spread.deviation);
      return { x: point.x, y: middle, low, high: Math.min(1, middle + spread.deviation), name };
    }),
  );
  const axis = plain(y, { format: '~%' });
  const scale = { zero: false, nice: true };
  return {
    data: { values },
    // One for all layers, so that there is one legend.
    encoding: { color: coloured('name', names, true) },
    layer: [
      {
        mark: { type: 'area', opacity: 0.18 },
        encoding: {
          x,
          y: { field: 'low', type: 'quantitative', scale, axis },
          y2: { field: 'high' },
        },
      },
      {
        mark: { type: 'line', strokeWidth: 2.5 },
        encoding: {
          x,
          y: { field: 'y', type: 'quantitative', scale, axis },
          strokeDash: dashed('name', names, true),
        },
      },
      {
        mark: { type: 'point', filled: true, opacity: 1, size: 30 },
        encoding: {
          x,
          y: { field: 'y', type: 'quantitative', scale, axis },
        },
      },
    ],
  };
}

const logarithmic = (title: string, values: readonly number[]) => ({
  field: 'x',
  type: 'quantitative',
  scale: { type: 'log', nice: false, domain: [values[0], values.at(-1)] },
  axis: {
    title,
    values: ticks(values),
    labelExpr: 'format(datum.value, "~s")',
    grid: false,
    labelOverlap: 'greedy',
    labelFlush: true,
  },
});

export function learningCurveChart({ points }: LearningCurve): Promise<string> {
  const xs = points.map(({ examples }) => examples);
  return svgOf({
    id: 'learning-curve',
    title: 'Learning curve',
    description: `Share right over the number of rows learned from, ${count(Math.round(xs[0]!))} to ${count(Math.round(xs.at(-1)!))}: held out ${number(points[0]!.heldOut.mean)} to ${number(points.at(-1)!.heldOut.mean)}.`,
    spec: band(
      points.map((point) => ({ ...point, x: point.examples })),
      ({ mean }) => mean,
      { x: logarithmic('rows learned from', xs), y: 'share right', learned: 'learned from', heldOut: 'held out' },
    ),
    height: 300,
  });
}

export function validationCurveChart({ points }: ValidationCurve): Promise<string> {
  const xs = points.map(({ passes }) => passes);
  return svgOf({
    id: 'validation-curve',
    title: 'Validation curve',
    description: `Share wrong over the number of passes, 1 to ${xs.at(-1)}: held out ${number(1 - points[0]!.heldOut.mean)} to ${number(1 - points.at(-1)!.heldOut.mean)}.`,
    spec: band(
      points.map((point) => ({ ...point, x: point.passes })),
      ({ mean }) => 1 - mean,
      { x: logarithmic('passes', xs), y: 'share wrong', learned: 'learned from', heldOut: 'held out' },
    ),
    height: 300,
  });
}

/** Round numbers, 1, 2, 5, 10 …, within the values. */
function ticks(values: readonly number[]): number[] {
  const all = Array.from({ length: 10 }, (_, e) => [10 ** e, 2 * 10 ** e, 5 * 10 ** e]).flat();
  return all.filter((tick) => tick >= values[0]! && tick <= values.at(-1)!);
}

/** More bars than this are drawn as a line. */
const mostBars = 40;

export function updatesChart(updates: readonly number[]): Promise<string> {
  const many = updates.length > mostBars;
  return svgOf({
    id: 'updates',
    title: 'Updates in each pass',
    description: `Updates in each of ${updates.length} passes: ${count(updates[0]!)} in the first, ${count(updates.at(-1)!)} in the last.`,
    spec: {
      data: { values: updates.map((n, i) => ({ pass: i + 1, n })) },
      mark: many ? { type: 'line', color: colours.blue, strokeWidth: 2 } : { type: 'bar', color: colours.blue },
      encoding: {
        x: {
          field: 'pass',
          type: many ? 'quantitative' : 'ordinal',
          axis: { title: 'pass', labelAngle: 0, labelOverlap: 'greedy', grid: false },
        },
        y: { field: 'n', type: 'quantitative', axis: plain('updates', { labelExpr: 'format(datum.value, "~s")' }) },
      },
    },
  });
}
