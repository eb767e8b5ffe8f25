import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import type { OpenSourceOptions, Source } from '../../src/data/source.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { OnlineClassifier } from '../../src/online/classifier.ts';
import { Random } from '../../src/random.ts';
import { hasPasses, type RuleName, rules } from '../../src/rules/registry.ts';
import { partsOf, type Rule } from '../../src/rules/rule-with-options.ts';
import { compareRules } from '../../src/select/compare-rules.ts';
import { train } from '../../src/select/train.ts';
import type { TrainOptions } from '../../src/select/train-options.ts';
import { rows } from '../../src/table/rows.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import type { Example } from '../oracles/oracle.ts';
import { dense } from '../support/examples.ts';

/** Overlapping clouds, so that no run ends before its last pass. */
function clouds(rows: number, seed = 1): Example[] {
  const random = new Random(seed);
  return Array.from({ length: rows }, (_, i) => {
    const y = i % 2 === 0 ? 1 : -1;
    return { x: [y + 3 * (random.uniform() - 0.5), random.uniform(), 1], y };
  });
}
const source = (rows = 120) => arraySource(dense(clouds(rows)));
const passes = { passes: 3 } as const;

describe('train', () => {
  it.each(Object.keys(rules) as RuleName[])(
    'by the rule %s gives the model of one run in the order auto',
    async (rule) => {
      const options = hasPasses(rule) ? passes : {};
      const { model, ...rest } = await train(source(), { rule, ...options });
      const once = await trainOnce(source(), { rule, ...options, order: 'auto' });
      expect(encodeModel(model)).toBe(encodeModel(once.model));
      const absent = {
        search: null,
        calibration: null,
        crossValidation: null,
        curves: null,
        scores: null,
        notes: [],
        threshold: null,
        state: null,
      };
      expect(rest).toEqual({ report: once.report, ...absent });
    },
  );

  it('notes which columns were left out', async () => {
    const table = rows(
      clouds(60).map(({ x, y }, i) => ({
        code: i.toString(4).replace(/\d/g, (digit) => 'adgr'[Number(digit)]!),
        x: x[0],
        y,
      })),
    );
    const { notes } = await train(table, { rule: 'averaged', ...passes });
    expect(notes.join()).toContain('left out: code (identifier)');
  });

  it('names the source first if it is none: options of sources are none of its own', async () => {
    const refused = train('data.csv' as never, { label: 'y' } as never);
    await expect(refused).rejects.toThrow(
      'expected a source, such as csv(\'data.csv\'), rows(objects) or arrays(x, y), or an object with the method batches; got "data.csv"',
    );
  });

  it('lists the rules that a call takes, for an unknown name', async () => {
    const refused = (rule: unknown) => train(source(), { rule: rule as 'arow' });
    await expect(refused('svm')).rejects.toThrow(/^rule must be one of auto, averaged, .*, tree; got "svm"/);
    await expect(refused('Auto')).rejects.toThrow('did you mean "auto"?');
    await expect(refused({ name: 'auto' })).rejects.toThrow(/^rule must be one of averaged, .*, tree; got "auto"/);
    expect(() => new OnlineClassifier({ rule: 'svm' as 'arow' })).toThrow(
      /^rule must be one of follow-the-leader, averaged, perceptron, margin, passive-aggressive, arow, sgd; got "svm"/,
    );
    const compared = compareRules(source(), { candidates: 'averaged' as never });
    await expect(compared).rejects.toThrow('candidates must be a list of rules; got "averaged"');
  });

  it('takes the options of a rule beside its name', async () => {
    const { model } = await train(source(), { rule: { name: 'sgd', loss: 'hinge', alpha: 0.01 }, ...passes });
    const once = await trainOnce(source(), { rule: 'sgd', loss: 'hinge', alpha: 0.01, order: 'auto', ...passes });
    expect(encodeModel(model)).toBe(encodeModel(once.model));
  });

  it('chooses the rule without rule and as, and with the rule auto', async () => {
    const chosen = await train(source());
    const auto = await train(source(), { rule: 'auto' });
    expect(encodeModel(auto.model)).toBe(encodeModel(chosen.model));
    expect(auto.search).toEqual(chosen.search);
    expect(chosen.search.tried.length).toBeGreaterThan(5);
    const best = chosen.search.tried[chosen.search.taken]!;
    expect(chosen.report.rule).toBe(best.rule.name);
  });

  it('takes a rule as the search and the comparison return it', async () => {
    const { compared } = await compareRules(source(), { folds: 2, repeats: 1, passes: 2 });
    expect(compared.length).toBeGreaterThan(4);
    for (const { rule } of compared) {
      const { name, options } = partsOf(rule);
      const { model } = await train(source(), { rule, ...(hasPasses(name) ? passes : {}) });
      expect(model).toMatchObject({ rule: name, options });
    }
  });

  it('by a lecture is the run of that lecture, in its order', async () => {
    for (const as of ['blog', 'lecture-9', 'foda'] as const) {
      const { model, search } = await train(source(), { as, ...passes });
      expect(encodeModel(model)).toBe(encodeModel((await trainOnce(source(), { as, ...passes })).model));
      expect(search).toBeNull();
    }
  });

  it('opens its source once, with the held-out rows and the scaling that the rule wants', async () => {
    const seen: OpenSourceOptions[] = [];
    const given: Source = {
      name: 'clouds',
      async open(options) {
        seen.push(options);
        return source();
      },
    };
    await train(given, { rule: 'averaged', holdout: 0.25, seed: 7, ...passes });
    await train(given, { rule: 'tree' });
    await train(given, { as: 'blog', ...passes });
    await train(given, { validation: given, ...passes });
    expect(seen.map(({ holdout, scale, classes }) => ({ holdout, scale, classes }))).toEqual([
      { holdout: { fraction: 0.25, seed: 7 }, scale: 'standard', classes: undefined },
      { holdout: undefined, scale: 'none', classes: undefined },
      { holdout: undefined, scale: 'none', classes: undefined },
      { holdout: undefined, scale: 'standard', classes: undefined },
      { holdout: undefined, scale: undefined, classes: ['-1', '1'] },
    ]);
    expect(seen[4]!.encoding).toEqual(source().encoding());
  });

  it('continues from a state with the encoding and the classes of the state', async () => {
    const options = { rule: 'perceptron', order: 'cyclic', stop: { cleanPass: false } } as const;
    const first = await train(source(), { ...options, passes: 2, keepState: true });
    let opened: OpenSourceOptions | null = null;
    const given: Source = {
      name: 'clouds',
      async open(asked) {
        opened = asked;
        return source();
      },
    };
    const { order, stop } = options;
    const { model, search } = await train(given, { order, stop, from: first.state, passes: 3 });
    const whole = await train(source(), { ...options, passes: 5 });
    expect(model).toMatchObject({ weights: whole.model.kind === 'linear' ? whole.model.weights : [] });
    expect(search).toBeNull();
    expect(opened).toMatchObject({ encoding: first.state.features, classes: first.state.classes, grows: true });
  });

  it('reports its progress by one callback', async () => {
    const phases: string[] = [];
    await train(source(), {
      ...passes,
      folds: 3,
      onProgress({ phase }) {
        if (phases.at(-1) !== phase) phases.push(phase);
      },
    });
    expect(phases).toEqual(expect.arrayContaining(['search', 'training', 'cross-validation']));
    expect(phases[0]).toBe('search');
    expect(phases.at(-1)).toBe('cross-validation');
  });
});

describe('the cross-validation of train', () => {
  const ruleOptions = fc.constantFrom<Rule>(
    'averaged',
    'perceptron',
    'pocket',
    { name: 'sgd', loss: 'hinge' },
    { name: 'arow', r: 10 },
    { name: 'tree', maxDepth: 2 },
  );

  it('has the accuracy in each fold that a comparison of the same rule has', async () => {
    await forAllAsync(30, ruleOptions, fc.integer({ min: 2, max: 6 }), fc.nat(99), async (rule, folds, seed) => {
      const isTree = partsOf(rule).name === 'tree';
      const { crossValidation, report } = await train(source(), {
        rule,
        folds,
        seed,
        ...(isTree ? {} : { passes: 2, stop: { cleanPass: false } }),
      });
      const { compared } = await compareRules(source(), { candidates: [rule], folds, seed, repeats: 1, passes: 2 });
      const { accuracy, spread, foldAccuracies } = compared[0]!;
      expect(crossValidation).toMatchObject({ folds, examples: 120, accuracy, spread, foldAccuracies });
      expect(crossValidation.errors).toBe(
        crossValidation.confusion.reduce((sum, row, i) => sum + row.reduce((s, n, j) => s + (i === j ? 0 : n), 0), 0),
      );
      expect(crossValidation.confusion.flat().reduce((a, b) => a + b)).toBe(120);
      expect(report.train!.examples).toBe(120);
    });
  });

  it('does not change the model, and shares its folds with a calibration', async () => {
    const plain = await train(source(), { rule: 'averaged', ...passes });
    const folded = await train(source(), { rule: 'averaged', folds: 4, ...passes });
    expect(encodeModel(folded.model)).toBe(encodeModel(plain.model));
    const { calibration, crossValidation } = await train(source(), {
      rule: 'averaged',
      folds: 4,
      calibrate: 'platt',
      ...passes,
    });
    expect(calibration.folds).toBe(4);
    expect(crossValidation).toEqual(folded.crossValidation);
    expect(calibration.outOfFold.scoreAccuracy).toBe(1 - crossValidation.errors / 120);
  });
});

describe('options that do not fit', () => {
  const refused = (options: object, message: string) =>
    expect(train(source(), options as TrainOptions)).rejects.toMatchObject({
      code: 'option-invalid',
      message: expect.stringContaining(message),
    });

  it('are refused, and the message shows where an option of a rule goes', async () => {
    await refused(
      { rule: 'sgd', loss: 'hinge' },
      "expected options of a rule inside rule, as { name: 'sgd', loss: … }",
    );
    await refused({ aggressiveness: 1 }, "as { name: 'passive-aggressive', aggressiveness: … }");
    await refused({ rule: { name: 'sgd', aggressiveness: 1 } }, 'expected options that the rule sgd has (loss,');
    await refused({ rule: { name: 'sgd', seed: 1 } }, 'got "seed"');
    await refused({ rule: 'sgdd' }, 'did you mean "sgd"?');
    await refused(
      { rule: { loss: 'hinge' } },
      'rule must be a name or { name: …, and its options }; got an object without a name',
    );
    await refused({ rule: null }, 'rule must be a name or { name: …, and its options }; got null');
    await refused({ rule: 3 }, 'rule must be a name or { name: …, and its options }; got 3');
    await refused({ label: 'y' }, 'expected label as an option of the source, as csv(input, { label: … })');
    await refused({ validate: source() }, 'got "validate"; did you mean "validation"?');
    await refused({ kernels: {} }, 'got "kernels"');
    await refused({ folds: 1 }, 'folds must be a whole number from 2; got 1');
    await refused({ folds: 200 }, 'expected at least 200 examples to cross-validate by 200 folds; got 120');
    await refused({ curves: 1 }, 'curves must be true or false; got 1');
    await refused({ as: 'blog', rule: 'tree' }, 'as blog is the rule perceptron; got the rule tree');
  });

  it.each([
    { as: 'blog', rule: 'auto' },
    { order: 'cyclic' },
    { patience: 3 },
    { bias: 'none' },
    { start: 'random' },
    { scaling: 'max-norm' },
    { stop: { quiet: 'pass' } },
    { onStep() {} },
  ])('are refused without a named rule: %j', async (options) => {
    await refused(options, "is for a rule that is named, such as rule: 'averaged'; got the rule auto, which is chosen");
  });

  it('are refused if they hold out no row', async () => {
    await refused({ rule: 'averaged', holdout: 1e-9 }, 'holdout must hold out at least one row; got 1e-9');
  });

  it('are refused before the source is opened', async () => {
    const unopened: Source = { name: 'x', open: () => Promise.reject(new Error('opened')) };
    await expect(train(unopened, { rule: 'averaged', patience: 0 })).rejects.toThrow('patience must be a whole number');
  });
});
