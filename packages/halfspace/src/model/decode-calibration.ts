import {
  byKind,
  type Check,
  check,
  finite,
  isObject,
  list,
  listOf,
  nullable,
  number,
  positive,
  shape,
  text,
} from '../json.ts';
import type { Calibration, JointCalibration, ScoreCalibration } from './calibration.ts';

/** Returns a check of finite numbers that rise, or only do not fall. */
function rising(strictly: boolean): Check<readonly number[]> {
  const numbersOf = listOf(finite);
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

const sigmoid = { kind: text, slope: finite, intercept: finite };
const clipped = shape({ ...sigmoid, low: finite, high: finite });

const scoreCalibration = byKind({
  platt: shape(sigmoid),
  'clipped-platt': (value: unknown, path: string) => {
    const calibration = clipped(value, path);
    check(calibration.low < calibration.high, `${path}.low`, `below ${calibration.high}`, calibration.low);
    return calibration;
  },
  isotonic: curve('scores'),
}) as Check<ScoreCalibration>;

const jointKinds = {
  softmax: shape({ kind: text, slope: (value, path) => number(value, path, 0), reach: nullable(positive) }),
  'isotonic-leads': curve('leads'),
};
const jointCalibration = byKind(jointKinds) as Check<JointCalibration>;

/** Reads calibrations from JSON. @param outputs scores of an example: 1 for two classes, else one for each class. */
export function decodeCalibration(value: unknown, outputs: number): readonly Calibration[] | null {
  if (value === null) return null;
  const path = 'calibration';
  const all = list(value, path);
  const [first] = all;
  const kind = isObject(first) ? first.kind : null;
  if (outputs > 1 && all.length === 1 && typeof kind === 'string' && Object.hasOwn(jointKinds, kind))
    return [jointCalibration(first, path)];
  const joint = outputs === 1 ? '' : ', or one of all scores';
  check(all.length === outputs, path, `null or ${outputs} of them${joint}`, value);
  return all.map((each) => scoreCalibration(each, path));
}
