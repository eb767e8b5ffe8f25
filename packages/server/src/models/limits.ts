import { HalfspaceError } from 'halfspace';
import { quote } from 'halfspace/checks';
import type { sizeOf } from 'halfspace/online';
import { type LearningLimits, type ModelBudget, ModelRefusal } from './contract.ts';

type OnlineSize = ReturnType<typeof sizeOf>;

const defaults: LearningLimits = { ids: 100_000, predictions: 10_000 };
const most: LearningLimits = { ids: 10_000_000, predictions: 1_000_000 };

/** Checks limits and adds defaults. @throws HalfspaceError `option-invalid`. */
export function limitsOf(given: Partial<LearningLimits> = {}): LearningLimits {
  return wholeNumbers('limit', given, defaults, { ids: 0, predictions: 0 }, most);
}

const usualBudget: ModelBudget = { bytes: 2 ** 28, features: 2 ** 20, classes: 1000, keptBytes: 2 ** 25 };
export const leastBudget: ModelBudget = { bytes: 2 ** 16, features: 1, classes: 2, keptBytes: 0 };
export const mostBudget: ModelBudget = { bytes: 2 ** 40, features: 2 ** 28, classes: 1000, keptBytes: 2 ** 36 };

/** Checks a budget and adds defaults. @throws HalfspaceError `option-invalid`. */
export function budgetOf(given: Partial<ModelBudget> = {}): ModelBudget {
  return wholeNumbers('member of the budget', given, usualBudget, leastBudget, mostBudget);
}

function wholeNumbers<T extends { readonly [Name in keyof T]: number }>(
  what: string,
  given: Partial<T>,
  usual: T,
  least: T,
  most: T,
): T {
  const names = Object.keys(usual) as (keyof T & string)[];
  for (const name of Object.keys(given))
    if (!Object.hasOwn(usual, name))
      throw new HalfspaceError('option-invalid', `expected one of ${names.join(', ')}; got ${quote(name)}`);
  const checked = names.map((name) => {
    const value: number = given[name] ?? usual[name];
    if (Number.isSafeInteger(value) && value >= least[name] && value <= most[name]) return [name, value];
    throw new HalfspaceError(
      'option-invalid',
      `the ${what} "${name}" must be a whole number in [${least[name]}, ${most[name]}]; got ${quote(value)}`,
    );
  });
  return Object.fromEntries(checked);
}

/**
 * Checks that a learner stays within a budget. One that is beyond it, because the budget was larger, may learn what
 * does not make it larger.
 *
 * @param then its size after the change. @param now returns its size before; null: it is new.
 * @throws `model-full`.
 */
export function checkSize(budget: ModelBudget, then: OnlineSize, now: () => OnlineSize | null, learner: string): void {
  // The usual case, in a hurry.
  if (then.bytes <= budget.bytes && then.features <= budget.features && then.classes <= budget.classes) return;
  for (const name of ['bytes', 'features', 'classes'] as const)
    if (then[name] > budget[name] && then[name] > (now()?.[name] ?? 0))
      throw new ModelRefusal(
        'model-full',
        `expected ${learner} of at most ${budget[name]} ${name}; got one that would have ${then[name]}: leave out ` +
          `fields, levels, words and classes that are new, or raise budget.${name} of the service`,
      );
}
