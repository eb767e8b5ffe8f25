import type { LiftMap } from './companion.ts';

/** Returns the third feature of two: their product, or the squared distance from the origin. */
export function liftedFeature(map: LiftMap, x1: number, x2: number): number {
  return map === 'product' ? x1 * x2 : x1 * x1 + x2 * x2;
}

/** Names of the third features. */
export const liftNames: Readonly<Record<LiftMap, string>> = { product: 'x1·x2', circle: 'x1² + x2²' };
