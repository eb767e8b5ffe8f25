import { naturalLog } from '../kernels/natural-log.ts';
import { definitionOf, type RuleName } from '../rules/registry.ts';
import type { TrainPlan } from './plan.ts';

/** Conditions that end a run of passes, besides its observers. */
export interface StopRule {
  /** Largest number of passes. */
  readonly passes: number;
  /** True ends the run after a pass without an update. */
  readonly cleanPass: boolean;
  /** Number of examples in a row without an update that ends the run; ∞: no limit. */
  readonly cleanStreak: number;
}

/** Returns the stop rule of a plan for the counted examples. */
export function stopRuleOf(plan: TrainPlan, { rows, nonzeros }: Counted): StopRule {
  const { cleanPass, quiet } = plan.variant.stop;
  const covering = () => Math.ceil(rows * (naturalLog(rows) + 5));
  const cleanStreak = quiet === 'pass' ? rows : quiet === 'covering' ? covering() : (quiet ?? Infinity);
  return { passes: mostPasses(plan, { nonzeros }), cleanPass, cleanStreak };
}

interface Counted {
  /** Number of training examples. */
  readonly rows: number;
  /** Number of values stored in them. */
  readonly nonzeros: number;
}

/** Returns the largest number of passes that a plan allows. */
export function mostPasses({ variant }: TrainPlan, { nonzeros }: Pick<Counted, 'nonzeros'>): number {
  const { passes } = variant.stop;
  if (passes !== 'auto') return passes;
  return usualPasses(variant.rule, nonzeros);
}

/** Returns the number of passes that a rule takes without the option, for this number of stored values. */
export function usualPasses(rule: RuleName, nonzeros: number): number {
  return definitionOf(rule).dual === true ? 10 : autoPasses(nonzeros);
}

/** Returns the number of passes that `auto` allows for this number of stored values. */
export function autoPasses(nonzeros: number): number {
  return Math.min(100, Math.max(10, Math.floor(1e8 / Math.max(1, nonzeros))));
}
