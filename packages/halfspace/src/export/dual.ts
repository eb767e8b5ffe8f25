import { HalfspaceError } from '../errors.ts';
import type { DualFunction } from '../model/dual/function.ts';
import type { KernelFunction } from '../model/dual/kernel-function.ts';
import type { Model } from '../model/model.ts';

export type DualModel = Extract<Model, { kind: 'dual' }>;

/** A function in dual form as an exported program has it. */
export interface Expansion {
  readonly kernel: KernelFunction;
  readonly biasConstant: number;
  /** Support row j has `values[k]` at `places[k]`, k in [offsets[j], offsets[j + 1]). */
  readonly offsets: readonly number[];
  /** Positions among the model's {@link Expansions.features}. */
  readonly places: readonly number[];
  readonly values: readonly number[];
  /** Support row of each mistake. */
  readonly rows: readonly number[];
  /** αⱼ of each mistake; for an average times the survivals from it on. */
  readonly coefficients: readonly number[];
  /** Number by which the sum, or the votes, are divided; null: they are not. */
  readonly time: number | null;
  /** The votes of the vector after each mistake; null: no vote. */
  readonly survivals: readonly number[] | null;
}

interface Expansions {
  /** Features of the support rows, rising. */
  readonly features: readonly number[];
  readonly divisor: number;
  /** One for two classes, else one per class. */
  readonly functions: readonly Expansion[];
}

/** Largest numbers of support rows, and of their values, that a program holds: some megabytes of text. */
const most = { rows: 2000, values: 200_000 };

/** Returns the functions of a kernel model. @throws HalfspaceError `option-invalid` for one of many rows. */
export function expansionsOf({ functions }: DualModel): Expansions {
  const count = (of: (each: DualFunction) => number) => functions.reduce((sum, each) => sum + of(each), 0);
  const [rows, values] = [
    count((each) => each.support.offsets.length - 1),
    count((each) => each.support.values.length),
  ];
  if (rows > most.rows || values > most.values)
    throw new HalfspaceError(
      'option-invalid',
      `expected a kernel model of at most ${most.rows} rows and ${most.values} values, which a program can hold; got one of ${rows} rows and ${values} values: train with --budget, or another rule`,
    );
  const features = [...new Set(functions.flatMap(({ support }) => Array.from(support.indices)))].sort((a, b) => a - b);
  const places = new Map(features.map((feature, place) => [feature, place]));
  return { features, divisor: functions[0]!.divisor, functions: functions.map((each) => expansionOf(each, places)) };
}

function expansionOf(
  { kernel, aggregate, biasConstant, support, rows, coefficients, survivals }: DualFunction,
  places: ReadonlyMap<number, number>,
): Expansion {
  const common = {
    kernel,
    biasConstant,
    offsets: Array.from(support.offsets),
    places: Array.from(support.indices, (feature) => places.get(feature)!),
    values: Array.from(support.values),
    rows: Array.from(rows),
  };
  const own = Array.from(coefficients);
  if (aggregate === 'last') return { ...common, coefficients: own, time: null, survivals: null };
  if (aggregate === 'voted') {
    const time = survivals.reduce((sum, survival) => sum + survival, 0);
    return { ...common, coefficients: own, time, survivals: Array.from(survivals.subarray(1)) };
  }
  // Added up in the order of the library, so that the bits are the same.
  let survived = 0;
  for (let k = own.length - 1; k >= 0; k--) {
    survived += survivals[k + 1]!;
    own[k]! *= survived;
  }
  return { ...common, coefficients: own, time: survived + survivals[0]!, survivals: null };
}
