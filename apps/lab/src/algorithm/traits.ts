import type { PresetName, RuleName } from 'halfspace';
import type { Algorithm } from './algorithm.ts';
import { orderText } from './order-text.ts';
import { ruleSpecs } from './rules.constant.ts';
import { updateCondition, variantOf } from './variant.ts';

/** A property of an algorithm, for the table that compares algorithms. */
export interface Trait {
  readonly name: string;
  readonly value: string;
}

/** Describes an algorithm's variant in words. */
export function traitsOf(algorithm: Algorithm): Trait[] {
  const { as, rule } = algorithm;
  if (!ruleSpecs[rule].hasPasses) return [];
  const variant = variantOf(algorithm);
  const { quiet, cleanPass, passes } = variant.stop;
  const stops = [
    ...(cleanPass ? ['a pass without an update'] : []),
    ...(quiet === 'covering' ? ['n(ln n + 5) draws in a row without an update'] : []),
    ...(quiet === 'pass' ? ['n examples in a row without an update'] : []),
    passes === 'auto' ? 'as many passes as the data allow' : `${passes.toLocaleString('en')} passes`,
  ];
  return [
    {
      name: 'Bias',
      value:
        variant.bias === 'absorbed' ? 'absorbed: component 0 of w, of a constant 1' : 'separate: a number beside w',
    },
    { name: 'Start', value: variant.start === 'example' ? 'y·x of the first example' : '0' },
    { name: 'Next example', value: variant.order === 'auto' ? orderText.cyclic : orderText[variant.order] },
    { name: 'Update when', value: updateText(algorithm) },
    { name: 'Class at score 0', value: variant.tie > 0 ? '+1' : '−1' },
    {
      name: 'Scaling',
      value: { none: 'none', 'unit-ball': 'x / max‖x‖ where that is above 1', 'max-norm': 'x / max‖x‖' }[
        variant.scaling
      ],
    },
    { name: 'Stops after', value: stops.join(', or ') },
    { name: 'Returns', value: variant.returns === 'unit' ? 'w / ‖w‖' : returned(as, rule) },
  ];
}

function updateText(algorithm: Algorithm): string {
  if (variantOf(algorithm).updateWhen === 'sign-differs') return 'y ≠ sgn(a), sgn(0) = +1';
  const condition = updateCondition(algorithm);
  return condition === null ? 'always' : `y·a ${condition}`;
}

function returned(as: PresetName | null, rule: RuleName): string {
  if (as === 'blog') return '(θ, θ₀)';
  if (as === 'slides') return '(b, w)';
  if (as !== null) return 'w';
  return (
    {
      averaged: 'the mean of (w, b)',
      pocket: 'the best (w, b)',
      voted: 'all (w, b), to vote',
      kernel: 'the mistakes',
    }[rule as string] ?? '(w, b)'
  );
}
