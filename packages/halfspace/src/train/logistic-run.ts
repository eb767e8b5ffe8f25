import type { Breathe } from '../data/breathe.ts';
import { chainsOf } from '../features/number/bend.ts';
import { gatherExamples } from '../rules/logistic/examples.ts';
import { minimise } from '../rules/logistic/minimise.ts';
import type { Learned } from './finish.ts';
import type { RunExamples } from './run-examples.ts';

/**
 * Finds the weights of the rule `logistic` for the examples of a run, once they are read. In memory, a number takes 12
 * bytes more than in the store.
 */
export async function minimumOf(examples: RunExamples, breathe: Breathe): Promise<Pick<Learned, 'learner' | 'log'>> {
  examples.scale();
  const { plan, intake, classes, biasConstant } = examples;
  const { dimension } = intake.store;
  const chains = chainsOf(examples.source.encoding(), dimension);
  const gathered = gatherExamples(examples.kernels, () => examples.weighed(), {
    classes: classes.length,
    dimension,
    chains,
  });
  const alpha = plan.ruleOptions.alpha as number | undefined;
  const { functions, iterations } = await minimise(examples.kernels, gathered, {
    alpha,
    chains,
    biasConstant,
    breathe,
  });
  return {
    learner: { functions: () => functions, progress: { updates: iterations } },
    log: { updatesPerPass: [iterations], progressive: null, ended: 'minimum' },
  };
}
