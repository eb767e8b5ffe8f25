import { naturalLog } from '../kernels/natural-log.ts';
import { definitionOf } from '../rules/registry.ts';
import type { TrainPlan } from './plan.ts';

/** What ends a run of passes, beside its observers; whichever comes first. */
export interface StopRule {
  /** Largest number of passes. */
  readonly passes: number;
  /** Whether a pass without an update ends the run. */
  readonly cleanPass: boolean;
  /** Number of examples in a row without an update that ends the run; ∞: none does. */
  readonly cleanStreak: number;
}

/** The stop rule of a plan, once the examples are counted. */
export function stopRuleOf(plan: TrainPlan, { rows, nonzeros }: Counted): StopRule {
  const { cleanPass, quiet } = plan.variant.stop;
  const covering = () => Math.ceil(rows * (naturalLog(rows) + 5));
  const cleanStreak = quiet === 'pass' ? rows : quiet === 'covering' ? covering() : (quiet ?? Infinity);
  return { passes: mostPasses(plan, { nonzeros }), cleanPass, cleanStreak };
}

interface Counted {
  /** Number of examples to learn from. */
  readonly rows: number;
  /** Number of values stored in them. */
  readonly nonzeros: number;
}

/** Largest number of passes that a plan allows. */
export function mostPasses({ variant }: TrainPlan, { nonzeros }: Pick<Counted, 'nonzeros'>): number {
  const { passes } = variant.stop;
  if (passes !== 'auto') return passes;
  return definitionOf(variant.rule).dual === true ? 10 : autoPasses(nonzeros);
}

/** Number of passes that `auto` allows over examples with this many stored values. */
export function autoPasses(nonzeros: number): number {
  return Math.min(100, Math.max(10, Math.floor(1e8 / Math.max(1, nonzeros))));
}
