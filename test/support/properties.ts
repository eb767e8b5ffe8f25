import fc from 'fast-check';
import { isDeep } from './quick.ts';

export { fc };

type Given<Values extends unknown[], Outcome> = [
  ...arbitraries: { [K in keyof Values]: fc.Arbitrary<Values[K]> },
  claim: (...values: Values) => Outcome,
];

/** Number of examples of a property in `npm test`: a tenth, but at least 10 if it has as many. */
const quickRuns = (runs: number) => Math.min(runs, Math.max(10, Math.ceil(runs / 10)));

function split(given: readonly unknown[]) {
  const [runs, ...rest] = typeof given[0] === 'number' ? given : [100, ...given];
  return {
    numRuns: isDeep ? (runs as number) : quickRuns(runs as number),
    rest: rest as [fc.Arbitrary<unknown>, (value: unknown) => never],
  };
}

/**
 * Tries a claim on values of arbitraries. They come from a fixed seed (fixed-seed.ts), so a commit has one result.
 *
 * @param given the number of examples in the deep suite (100 without it), the arbitraries, and the claim.
 */
export function forAll<Values extends [unknown, ...unknown[]]>(
  runs: number,
  // biome-ignore lint/suspicious/noConfusingVoidType: as in fast-check; a claim may return nothing.
  ...given: Given<Values, boolean | void>
): void;
export function forAll<Values extends [unknown, ...unknown[]]>(
  // biome-ignore lint/suspicious/noConfusingVoidType: as above.
  ...given: Given<Values, boolean | void>
): void;
export function forAll(...given: unknown[]): void {
  const { numRuns, rest } = split(given);
  fc.assert(fc.property(...rest), { numRuns });
}

/** The same for a claim that takes time. */
export function forAllAsync<Values extends [unknown, ...unknown[]]>(
  runs: number,
  // biome-ignore lint/suspicious/noConfusingVoidType: as above.
  ...given: Given<Values, Promise<boolean | void>>
): Promise<void>;
export function forAllAsync<Values extends [unknown, ...unknown[]]>(
  // biome-ignore lint/suspicious/noConfusingVoidType: as above.
  ...given: Given<Values, Promise<boolean | void>>
): Promise<void>;
export async function forAllAsync(...given: unknown[]): Promise<void> {
  const { numRuns, rest } = split(given);
  await fc.assert(fc.asyncProperty(...rest), { numRuns });
}
