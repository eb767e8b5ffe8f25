/**
 * Margins: distances to a hyperplane, bounds on the number of updates, the largest margin.
 * @module
 */
export {
  activationGain,
  type Deviations,
  freundSchapireBound,
  leadTime,
  mohriRostamizadehBound,
  novikoffBound,
  unitBallBound,
} from '../margin/bounds.ts';
export type { MarginBracket } from '../margin/bracket.ts';
export type { HullPoint, MaximumMargin, MaximumMarginOptions } from '../margin/maximum-margin.ts';
export type { MistakeBound } from '../margin/mistake-bound.ts';
export {
  deviationsOf,
  functionalMarginsInto,
  type Hyperplane,
  signedDistancesInto,
} from '../margin/signed-distances.ts';
export { type FindMarginOptions, findMaximumMargin } from '../train/find-margin.ts';
