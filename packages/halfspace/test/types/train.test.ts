import {
  arrays,
  type CalibrationReport,
  type CrossValidation,
  compareRules,
  csv,
  type Evaluation,
  evaluate,
  type Judgement,
  type LabelledEvaluation,
  type Model,
  OnlineClassifier,
  type Rule,
  type RuleSearch,
  type RuleWithOptions,
  rows,
  type TrainedReport,
  type TrainingCurves,
  type TrainOptions,
  type TrainState,
  train,
} from 'halfspace';
import type { LedgerTarget } from 'halfspace/ledger';
import { LedgerWriter } from 'halfspace/ledger';
import { learningCurve } from 'halfspace/metrics';
import { type AnyRuleOptions, type RuleDefinition, rules } from 'halfspace/rules';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { RuleNamed } from '../../src/rules/rule-with-options.ts';

/*
 * `npm run types` checks what compiles here, and that a line under @ts-expect-error does not. The tests run the same
 * calls: what does not compile is refused at run time too, and a member that is not null by its type is present.
 */

const points = Array.from({ length: 40 }, (_, i) => ({ x: i % 9, z: (i * 7) % 5, y: i % 9 > (i % 5) + 2 ? 'a' : 'b' }));
const source = () => rows(points, { label: 'y' });
/** A model of labels that are text. */
type Of<K extends Model['kind']> = Extract<Model<string>, { readonly kind: K }>;
type Learned = Of<'linear' | 'multiclass'>;

const refused = (run: Promise<unknown>) => expect(run).rejects.toMatchObject({ code: 'option-invalid' });

describe('the result of train has the type of its options, without casts', () => {
  it('without options: a search, and nothing else', async () => {
    const { model, search, calibration, crossValidation, curves, state, report } = await train(source());
    expectTypeOf(model).toEqualTypeOf<Learned>();
    expectTypeOf(search).toEqualTypeOf<RuleSearch>();
    expectTypeOf([calibration, crossValidation, curves, state]).toEqualTypeOf<null[]>();
    expectTypeOf([report.holdout, report.validation, report.maximumMargin]).toEqualTypeOf<null[]>();
    expect(search.tried.length).toBeGreaterThan(0);
    expect([calibration, crossValidation, curves, state, report.holdout, report.validation]).toEqual(
      Array(6).fill(null),
    );
  });

  it('with all that can be asked for', async () => {
    const { calibration, crossValidation, curves, report, search, state } = await train(source(), {
      rule: { name: 'sgd', loss: 'hinge', alpha: 0.01 },
      calibrate: 'platt',
      folds: 3,
      curves: true,
      holdout: 0.2,
      validation: source(),
      marginGap: 0.5,
      keepState: true,
      passes: 3,
    });
    expectTypeOf(search).toEqualTypeOf<null>();
    expectTypeOf(calibration).toEqualTypeOf<CalibrationReport>();
    expectTypeOf(crossValidation).toEqualTypeOf<CrossValidation>();
    expectTypeOf(curves).toEqualTypeOf<TrainingCurves>();
    expectTypeOf(report.holdout).toEqualTypeOf<Judgement>();
    expectTypeOf(report.validation).toEqualTypeOf<Evaluation>();
    expectTypeOf(state).toEqualTypeOf<TrainState>();
    expect(calibration.outOfFold.examples).toBe(report.examples);
    expect(crossValidation.foldAccuracies).toHaveLength(3);
    expect(curves.learning!.points.length).toBeGreaterThan(0);
    expect(report.holdout.examples + report.examples).toBe(40);
    expect(report.validation.examples).toBe(40);
    expect(report.maximumMargin.upper).toBeGreaterThanOrEqual(report.maximumMargin.lower);
    expect(state.rule).toBe('sgd');
  });

  it('of the model, by the rule', async () => {
    const tree = await train(source(), { rule: 'tree' });
    expectTypeOf(tree.model).toEqualTypeOf<Of<'tree'>>();
    expect(tree.model.tree.nodes.length).toBeGreaterThan(0);
    const kernel = await train(source(), { rule: { name: 'kernel', kernel: 'rbf' }, passes: 2 });
    expectTypeOf(kernel.model).toEqualTypeOf<Of<'dual'>>();
    expect(kernel.model.functions).toHaveLength(1);
    const lecture = await train(source(), { as: 'blog', passes: 2 });
    expectTypeOf(lecture.model).toEqualTypeOf<Learned>();
    expectTypeOf(lecture.search).toEqualTypeOf<null>();
    expect([lecture.model.kind, lecture.search]).toEqual(['linear', null]);
    const rule: 'voted' | 'perceptron' = points.length > 0 ? 'voted' : 'perceptron';
    const either = await train(source(), { rule: rule as 'voted' | 'perceptron', passes: 2 });
    expectTypeOf(either.model).toEqualTypeOf<Learned | Of<'dual'>>();
    expect(either.model.kind).toBe('dual');
  });

  it('of options that are not known: every member may be null', async () => {
    const options: TrainOptions = { rule: 'averaged', folds: 2 };
    const { model, search, crossValidation, report } = await train(source(), options);
    expectTypeOf(model).toEqualTypeOf<Model<string>>();
    expectTypeOf(search).toEqualTypeOf<RuleSearch | null>();
    expectTypeOf(crossValidation).toEqualTypeOf<CrossValidation | null>();
    expectTypeOf(report).toEqualTypeOf<TrainedReport<TrainOptions>>();
    expect(crossValidation?.folds).toBe(2);
    const folds: number | undefined = undefined;
    const maybe = await train(source(), { rule: 'averaged', folds: folds as number | undefined });
    expectTypeOf(maybe.crossValidation).toEqualTypeOf<CrossValidation | null>();
    expect(maybe.crossValidation).toBeNull();
  });

  it('for callbacks, whose parameters need no type', async () => {
    const seen = new Set<string>();
    await train(source(), {
      rule: 'perceptron',
      passes: 2,
      onProgress(progress) {
        if (progress.phase === 'training') expectTypeOf(progress.pass).toEqualTypeOf<number>();
        else expectTypeOf(progress.done).toEqualTypeOf<number>();
        seen.add(progress.phase);
      },
      onStep: ({ learner }) => seen.add(learner.rule),
    });
    expect(seen).toEqual(new Set(['training', 'perceptron']));
  });
});

describe('options that do not fit do not compile, and are refused', () => {
  it('unknown ones, and values of another type', async () => {
    // @ts-expect-error: patience.
    await refused(train(source(), { rule: 'averaged', ptience: 3 }));
    // @ts-expect-error: a number.
    await refused(train(source(), { rule: 'averaged', patience: '3' }));
    // @ts-expect-error: platt or isotonic.
    await refused(train(source(), { calibrate: 'beta' }));
    // @ts-expect-error: a source.
    await refused(train(source(), { rule: 'averaged', validation: 'data.csv' }));
    // @ts-expect-error: kernels are not an option.
    await refused(train(source(), { rule: 'averaged', kernels: {} }));
    // @ts-expect-error: a source.
    await refused(train('data.csv'));
  });

  it('rules that do not exist, and options of another rule', async () => {
    // @ts-expect-error: sgd.
    await refused(train(source(), { rule: 'sgdd' }));
    // @ts-expect-error: alpha.
    await refused(train(source(), { rule: { name: 'sgd', alhpa: 1 } }));
    // @ts-expect-error: an option of passive-aggressive.
    await refused(train(source(), { rule: { name: 'sgd', aggressiveness: 1 } }));
    // @ts-expect-error: a number.
    await refused(train(source(), { rule: { name: 'sgd', alpha: '1' } }));
    // @ts-expect-error: a name.
    await refused(train(source(), { rule: { loss: 'hinge' } }));
    // @ts-expect-error: options of a rule go into rule.
    await refused(train(source(), { rule: 'sgd', loss: 'hinge' }));
    // @ts-expect-error: the rule auto has no options.
    await refused(train(source(), { rule: { name: 'auto' } }));
  });

  it('options of named rules with a rule that is chosen', async () => {
    // @ts-expect-error: the rule is chosen.
    await refused(train(source(), { patience: 3 }));
    // @ts-expect-error: the rule is chosen.
    await refused(train(source(), { rule: 'auto', order: 'cyclic' }));
    const target: LedgerTarget = { append() {} };
    // @ts-expect-error: the rule is chosen.
    await refused(train(source(), { ledger: new LedgerWriter(target) }));
    // An option that is undefined counts as absent.
    const { search } = await train(source(), { order: undefined, seed: 2 });
    expect(search.tried.length).toBeGreaterThan(0);
  });

  it('members of results that were not asked for', async () => {
    const { calibration, search } = await train(source(), { rule: 'averaged' });
    // @ts-expect-error: null.
    expect(() => calibration.folds).toThrow(TypeError);
    // @ts-expect-error: null.
    expect(() => search.tried).toThrow(TypeError);
  });
});

describe('rules with options', () => {
  it('have the options of their definitions, no more and no fewer', () => {
    // Compiles only if both types have the same names and types of options.
    type Options<R extends keyof typeof rules> = Omit<RuleNamed<R>, 'name'>;
    type Given<R extends keyof typeof rules> = Parameters<typeof import('halfspace/rules').completeRuleOptions<R>>[1];
    type Differing = {
      [R in keyof typeof rules]: Same<Options<R>, Given<R>> extends true ? never : R;
    }[keyof typeof rules];
    type Same<A, B> = (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2 ? true : false;
    type Flat<T> = { [K in keyof T]: T[K] };
    expectTypeOf<Differing>().toEqualTypeOf<never>();
    type AllNames = { [R in keyof typeof rules]: Exclude<keyof RuleNamed<R>, 'name'> }[keyof typeof rules];
    expectTypeOf<AllNames>().toEqualTypeOf<keyof AnyRuleOptions>();
    const definitions: Readonly<Record<string, RuleDefinition>> = rules;
    expect(Object.keys(definitions)).toHaveLength(11);
  });

  it('are taken by the comparison and by curves, which refuse what does not fit', async () => {
    const { compared } = await compareRules(source(), {
      candidates: ['perceptron', { name: 'sgd', loss: 'hinge' }],
      folds: 2,
      repeats: 1,
      passes: 2,
    });
    expectTypeOf(compared[0]!.rule).toEqualTypeOf<RuleWithOptions>();
    expectTypeOf(compared[0]!.rule).toExtend<Rule>();
    const { model, search } = await train(source(), { rule: compared[0]!.rule, passes: 2 });
    expectTypeOf(search).toEqualTypeOf<null>();
    expect([model.rule, search]).toEqual([compared[0]!.rule.name, null]);
    const searched = await train(source(), { rule: { name: 'sgd', alpha: [1e-4, 1e-3] }, passes: 2 });
    expectTypeOf(searched.search).toEqualTypeOf<RuleSearch>();
    // @ts-expect-error: an option of another rule in a list.
    await refused(train(source(), { rule: [{ name: 'perceptron', alpha: [1] }] }));
    // @ts-expect-error: an option of another rule.
    await refused(compareRules(source(), { candidates: [{ name: 'perceptron', alpha: 1 }] }));
    // @ts-expect-error: sgd.
    await refused(compareRules(source(), { candidates: ['sgdd'] }));
    // @ts-expect-error: an option of another rule.
    await refused(learningCurve(source(), { rule: { name: 'arow', alpha: 1 } }));
  });
});

describe('OnlineClassifier', () => {
  it('takes rules in the same form, but only those that learn row by row', () => {
    expect(new OnlineClassifier({ rule: { name: 'passive-aggressive', aggressiveness: 0.1 } }).examples).toBe(0);
    // @ts-expect-error: an option of another rule.
    expect(() => new OnlineClassifier({ rule: { name: 'arow', aggressiveness: 1 } })).toThrow('got "aggressiveness"');
    // @ts-expect-error: a tree grows from all rows.
    expect(() => new OnlineClassifier({ rule: 'tree' })).toThrow('which learn row by row; got tree');
    // @ts-expect-error: window.
    expect(() => new OnlineClassifier({ widow: 10 })).toThrow('did you mean "window"');
  });
});

describe('evaluate', () => {
  it('takes the model first, then a source', async () => {
    const { model } = await train(source(), { rule: 'averaged' });
    expectTypeOf(await evaluate(model, source())).toEqualTypeOf<LabelledEvaluation<string>>();
    // @ts-expect-error: the model first.
    await expect(evaluate(source(), model)).rejects.toThrow('expected a model and then a source');
    // @ts-expect-error: onScores.
    await refused(evaluate(model, source(), { onScore() {} }));
  });
});

describe('sources', () => {
  it('refuse rows and labels that do not fit', async () => {
    expect(() => {
      // @ts-expect-error: the rows have no field of this name.
      rows(points, { label: 'why' });
      rows(points, { label: ({ x }) => x > 3 });
      // @ts-expect-error: no field of the rows.
      rows(points, { label: ({ why }) => why });
      arrays([[1], [2]], ['a', 'b']);
      csv('x,y\n1,a\n', { label: (row) => row.y });
    }).not.toThrow();
    // @ts-expect-error: a number is no row.
    await expect(train(arrays([1, 2], ['a', 'b']))).rejects.toThrow('expected');
    // @ts-expect-error: label.
    expect(() => csv('x,y\n1,a\n', { lable: 'y' })).toThrow('did you mean "label"');
  });
});
