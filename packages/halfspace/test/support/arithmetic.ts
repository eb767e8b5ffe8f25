import type { ExampleSource } from '../../src/data/source.ts';
import { decodeModel as decodeAny } from '../../src/model/decode.ts';
import type { LinearModel } from '../../src/model/linear/model.ts';
import type { Model } from '../../src/model/model.ts';
import type { RunOptions } from '../../src/train/options.ts';
import type { TrainingReport } from '../../src/train/report.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import type { Example } from '../oracles/oracle.ts';

/** Numbers that an oracle computes with: doubles, or exact ones. */
export interface Arithmetic<T> {
  of(value: number): T;
  add(a: T, b: T): T;
  minus(a: T, b: T): T;
  times(a: T, b: T): T;
  over(a: T, b: T): T;
  less(a: T, b: T): boolean;
  /** The nearest double, but for its last places. */
  double(a: T): number;
}

export const doubles: Arithmetic<number> = {
  of: (value) => value,
  add: (a, b) => a + b,
  minus: (a, b) => a - b,
  times: (a, b) => a * b,
  over: (a, b) => a / b,
  less: (a, b) => a < b,
  double: (a) => a,
};

/** n / d in lowest terms, d > 0. */
export interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

function fraction(n: bigint, d: bigint): Fraction {
  let [a, b] = [n < 0n ? -n : n, d < 0n ? -d : d];
  while (b !== 0n) [a, b] = [b, a % b];
  const sign = d < 0n ? -a : a;
  return { n: n / sign, d: d / sign };
}

export const fractions: Arithmetic<Fraction> = {
  of(value) {
    let places = 0;
    while (!Number.isInteger(value * 2 ** places)) places++;
    return fraction(BigInt(value * 2 ** places), 1n << BigInt(places));
  },
  add: (a, b) => fraction(a.n * b.d + b.n * a.d, a.d * b.d),
  minus: (a, b) => fraction(a.n * b.d - b.n * a.d, a.d * b.d),
  times: (a, b) => fraction(a.n * b.n, a.d * b.d),
  over: (a, b) => fraction(a.n * b.d, a.d * b.n),
  less: (a, b) => a.n * b.d < b.n * a.d,
  double({ n, d }) {
    // 64 digits of the quotient.
    const shift = d.toString(2).length - n.toString(2).length + 64;
    const digits = shift > 0 ? (n << BigInt(shift)) / d : n / (d << BigInt(-shift));
    return Number(digits) / 2 ** shift;
  },
};

/** m / 2^places: whatever sums and products make of doubles, and faster than fractions. There are no quotients. */
export interface Binary {
  readonly m: bigint;
  readonly places: number;
}

const aligned = ({ m, places }: Binary, to: number) => m << BigInt(to - places);

const both = (a: Binary, b: Binary, make: (a: bigint, b: bigint) => bigint): Binary => {
  const places = Math.max(a.places, b.places);
  return { m: make(aligned(a, places), aligned(b, places)), places };
};

export const binaries: Arithmetic<Binary> = {
  of(value) {
    let places = 0;
    while (!Number.isInteger(value * 2 ** places)) places++;
    return { m: BigInt(value * 2 ** places), places };
  },
  add: (a, b) => both(a, b, (x, y) => x + y),
  minus: (a, b) => both(a, b, (x, y) => x - y),
  times: (a, b) => ({ m: a.m * b.m, places: a.places + b.places }),
  over() {
    throw new RangeError('expected no quotient');
  },
  less: (a, b) => both(a, b, (x, y) => (x < y ? 1n : 0n)).m === 1n,
  double: ({ m, places }) => fractions.double({ n: m, d: 1n << BigInt(places) }),
};

/** Doubles as whole numbers of 2⁻¹⁰⁷⁴, of which every finite double is some; plain, and slow. */
export function exact(value: number): bigint {
  let [whole, exponent] = [value, 0];
  while (!Number.isInteger(whole)) {
    whole *= 2;
    exponent++;
  }
  return BigInt(whole) << BigInt(1074 - exponent);
}

/** w·x, in 2⁻²¹⁴⁸. */
export function exactDot(w: ArrayLike<number>, x: ArrayLike<number>): bigint {
  let sum = 0n;
  for (let j = 0; j < x.length; j++) sum += exact(w[j]!) * exact(x[j]!);
  return sum;
}

/** min y(w·x) without rounding, in 2⁻²¹⁴⁸. */
export function exactLeast(data: readonly Example[], w: ArrayLike<number>): bigint {
  return data.map(({ x, y }) => BigInt(y) * exactDot(w, x)).reduce((least, each) => (each < least ? each : least));
}

/** Every example with a constant before its features: the blog's lift. */
export function lifted(data: readonly Example[], constant = 1): Example[] {
  return data.map(({ x, y }) => ({ x: [constant, ...x], y }));
}

/** Returns whether value ≤ least/√square exactly, for value, least ≥ 0 in the form of {@link exactDot}. */
export function atMostMargin(value: number, least: bigint, square: bigint): boolean {
  return exact(value) ** 2n * square <= least ** 2n;
}

/** Returns whether value ≥ least/√square exactly; see {@link atMostMargin}. */
export function atLeastMargin(value: number, least: bigint, square: bigint): boolean {
  return exact(value) ** 2n * square >= least ** 2n;
}

/** A model of two classes, for tests that are about these. */
export function linear(model: Model): LinearModel {
  if (model.kind !== 'linear') throw new TypeError(`expected a model of two classes; got ${model.kind}`);
  return model;
}

export async function train(
  source: ExampleSource,
  options: RunOptions = {},
): Promise<{ model: LinearModel; report: TrainingReport }> {
  const { model, report } = await trainOnce(source, options);
  return { model: linear(model), report };
}

export function decodeModel(text: string, source?: string): LinearModel {
  return linear(decodeAny(text, source));
}
