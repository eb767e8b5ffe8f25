import { HalfspaceError } from 'halfspace';
import { quote } from 'halfspace/internal';
import type { LearningLimits } from './contract.ts';

const defaults: LearningLimits = { ids: 100_000, predictions: 10_000 };
const most: LearningLimits = { ids: 10_000_000, predictions: 1_000_000 };

/** Checks limits and adds defaults. @throws HalfspaceError `option-invalid`. */
export function limitsOf(given: Partial<LearningLimits> = {}): LearningLimits {
  for (const name of Object.keys(given))
    if (!Object.hasOwn(defaults, name))
      throw new HalfspaceError('option-invalid', `expected limits "ids" and "predictions"; got ${quote(name)}`);
  return { ids: limitOf(given, 'ids'), predictions: limitOf(given, 'predictions') };
}

function limitOf(given: Partial<LearningLimits>, name: keyof LearningLimits): number {
  const value: unknown = given[name] ?? defaults[name];
  if (Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most[name]) return value as number;
  throw new HalfspaceError(
    'option-invalid',
    `the limit "${name}" must be a whole number in [0, ${most[name]}]; got ${quote(value)}`,
  );
}
