import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { HalfspaceError, quote } from '../../src/errors.ts';
import { createLearner, rules } from '../../src/rules/registry.ts';
import type { RuleDefinition } from '../../src/rules/rule-definition.ts';
import { planTraining, type RunOptions } from '../../src/train/options.ts';
import { defaultVariant, type PresetName, presets } from '../../src/train/presets.ts';
import { reference } from '../support/kernels.ts';

const kernels = reference();

describe('options of train', () => {
  it('are those of the default variant by default', () => {
    expect(planTraining({})).toEqual({
      as: null,
      variant: defaultVariant,
      ruleOptions: { updateWhen: 'at-most-zero' },
      multiclass: 'one-vs-rest',
      classWeights: null,
      patience: null,
      marginGap: null,
      seed: 1,
      holdout: 0,
    });
  });

  it.each(Object.keys(presets) as PresetName[])('are those of %s on request', (as) => {
    expect(planTraining({ as })).toEqual({
      as,
      variant: presets[as],
      ruleOptions: { updateWhen: presets[as].updateWhen },
      multiclass: 'one-vs-rest',
      classWeights: null,
      patience: null,
      marginGap: null,
      seed: 1,
      holdout: 0,
    });
  });

  it('may each override one of a lecture, and keep the others', () => {
    expect(planTraining({ as: 'blog', order: 'shuffled', tie: 1 }).variant).toEqual({
      ...presets.blog,
      order: 'shuffled',
      tie: 1,
    });
    expect(planTraining({ as: 'blog', stop: { quiet: 5 } }).variant.stop).toEqual({ ...presets.blog.stop, quiet: 5 });
    expect(planTraining({ as: 'blog', passes: 3 }).variant.stop).toEqual({ ...presets.blog.stop, passes: 3 });
  });

  it('that would fail in the middle of the run are refused before it', () => {
    const refusal = (options: object) => () => planTraining(options as RunOptions);
    expect(refusal({ onProgress: 3 })).toThrow('onProgress must be a function; got 3');
    expect(refusal({ onStep: null })).toThrow('onStep must be a function; got null');
    expect(refusal({ onBracket: 'x' })).toThrow('onBracket must be a function; got "x"');
    expect(refusal({ signal: new AbortController() })).toThrow('signal must be an AbortSignal, such as');
    expect(refusal({ ledger: true })).toThrow('ledger must be a LedgerWriter of halfspace/ledger; got true');
    expect(refusal({ keepState: 'x' })).toThrow('keepState must be true or false; got "x"');
    for (const from of ['x', null, {}, { rule: 'arow' }])
      expect(refusal({ from })).toThrow('from must be a state, such as decodeTrainState(text)');
    expect(refusal({ signal: new AbortController().signal, onStep: () => true, keepState: false })).not.toThrow();
  });

  it('that are undefined count as absent', () => {
    const nothing = { as: undefined, passes: undefined, seed: undefined, holdout: undefined, stop: undefined };
    expect(planTraining(nothing)).toEqual(planTraining({}));
    const emptyStop = { quiet: undefined, passes: undefined } as unknown as NonNullable<RunOptions['stop']>;
    expect(planTraining({ as: 'foda', stop: emptyStop })).toEqual(planTraining({ as: 'foda' }));
  });

  it('are not modified', () => {
    const options = Object.freeze({ as: 'foda', stop: Object.freeze({ quiet: 3 }) } as const);
    const before = structuredClone(presets);
    planTraining(options);
    expect(presets).toEqual(before);
  });

  it('of several rules have values of one kind, because the command has one flag for them', () => {
    const specs = Object.values<RuleDefinition>(rules).flatMap(({ options }) => Object.entries(options));
    const first = new Map([...specs].reverse());
    const kindOf = ({ about: _, default: __, open: ___, ...rest }: Readonly<Record<string, unknown>>) => rest;
    for (const [name, spec] of specs) expect(kindOf({ ...spec }), name).toEqual(kindOf({ ...first.get(name) }));
  });

  it('of a rule are complete, and only those of that rule', () => {
    const own = (options: RunOptions) => planTraining(options).ruleOptions;
    expect(own({})).toEqual({ updateWhen: 'at-most-zero' });
    expect(own({ rule: 'perceptron', updateWhen: 'below-zero' })).toEqual({ updateWhen: 'below-zero' });
    expect(own({ rule: 'margin' })).toEqual({ margin: 1 });
    expect(own({ rule: 'margin', margin: 0 })).toEqual({ margin: 0 });
    expect(own({ rule: 'passive-aggressive' })).toEqual({ variant: 'pa-1', aggressiveness: 1 });
    expect(own({ rule: 'passive-aggressive', variant: 'pa' })).toEqual({ variant: 'pa' });
    // Absent unless true, so models have the same bytes as before there was a mean.
    expect(own({ rule: 'passive-aggressive', average: false })).toEqual({ variant: 'pa-1', aggressiveness: 1 });
    expect(own({ rule: 'passive-aggressive', aggressiveness: 0.5 })).toEqual({ variant: 'pa-1', aggressiveness: 0.5 });
    expect(own({ rule: 'arow' })).toEqual({ r: 1, average: false });
    expect(own({ rule: 'sgd', loss: 'hinge', penalty: 'none' })).toEqual({
      loss: 'hinge',
      penalty: 'none',
      schedule: 'adaptive',
      rate: 0.5,
      answer: 'mean',
    });
  });

  it('of a rule are in their range, or refused with it, by train and by the rule, for any values', () => {
    const anything = fc.oneof(fc.double(), fc.integer(), fc.anything());
    const refused = (message: string) => expect.objectContaining({ code: 'option-invalid', message });
    forAll(500, anything, (value) => {
      fc.pre(value !== undefined);
      const given = typeof value === 'number' ? value : Number.NaN;
      const makers: [boolean, string, (value: never) => unknown][] = [
        [
          given >= 0 && given < Infinity,
          `margin must be in [0, ∞); got ${quote(value)}`,
          (margin) => [planTraining({ rule: 'margin', margin }), createLearner(kernels, 'margin', { margin })],
        ],
        [
          given > 0 && given < Infinity,
          `aggressiveness must be in (0, ∞); got ${quote(value)}`,
          (aggressiveness) => [
            planTraining({ rule: 'passive-aggressive', aggressiveness }),
            createLearner(kernels, 'passive-aggressive', { aggressiveness }),
          ],
        ],
      ];
      for (const [fits, message, make] of makers)
        if (fits) expect(() => make(value as never)).not.toThrow();
        else expect(() => make(value as never)).toThrow(refused(message));
    });
    expect(() => createLearner(kernels, 'passive-aggressive', { variant: 'toString' as never })).toThrow(
      refused('variant must be one of pa, pa-1, pa-2; got "toString"'),
    );
  });

  it.each([
    [
      { as: 'lecture-10' },
      'as must be one of lecture-9, lecture-9-algorithm-2, cs4780, foda, blog, slides; got "lecture-10"',
    ],
    [
      { as: 'toString' },
      'as must be one of lecture-9, lecture-9-algorithm-2, cs4780, foda, blog, slides; got "toString"',
    ],
    [{ rule: 'svm' }, `rule must be one of ${Object.keys(rules).join(', ')}; got "svm"`],
    [{ rule: 'margin', margin: -1 }, 'margin must be in [0, ∞); got -1'],
    [{ rule: 'margin', margin: Infinity }, 'margin must be in [0, ∞); got Infinity'],
    [{ rule: 'passive-aggressive', aggressiveness: -1 }, 'aggressiveness must be in (0, ∞); got -1'],
    [{ rule: 'passive-aggressive', aggressiveness: 0 }, 'aggressiveness must be in (0, ∞); got 0'],
    [{ rule: 'passive-aggressive', variant: 'pa-3' }, 'variant must be one of pa, pa-1, pa-2; got "pa-3"'],
    [
      { rule: 'passive-aggressive', variant: 'pa', aggressiveness: 1 },
      'aggressiveness is for the variants pa-1 and pa-2; got variant pa',
    ],
    [{ margin: 1 }, 'margin is for the rule margin; got the rule averaged'],
    [{ rule: 'passive-aggressive', margin: 1 }, 'margin is for the rule margin; got the rule passive-aggressive'],
    [{ rule: 'margin', aggressiveness: 1 }, 'aggressiveness is for the rule passive-aggressive; got the rule margin'],
    [{ as: 'blog', variant: 'pa' }, 'variant is for the rule passive-aggressive; got the rule perceptron'],
    [
      { rule: 'margin', updateWhen: 'below-zero' },
      'updateWhen is for the rule averaged or perceptron or pocket or voted; got the rule margin',
    ],
    [{ as: 'foda', rule: 'margin' }, 'as foda is the rule perceptron; got the rule margin'],
    [{ bias: true }, 'bias must be one of absorbed, separate, none; got true'],
    [{ start: 'one' }, 'start must be one of zero, example, random; got "one"'],
    [{ order: 'sorted' }, 'order must be one of auto, cyclic, shuffled, shuffled-once, random; got "sorted"'],
    [{ updateWhen: '<' }, 'updateWhen must be one of at-most-zero, below-zero, sign-differs; got "<"'],
    [{ tie: 0 }, 'tie must be one of -1, 1; got 0'],
    [{ scaling: 'unit' }, 'scaling must be one of none, unit-ball, max-norm; got "unit"'],
    [{ returns: null }, 'returns must be one of weights, unit; got null'],
    [{ passes: 0 }, 'passes must be a whole number from 1; got 0'],
    [{ passes: 1.5 }, 'passes must be a whole number from 1; got 1.5'],
    [{ passes: 'many' }, 'passes must be a whole number from 1; got "many"'],
    [{ stop: { passes: -1 } }, 'passes must be a whole number from 1; got -1'],
    [{ stop: { quiet: 0 } }, 'stop.quiet must be a whole number from 1; got 0'],
    [{ multiclass: 'one-vs-one' }, 'multiclass must be one of one-vs-rest, kesler, joint; got "one-vs-one"'],
    [{ classWeights: 'even' }, 'classWeights must be balanced or numbers by class; got "even"'],
    [{ classWeights: null }, 'classWeights must be balanced or numbers by class; got null'],
    [{ classWeights: { a: 0 } }, 'classWeights["a"] must be in (0, ∞); got 0'],
    [{ classWeights: { a: 1, b: -1 } }, 'classWeights["b"] must be in (0, ∞); got -1'],
    [{ classWeights: { a: Number.NaN } }, 'classWeights["a"] must be in (0, ∞); got NaN'],
    [{ classWeights: { a: Infinity } }, 'classWeights["a"] must be in (0, ∞); got Infinity'],
    [{ classWeights: { a: '2' } }, 'classWeights["a"] must be in (0, ∞); got "2"'],
    [{ seed: -1 }, 'seed must be a whole number from 0; got -1'],
    [{ seed: 2 ** 53 }, 'seed must be a whole number from 0; got 9007199254740992'],
    [{ seed: Number.NaN }, 'seed must be a whole number from 0; got NaN'],
    [{ holdout: 0 }, 'holdout must be in (0, 1); got 0'],
    [{ holdout: 1 }, 'holdout must be in (0, 1); got 1'],
    [{ holdout: Number.NaN }, 'holdout must be in (0, 1); got NaN'],
  ])('%j are refused, with the range', (options, message) => {
    const plan = () => planTraining(options as RunOptions);
    expect(plan).toThrow(HalfspaceError);
    expect(plan).toThrow(expect.objectContaining({ code: 'option-invalid', message }));
  });
});
