import { check, finite, list, type Members, members, number, oneOf, positive, unfit } from '../json.ts';
import type { Calibration, JointCalibration, ScoreCalibration } from './calibration.ts';

/** Reads calibrations from JSON. @param outputs scores of an example: 1 for two classes, else one for each class. */
export function decodeCalibration(value: unknown, outputs: number): readonly Calibration[] | null {
  if (value === null) return null;
  const all = list(value, 'calibration').map((each) => members(each, 'calibration'));
  if (outputs > 1 && all.length === 1 && jointKinds.has(all[0]!.kind)) return [decodeJointCalibration(all[0]!)];
  const joint = outputs === 1 ? '' : ', or one of all scores';
  check(all.length === outputs, 'calibration', `null or ${outputs} of them${joint}`, value);
  return all.map(decodeScoreCalibration);
}

function decodeScoreCalibration(value: Members): ScoreCalibration {
  const kind = oneOf(value.kind, 'calibration.kind', ['platt', 'clipped-platt', 'isotonic'] as const);
  if (kind === 'isotonic') {
    const { at: scores, probabilities } = decodeCurve(value, 'scores');
    return { kind, scores, probabilities };
  }
  const sigmoid = { slope: finite(value.slope, 'slope'), intercept: finite(value.intercept, 'intercept') };
  if (kind === 'platt') return { kind, ...sigmoid };
  const [low, high] = [finite(value.low, 'low'), finite(value.high, 'high')];
  check(low < high, 'calibration.low', `below ${high}`, low);
  return { kind, ...sigmoid, low, high };
}

const jointKinds: ReadonlySet<unknown> = new Set<JointCalibration['kind']>(['softmax', 'isotonic-leads']);

function decodeJointCalibration(value: Members): JointCalibration {
  if (value.kind === 'isotonic-leads') {
    const { at: leads, probabilities } = decodeCurve(value, 'leads');
    return { kind: value.kind, leads, probabilities };
  }
  return {
    kind: 'softmax',
    slope: number(value.slope, 'slope', 0),
    reach: value.reach === null ? null : positive(value.reach, 'reach'),
  };
}

function decodeCurve(value: Members, name: 'scores' | 'leads'): { at: number[]; probabilities: number[] } {
  const { [name]: at, probabilities } = value;
  if (!Array.isArray(at) || at.length === 0 || !rises(at, true))
    throw unfit(`calibration.${name}`, 'finite numbers, rising', at);
  if (!Array.isArray(probabilities) || probabilities.length !== at.length || !rises(probabilities, false))
    throw unfit('calibration.probabilities', `${at.length} numbers that do not fall`, probabilities);
  check(probabilities[0] >= 0 && probabilities.at(-1) <= 1, 'calibration.probabilities', 'in [0, 1]', probabilities);
  return { at, probabilities };
}

function rises(numbers: readonly unknown[], strictly: boolean): boolean {
  return numbers.every((number, k) => {
    if (typeof number !== 'number' || !Number.isFinite(number)) return false;
    const before = k === 0 ? -Infinity : (numbers[k - 1] as number);
    return strictly ? number > before : number >= before;
  });
}
