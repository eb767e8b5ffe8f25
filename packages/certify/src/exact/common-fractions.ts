import type { Clock } from '../clock.ts';
import { bitLength } from './whole.ts';

/** Fractions with a common denominator. */
export interface CommonFractions {
  readonly numerators: readonly bigint[];
  readonly denominator: bigint;
}

/** Steps of Euclid's algorithm between two looks at the clock. */
const stepsPerLook = 512;

/**
 * Returns the unique small fractions with a common denominator that are equal to the numbers x modulo `modulus`: all
 * numerators and the denominator are below about the root of the modulus.
 *
 * @param x returns the k-th of `count` numbers.
 * @returns null if there are none, or if time runs out.
 */
export async function commonFractions(
  count: number,
  x: (k: number) => bigint,
  modulus: bigint,
  clock: Clock,
): Promise<CommonFractions | null> {
  const limit = 1n << BigInt(Math.floor((bitLength(modulus) - 8) / 2));
  const numerators: bigint[] = [];
  /** The denominator that each numerator was found with. */
  const denominators: bigint[] = [];
  let denominator = 1n;
  for (let k = 0; k < count; k++) {
    if (!(await clock.breathe())) return null;
    let numerator = centredRest(x(k) * denominator, modulus);
    if (!isBelow(numerator, limit)) {
      const found = await fractionOf(numerator, modulus, limit, clock);
      if (found === null) return null;
      numerator = found.numerator;
      denominator *= found.denominator;
      if (denominator >= limit) return null;
    }
    numerators.push(numerator);
    denominators.push(denominator);
  }
  const common = numerators.map((each, k) => each * (denominator / denominators[k]!));
  return common.every((each) => isBelow(each, limit)) ? { numerators: common, denominator } : null;
}

/** Returns the fraction that is equal to `rest` modulo `modulus` and has the first numerator below the limit. */
async function fractionOf(rest: bigint, modulus: bigint, limit: bigint, clock: Clock) {
  // Euclid on (modulus, rest): every remainder is rest times the cofactor, modulo the modulus.
  let [r, s, u, v] = [modulus, rest < 0n ? rest + modulus : rest, 0n, 1n];
  for (let step = 1; s >= limit; step++) {
    if (step % stepsPerLook === 0 && !(await clock.breathe())) return null;
    const q = r / s;
    [r, s, u, v] = [s, r - q * s, v, u - q * v];
  }
  return v < 0n ? { numerator: -s, denominator: -v } : { numerator: s, denominator: v };
}

function centredRest(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus;
  return 2n * rest > modulus ? rest - modulus : 2n * rest < -modulus ? rest + modulus : rest;
}

function isBelow(value: bigint, limit: bigint): boolean {
  return -limit < value && value < limit;
}
