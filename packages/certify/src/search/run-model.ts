import type { Model } from 'highs';
import type { Clock } from '../clock.ts';

/** No abort arrives during a call of HiGHS, so calls are at most this long, in seconds. */
export const mostSecondsPerCall = 1;

/** Status codes of HiGHS. */
export const optimal = 7;
export const outOfTime = 13;

/**
 * Solves a linear programme, in calls of at most {@link mostSecondsPerCall}. Returns false unless it is solved within
 * the time.
 *
 * @param clock null for at most one call, whatever the time.
 */
export async function runModel(model: Model, clock: Clock | null): Promise<boolean> {
  for (;;) {
    if (clock !== null && !(await clock.breathe())) return false;
    model.zeroAllClocks();
    model.options.set('time_limit', Math.min(mostSecondsPerCall, Math.max(0.01, clock?.left() ?? Infinity)));
    try {
      model.run();
    } catch {
      // Numbers that are beyond the solver.
      return false;
    }
    const status = model.getModelStatus();
    if (status === optimal) return true;
    if (status !== outOfTime || clock === null) return false;
    // The next call goes on from the basis, which belongs to the whole programme only without presolve.
    model.options.set('presolve', 'off');
  }
}
