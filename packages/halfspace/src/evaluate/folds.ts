import { HalfspaceError } from '../errors.ts';
import { checkLabelled } from '../model/label-checks.ts';
import { Random } from '../random.ts';
import { checkWhole } from './checks.ts';

/** Each repetition has its own random stream; a training run with the same seed uses other streams. */
const firstStream = 64;

/**
 * Deals examples to stratified folds: of a class with c examples each fold gets ⌊c/k⌋ or ⌈c/k⌉, and of all n examples
 * ⌊n/k⌋ or ⌈n/k⌉. Equal labels, folds and seed give equal results everywhere.
 *
 * @param labels n labels, −1 or +1, at least k of each.
 * @param folds k, a whole number from 2.
 * @param seed a whole number in [0, 2⁵³). Default 1.
 * @returns n fold numbers in [0, k).
 * @throws HalfspaceError `option-invalid`, `source-empty`, `label-missing`.
 */
export function stratifiedFolds(labels: Float64Array, folds: number, seed = 1): Uint32Array {
  return repeatedStratifiedFolds(labels, { folds, repeats: 1, seed })[0]!;
}

export interface RepeatedFoldsOptions {
  /** k, a whole number from 2. */
  readonly folds: number;
  /** Number of repetitions, a whole number from 1. */
  readonly repeats: number;
  /** A whole number in [0, 2⁵³). Default 1. */
  readonly seed?: number | undefined;
}

/** Returns {@link stratifiedFolds} for every repetition; the first is the same. None depends on how many follow. */
export function repeatedStratifiedFolds(
  labels: Float64Array,
  { folds, repeats, seed = 1 }: RepeatedFoldsOptions,
): Uint32Array[] {
  checkLabelled(labels.length, labels, null);
  checkWhole('folds', folds, 2);
  checkWhole('repeats', repeats, 1);
  checkWhole('seed', seed, 0);
  const rows = Uint32Array.from(labels.keys());
  const positive = rows.filter((i) => labels[i]! > 0);
  const negative = rows.filter((i) => labels[i]! < 0);
  const rarer = Math.min(positive.length, negative.length);
  if (folds > rarer)
    throw new HalfspaceError(
      'option-invalid',
      `folds must be at most the number of examples of the rarer class, ${rarer}; got ${folds}`,
    );
  return Array.from({ length: repeats }, (_, repeat) => dealFolds(labels, folds, seed, repeat));
}

/**
 * Deals the folds of one repetition for any number of classes, without checks. If a class has fewer examples than
 * folds, some folds lack it.
 */
export function dealFolds(labels: Float64Array, folds: number, seed: number, repeat: number): Uint32Array {
  const random = new Random(seed, firstStream + repeat);
  const members = new Map<number, number[]>();
  labels.forEach((label, i) => {
    const known = members.get(label);
    if (known === undefined) members.set(label, [i]);
    else known.push(i);
  });
  const numbers = new Uint32Array(labels.length);
  let dealt = 0;
  for (const label of [...members.keys()].sort((a, b) => b - a)) {
    const order = Uint32Array.from(members.get(label)!);
    random.shuffle(order);
    for (const i of order) numbers[i] = dealt++ % folds;
  }
  return numbers;
}
