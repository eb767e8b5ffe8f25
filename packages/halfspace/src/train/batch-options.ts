import { HalfspaceError, quote } from '../errors.ts';
import { hasHyperplanes, type RuleName } from '../rules/registry.ts';
import type { RunOptions } from './options.ts';
import { defaultVariant, type StopWhen } from './presets.ts';

const { stop } = defaultVariant;
/** Options of {@link trainOnce} for learners in passes, with their only allowed value, the default. */
const ofPasses: Readonly<Record<string, unknown>> = {
  start: defaultVariant.start,
  order: defaultVariant.order,
  passes: stop.passes,
  patience: null,
};
/** Options for hyperplanes, likewise. */
const { rule: _, updateWhen: __, stop: ___, ...variant } = defaultVariant;
const ofHyperplanes: Readonly<Record<string, unknown>> = { ...variant, multiclass: 'one-vs-rest' };

/** @throws HalfspaceError `option-invalid` for options that do not apply to a rule without passes. */
export function checkBatchRun(rule: RuleName, options: RunOptions): void {
  const refuse = (name: string, value: unknown) => {
    throw new HalfspaceError('option-invalid', `${name} is not for the rule ${rule}; got ${quote(value)}`);
  };
  const allowed = hasHyperplanes(rule) ? ofPasses : { ...ofHyperplanes, ...ofPasses };
  for (const [name, value] of Object.entries(options)) {
    const isDefault = value === allowed[name] || (name === 'order' && value === 'auto');
    if (value !== undefined && name in allowed && !isDefault) refuse(name, value);
  }
  for (const [name, value] of Object.entries(options.stop ?? {}))
    if (value !== undefined && value !== stop[name as keyof StopWhen]) refuse('stop', options.stop);
}
