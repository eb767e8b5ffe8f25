import {
  type LearningCurve,
  type Reliability,
  type RunPoint,
  thinCurve,
  type ValidationCurve,
} from 'halfspace/metrics';
import { count, number } from '../format.ts';
import type { ClassRanking, Histogram } from '../score-analysis.ts';
import { colours, dashes, series, svgOf } from './svg.ts';

/** Number of points of a curve that are drawn, and that are listed as numbers. */
const drawn = 200;
export const written = 25;

const unit = { domain: [0, 1], nice: false };
const shares = { format: '.0%', tickCount: 5 };
const plain = (title: string, more: object = {}) => ({ title, tickCount: 5, ...more });

/** Returns an encoding of names, in the order given, by the values of a range. Equal encodings share one legend. */
function named(field: string, names: readonly string[], range: readonly unknown[], legend: boolean) {
  const scale = { domain: names, range: names.map((_, k) => range[k % range.length]) };
  return { field, type: 'nominal', sort: null, scale, ...(legend ? {} : { legend: null }) };
}

/** Maximum number of classes in one chart; the worst classes are drawn. */
export const mostLines = series.length;

function worst(rankings: readonly ClassRanking[]): readonly ClassRanking[] {
  const present = rankings.filter(({ roc }) => roc !== null);
  const shown = [...present].sort((a, b) => a.rocArea! - b.rocArea!).slice(0, mostLines);
  return present.filter((each) => shown.includes(each));
}

/** The two axes of a chart of shares. */
function square(x: string, y: string) {
  return {
    x: { field: 'x', type: 'quantitative', scale: unit, axis: plain(x, shares) },
    y: { field: 'y', type: 'quantitative', scale: unit, axis: plain(y, shares) },
  };
}

/** Returns a dotted diagonal. */
function diagonal(encoding: object) {
  const values = [0, 1].map((at) => ({ x: at, y: at }));
  const mark = { type: 'line', color: colours.muted, strokeDash: [3, 3], strokeWidth: 1 };
  return { data: { values }, mark, encoding };
}

/** Returns one line per class. @param points returns the coordinates of a class's line. */
function classLines(
  shown: readonly ClassRanking[],
  axes: object,
  interpolate: string,
  points: (ranking: ClassRanking) => readonly (readonly number[])[],
) {
  const names = shown.map((each) => each.class);
  const values = shown.flatMap((each) => points(each).map(([x, y], i) => ({ x, y, i, class: each.class })));
  const legend = names.length > 1;
  return {
    data: { values },
    mark: { type: 'line', strokeWidth: 2.5, interpolate },
    encoding: {
      ...axes,
      order: { field: 'i' },
      color: named('class', names, series, legend),
      strokeDash: named('class', names, dashes, legend),
    },
  };
}

export function rocChart(rankings: readonly ClassRanking[]): Promise<string> {
  const shown = worst(rankings);
  const axes = square('false positive rate', 'true positive rate');
  const curves = classLines(shown, axes, 'linear', ({ roc }) => {
    const { falsePositiveRates, truePositiveRates } = thinCurve(roc!, drawn);
    return Array.from(falsePositiveRates, (x, i) => [x, truePositiveRates[i]!]);
  });
  return svgOf({
    id: 'roc',
    title: 'ROC curve',
    description: `True positive rate over false positive rate. ${shown.map((each) => `Area for ${each.class}: ${number(each.rocArea!)}`).join('. ')}.`,
    spec: { layer: [diagonal(axes), curves] },
    height: 300,
  });
}

export function precisionRecallChart(rankings: readonly ClassRanking[]): Promise<string> {
  const shown = worst(rankings);
  return svgOf({
    id: 'precision-recall',
    title: 'Precision–recall curve',
    description: `Precision over recall. ${shown.map((each) => `Average precision for ${each.class}: ${number(each.averagePrecision!)}`).join('. ')}.`,
    spec: classLines(shown, square('recall', 'precision'), 'step-before', ({ precisionRecall }) => {
      const { recalls, precisions } = thinCurve(precisionRecall!, drawn);
      return Array.from(recalls, (x, i) => [x, precisions[i]!]);
    }),
    height: 300,
  });
}

export function histogramChart({ kind, edges, counts }: Histogram, classes: readonly string[]): Promise<string> {
  const totals = counts.map((own) => own.reduce((sum, n) => sum + n, 0) || 1);
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
            color: named('class', names, series, true),
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
  const encoding = square('mean predicted probability', what);
  const color = colours.blue;
  return svgOf({
    id: 'reliability',
    title: 'Reliability',
    description: `Observed frequency over predicted probability, in ${values.length} groups of rows. On the diagonal probabilities are right. The mean distance from it is ${number(reliability.expectedCalibrationError)}.`,
    spec: {
      layer: [
        diagonal(encoding),
        { data: { values }, mark: { type: 'line', color, strokeWidth: 2 }, encoding },
        { data: { values }, mark: { type: 'point', filled: true, color, opacity: 1, size: 55 }, encoding },
      ],
    },
    height: 300,
  });
}

/** Returns the lines of training and held-out rows, each with a band of one standard deviation to both sides. */
function band(
  points: readonly (RunPoint & { readonly x: number })[],
  x: object,
  title: string,
  value: (mean: number) => number,
) {
  const names = ['held out', 'training'];
  const values = points.flatMap((point) =>
    [point.heldOut, point.learned].map(({ mean, deviation }, k) => {
      const y = value(mean);
      return { x: point.x, y, low: Math.max(0, y - deviation), high: Math.min(1, y + deviation), name: names[k] };
    }),
  );
  const axis = plain(title, { format: '~%' });
  const quantity = (field: string) => ({ field, type: 'quantitative', scale: { zero: false, nice: true }, axis });
  const y = quantity('y');
  const strokeDash = named('name', names, dashes, true);
  return {
    data: { values },
    // One encoding for all layers gives one legend.
    encoding: { color: named('name', names, series, true) },
    layer: [
      { mark: { type: 'area', opacity: 0.18 }, encoding: { x, y: quantity('low'), y2: { field: 'high' } } },
      { mark: { type: 'line', strokeWidth: 2.5 }, encoding: { x, y, strokeDash } },
      { mark: { type: 'point', filled: true, opacity: 1, size: 30 }, encoding: { x, y } },
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
  const shown = points.map((point) => ({ ...point, x: point.examples }));
  return svgOf({
    id: 'learning-curve',
    title: 'Learning curve',
    description: `Accuracy over the number of training rows, ${count(Math.round(xs[0]!))} to ${count(Math.round(xs.at(-1)!))}: held out ${number(points[0]!.heldOut.mean)} to ${number(points.at(-1)!.heldOut.mean)}.`,
    spec: band(shown, logarithmic('training rows', xs), 'accuracy', (mean) => mean),
    height: 300,
  });
}

export function validationCurveChart({ points }: ValidationCurve): Promise<string> {
  const xs = points.map(({ passes }) => passes);
  const shown = points.map((point) => ({ ...point, x: point.passes }));
  return svgOf({
    id: 'validation-curve',
    title: 'Validation curve',
    description: `Error rate over the number of passes, 1 to ${xs.at(-1)}: held out ${number(1 - points[0]!.heldOut.mean)} to ${number(1 - points.at(-1)!.heldOut.mean)}.`,
    spec: band(shown, logarithmic('passes', xs), 'error rate', (mean) => 1 - mean),
    height: 300,
  });
}

/** Returns the round numbers 1, 2, 5, 10 … within the values. */
function ticks(values: readonly number[]): number[] {
  const all = Array.from({ length: 10 }, (_, e) => [10 ** e, 2 * 10 ** e, 5 * 10 ** e]).flat();
  return all.filter((tick) => tick >= values[0]! && tick <= values.at(-1)!);
}

/** Maximum number of bars; more are drawn as a line. */
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
        y: { field: 'n', type: 'quantitative', axis: plain('updates', { format: '~s', tickMinStep: 1 }) },
      },
    },
  });
}
