import { byKind, type Check, check, list, listOf, nullable, number, positive, shape, text } from '../json.ts';
import type { Calibration, JointCalibration, ScoreCalibration } from './calibration.ts';

/** Returns a check of finite numbers that rise, or only do not fall. */
function rising(strictly: boolean): Check<readonly number[]> {
  const numbersOf = listOf(number);
  return (value, path) => {
    const numbers = numbersOf(value, path);
    const rises = numbers.every((x, k) => k === 0 || (strictly ? x > numbers[k - 1]! : x >= numbers[k - 1]!));
    check(rises && numbers.length > 0, path, strictly ? 'numbers, rising' : 'numbers that do not fall', value);
    return numbers;
  };
}

/** Returns a check of a calibration by points. @param name of the list of their places. */
function curve(name: 'scores' | 'leads'): Check<unknown> {
  const parse = shape({ kind: text, [name]: rising(true), probabilities: rising(false) } as Record<
    string,
    Check<readonly number[]>
  >);
  return (value, path) => {
    const points = parse(value, path);
    const { [name]: places, probabilities } = points as Record<string, readonly number[]>;
    const at = `${path}.probabilities`;
    check(probabilities!.length === places!.length, at, `${places!.length} numbers`, probabilities!.length);
    check(probabilities![0]! >= 0 && probabilities!.at(-1)! <= 1, at, 'in [0, 1]', probabilities);
    return points;
  };
}

const sigmoid = { kind: text, slope: number, intercept: number };
const clipped = shape({ ...sigmoid, low: number, high: number });

const scoreCalibration = byKind({
  platt: shape(sigmoid),
  'clipped-platt': (value: unknown, path: string) => {
    const calibration = clipped(value, path);
    check(calibration.low < calibration.high, `${path}.low`, `below ${calibration.high}`, calibration.low);
    return calibration;
  },
  isotonic: curve('scores'),
}) as Check<ScoreCalibration>;

const jointCalibration = byKind({
  softmax: shape({ kind: text, slope: (value, path) => number(value, path, 0), reach: nullable(positive) }),
  'isotonic-leads': curve('leads'),
}) as Check<JointCalibration>;

/** Reads a calibration from JSON: of one score for two classes, else of all scores together. */
export function decodeCalibration(value: unknown, classes: number): readonly [Calibration] | null {
  if (value === null) return null;
  const path = 'calibration';
  const all = list(value, path);
  check(all.length === 1, path, 'null or a list of one', value);
  return [(classes === 2 ? scoreCalibration : jointCalibration)(all[0], path)];
}
