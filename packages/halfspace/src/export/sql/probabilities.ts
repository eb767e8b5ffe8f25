import type { Model } from '../../model/model.ts';
import { type Dialect, number } from './dialect.ts';

type Calibration = NonNullable<Model['calibration']>[number];

/**
 * Writes the probabilities of the classes by the scores: of two classes that of the second one, else one per class.
 *
 * @param scores expressions of the scores.
 * @param own returns a name that no column of the table has.
 * @returns expressions, and the joins that they need.
 */
export function probabilities(
  calibration: readonly [Calibration],
  scores: readonly string[],
  { lateral, quote }: Dialect,
  own: (name: string) => string,
): { readonly expressions: readonly string[]; readonly joins: readonly string[] } {
  const [first] = calibration;
  if (scores.length === 1) return { expressions: [ofScore(first, scores[0]!)], joins: [] };
  const highest = `GREATEST(${scores.join(', ')})`;
  const parts = scores.map((score, k) => {
    if (first.kind === 'softmax') {
      const behind = `${score} - ${highest}`;
      const reached = first.reach === null ? behind : `GREATEST(${behind}, ${number(-first.reach)})`;
      return first.slope === 0 ? '1e0' : exponential(`${number(first.slope)} * (${reached})`);
    }
    const { leads, probabilities } = first as Extract<Calibration, { kind: 'isotonic-leads' }>;
    const others = scores.filter((_, j) => j !== k);
    return interpolated(leads, probabilities, `(${score} - GREATEST(${others.join(', ')}))`);
  });
  const [alias, total] = [own('parts'), own('total')].map(quote);
  const names = parts.map((_, k) => quote(own(`part_${k + 1}`)));
  const sum = quote(own('sum'));
  const share = (name: string) =>
    `CASE WHEN ${total}.${sum} = 0 THEN ${number(1 / scores.length)} ELSE ${alias}.${name} / ${total}.${sum} END`;
  return {
    expressions: names.map(share),
    joins: [
      lateral(alias!, new Map(names.map((name, k) => [name, parts[k]!]))),
      lateral(total!, new Map([[sum, names.map((name) => `${alias}.${name}`).join(' + ')]])),
    ],
  };
}

function ofScore(calibration: Calibration, score: string): string {
  switch (calibration.kind) {
    case 'isotonic':
      return interpolated(calibration.scores, calibration.probabilities, score);
    case 'platt':
    case 'clipped-platt': {
      const { slope, intercept } = calibration;
      const s =
        calibration.kind === 'platt'
          ? score
          : `LEAST(GREATEST(${score}, ${number(calibration.low)}), ${number(calibration.high)})`;
      const z = slope === 0 ? number(intercept) : `(${number(slope)} * ${s} + ${number(intercept)})`;
      const e = exponential(`-ABS(${z})`);
      return `CASE WHEN ${z} >= 0 THEN 1e0 / (1 + ${e}) ELSE ${e} / (1 + ${e}) END`;
    }
    default:
      throw new Error('a joint calibration has several scores');
  }
}

/** Writes the exponential of a number up to 0. Below -745 it counts as -745: databases refuse an underflow. */
function exponential(x: string): string {
  return `EXP(GREATEST(${x}, -745e0))`;
}

/** Writes the function of src/model/calibration.ts that interpolates between points. */
function interpolated(xs: readonly number[], ys: readonly number[], x: string): string {
  const cases = xs.map((to, k) => {
    if (k === 0) return `WHEN ${x} < ${number(to)} THEN ${number(ys[0]!)}`;
    const [from, before, after] = [xs[k - 1]!, ys[k - 1]!, ys[k]!];
    const width = to - from;
    const share =
      width < Infinity
        ? `(${x} - ${number(from)}) / ${number(width)}`
        : `(${x} / 2 - ${number(from / 2)}) / ${number(to / 2 - from / 2)}`;
    const between =
      before === after
        ? number(before)
        : `LEAST(${number(after)}, ${number(before)} + ${share} * ${number(after - before)})`;
    return `WHEN ${x} < ${number(to)} THEN ${between}`;
  });
  return `CASE ${cases.join(' ')} ELSE ${number(ys.at(-1)!)} END`;
}
