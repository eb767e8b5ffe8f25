import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { denseBatch } from '../../src/batch.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import type { Strategy } from '../../src/model/multiclass/model.ts';
import type { Learner } from '../../src/rules/learner.ts';
import { OneVersusRest } from '../../src/rules/one-versus-rest.ts';
import {
  completeRuleOptions,
  createLearner,
  createMulticlassLearner,
  type RuleName,
  rules,
} from '../../src/rules/registry.ts';
import type { Labelled } from '../oracles/classes.ts';
import { decimal, dense, dyadic } from '../support/examples.ts';
import { implementations, reference, wasm } from '../support/kernels.ts';
import {
  compactSeveral,
  denseSeveral,
  functionBits,
  importanceOf,
  learnedByExample,
  seenOf,
  severalOf,
  severalUnderTest,
  sparseSeveral,
  weightsOf,
} from '../support/several.ts';
import { bits } from './conformance.ts';

const kernels = wasm();
const passes = 3;

const weighted = severalOf(decimal).chain((several) =>
  fc.record({
    several: fc.constant(several),
    importance: importanceOf(fc.constantFrom(0, 0.5, 1, 2, 3), several),
    known: fc.boolean(),
  }),
);

describe.each(severalUnderTest)('$name:', ({ create }) => {
  const learned = (
    data: readonly Labelled[],
    importance: readonly number[] | null,
    classes: number,
    on: Kernels = kernels,
  ): Learner => {
    const learner = create(on, classes);
    const batch = sparseSeveral(data, importance);
    for (let pass = 0; pass < passes; pass++) expect(learner.learn(batch)).toBe(data.length);
    return learner;
  };

  it('gives the same bits for any cuts with a new learner from each state, also if classes appear in between', () => {
    forAll(
      60,
      weighted,
      fc.array(fc.nat(100), { maxLength: 4 }),
      ({ several: { data, classes }, importance, known }, cuts) => {
        const count = known ? classes : 0;
        const whole = learned(data, importance, count);
        const batch = sparseSeveral(data, importance);
        let learner = create(kernels, count);
        const ends = cuts.map((cut) => cut % (passes * data.length));
        for (let t = 0; t < passes * data.length; t++) {
          if (ends.includes(t)) {
            // Through plain data, into kernels of the other kind; what becomes of the old learner must not matter.
            const old = learner;
            learner = create(t % 2 === 0 ? reference() : kernels, 0, structuredClone(old.state()));
            old.learn(batch);
            old.free();
          }
          expect(learner.learn(batch, t % data.length, (t % data.length) + 1)).toBe(1);
        }
        expect(seenOf(learner)).toEqual(seenOf(whole));
        expect(learner.state()).toEqual(whole.state());
        learner.free();
        whole.free();
      },
    );
  });

  it('treats sparse, dense and compact rows alike, to the bit', () => {
    forAll(40, severalOf(decimal), ({ data, classes }) => {
      const compact = compactSeveral(kernels, data);
      const [a, b, c] = [sparseSeveral(data), denseSeveral(data), compact.batch].map((batch) => {
        const learner = create(kernels, classes);
        for (let pass = 0; pass < passes; pass++) learner.learn(batch);
        const scores = new Float64Array(batch.rows * learner.outputs);
        learner.scoreInto(batch, scores);
        const seen = [seenOf(learner), bits(scores)];
        learner.free();
        return seen;
      });
      expect(a).toEqual(b);
      expect(a).toEqual(c);
      compact.free();
    });
  });

  it('treats 32-bit rows like doubles', () => {
    forAll(20, severalOf(dyadic), ({ data, classes }) => {
      const rows = data.map(({ x }) => Float32Array.from(x));
      const single = denseBatch(
        rows,
        data.map(({ y }) => y),
        null,
        100,
      );
      expect(single.values).toBeInstanceOf(Float32Array);
      const [a, b] = [create(kernels, classes), create(kernels, classes)];
      a.learn(single);
      b.learn(denseSeveral(data));
      expect(seenOf(a)).toEqual(seenOf(b));
      a.free();
      b.free();
    });
  });

  it('accepts new features at any time', () => {
    forAll(30, severalOf(decimal, { features: 200, rows: 8 }), fc.nat(), ({ data, classes }, at) => {
      const cut = at % data.length;
      const known = data[0]!.x.length >> 1;
      const early = data.slice(0, cut).map(({ x, y }) => ({ x: x.slice(0, known), y }));
      const late = data.slice(cut);
      const d = data[0]!.x.length;
      const [grown, wide] = [create(kernels, classes), create(kernels, classes)];
      for (let pass = 0; pass < passes; pass++) {
        grown.learn(sparseSeveral(early));
        wide.learn({ ...sparseSeveral(early), dimension: d });
        for (const learner of [grown, wide]) learner.learn(sparseSeveral(late));
      }
      expect(seenOf(grown)).toEqual(seenOf(wide));
      grown.free();
      wide.free();
    });
  });

  it('ignores an example of importance 0, also as the first of its class', () => {
    forAll(60, weighted, ({ several: { data, classes }, importance, known }) => {
      const count = known ? classes : 0;
      const kept = data.filter((_, i) => importance[i] !== 0);
      fc.pre(kept.length > 0);
      const all = learned(data, importance, count);
      const without = learned(
        kept,
        importance.filter((h) => h !== 0),
        count,
      );
      // Rows of importance 0 may be longer than all others.
      const cut = (learner: Learner) => functionBits(learner.functions());
      expect(cut(all)).toEqual(cut(without));
      expect(all.outputs).toBe(without.outputs);
      expect(all.progress.updates).toBe(without.progress.updates);
      expect(all.progress.clock).toBe(without.progress.clock);
      all.free();
      without.free();
    });
  });

  it('gives the same bits in WebAssembly and the reference', () => {
    forAll(40, weighted, ({ several: { data, classes }, importance, known }) => {
      const [a, b] = [kernels, reference()].map((on) => {
        const learner = learned(data, importance, known ? classes : 0, on);
        const scores = new Float64Array(data.length * learner.outputs);
        learner.scoreInto(sparseSeveral(data), scores);
        const seen = [seenOf(learner), bits(scores)];
        learner.free();
        return seen;
      });
      expect(a).toEqual(b);
    });
  });

  it('scores with its functions, row by row; unlearned features count 0', () => {
    forAll(20, severalOf(dyadic), ({ data, classes }) => {
      const learner = learned(data, null, classes);
      const wider = data.map(({ x, y }) => ({ x: [...x, 7, -3], y }));
      const scores = new Float64Array(data.length * classes);
      learner.scoreInto(sparseSeveral(wider), scores);
      data.forEach(({ x }, i) => {
        learner.functions().forEach((each, k) => {
          // Lists of mistakes are scored in tests of their own.
          if (!('weights' in each)) return;
          const { weights, bias } = each;
          const naive = x.reduce((sum, value, j) => sum + value * weights[j]!, bias);
          expect(scores[i * classes + k]).toBeCloseTo(naive, 9);
        });
      });
      learner.free();
    });
  });

  it('does not change its inputs, and returns copies', () => {
    const data = [0, 1, 2, 0].map((y, i): Labelled => ({ x: [i - 1, 2 * y], y }));
    for (const layout of [denseSeveral, sparseSeveral]) {
      const batch = layout(data, [1, 0, 2, 1]);
      const before = structuredClone(batch);
      const learner = create(kernels, 3);
      learner.learn(batch);
      learner.scoreInto(batch, new Float64Array(12));
      expect(batch).toEqual(before);
      const seen = seenOf(learner);
      const state = learner.state();
      for (const array of learner.functions().flatMap(arraysIn)) array.fill(7);
      for (const array of arraysIn(learner.state())) array.fill(7);
      expect(seenOf(learner)).toEqual(seen);
      expect(learner.state()).toEqual(state);
      learner.free();
    }
  });

  it('refuses a state of another rule', () => {
    const state = { ...create(kernels).state(), rule: 'another' };
    expect(() => create(kernels, 0, state)).toThrow(/^expected the state of rule .*; got another$/);
  });

  it('refuses a state of two classes, and of the other strategy', () => {
    const { rule } = create(kernels);
    const others = ['one-vs-rest', ...('multiclass' in rules[rule as RuleName] ? ['kesler'] : [])].map((strategy) =>
      createMulticlassLearner(kernels, rule as RuleName, strategy as Strategy, {
        ...completeRuleOptions(rule as RuleName, {}),
        classes: 3,
      }),
    );
    const states = [
      createLearner(kernels, rule as RuleName, completeRuleOptions(rule as RuleName, {})).state(),
      ...others.filter((other) => other.constructor !== create(kernels).constructor).map((other) => other.state()),
    ];
    for (const state of states)
      expect(() => create(kernels, 0, state)).toThrow(
        expect.objectContaining({
          code: 'option-invalid',
          message: expect.stringMatching(
            /^expected a state of .* by (one-vs-rest|kesler|joint); got one of other learners$/,
          ),
        }),
      );
  });
});

describe.each(implementations)('one versus rest, in %s kernels,', (_, make) => {
  const on = make();

  it.each(learnedByExample)('gives the bits of a run of two classes for each class: %s', (rule) => {
    const options = completeRuleOptions(rule, {});
    forAll(40, severalOf(decimal, { rows: 20 }), fc.boolean(), ({ data, classes }, known) => {
      const learner = createMulticlassLearner(on, rule, 'one-vs-rest', { ...options, classes: known ? classes : 0 });
      const alone: Learner[] = Array.from({ length: classes }, () => createLearner(on, rule, options));
      for (let pass = 0; pass < passes; pass++) {
        learner.learn(sparseSeveral(data));
        alone.forEach((machine, k) => {
          // A class that is not known is told from the rest from its first example on.
          const first = data.findIndex(({ y }) => y === k);
          if (!known && first === -1) return;
          const rows = known || pass > 0 ? data : data.slice(first);
          machine.learn({ ...sparseSeveral(rows), labels: Float64Array.from(rows, ({ y }) => (y === k ? 1 : -1)) });
        });
      }
      const expected = alone.flatMap((machine) => machine.functions()).slice(0, learner.outputs);
      expect(functionBits(learner.functions())).toEqual(functionBits(expected));
      const updates = alone.reduce((sum, machine) => sum + machine.progress.updates, 0);
      expect(learner.progress).toMatchObject({ examples: passes * data.length, updates, mistakes: null });
      for (const machine of [learner, ...alone]) machine.free();
    });
  });
});

describe('one versus rest', () => {
  it('has the clean streak of the learner that was updated last', () => {
    const learner = new OneVersusRest('perceptron', (_, state) =>
      createLearner(kernels, 'perceptron', completeRuleOptions('perceptron', {}), state),
    );
    const data = [0, 1, 2].map((y): Labelled => ({ x: [0, 1, 2].map((j) => (j === y ? 1 : 0)), y }));
    const quiet: number[] = [];
    for (let t = 0; t < 30; t++) {
      learner.learn(denseSeveral(data), t % 3, (t % 3) + 1);
      quiet.push(learner.progress.cleanStreak);
    }
    const last = quiet.lastIndexOf(0);
    expect(last).toBeGreaterThan(0);
    expect(quiet.slice(last)).toEqual(quiet.slice(last).map((_, k) => k));
    expect(quiet.at(-1)).toBeGreaterThanOrEqual(3);
  });

  it('has a mean to outlast only if its rule has one', () => {
    const make = (rule: RuleName) =>
      createMulticlassLearner(kernels, rule, 'one-vs-rest', { ...completeRuleOptions(rule, {}), classes: 3 });
    const [averaged, perceptron] = [make('averaged'), make('perceptron')];
    const data = [0, 1, 2, 1].map((y, i): Labelled => ({ x: [i, y * y], y }));
    for (const learner of [averaged, perceptron]) learner.learn(denseSeveral(data));
    expect(perceptron.presentFunctions!()).toBeNull();
    expect(functionBits(averaged.presentFunctions!()!)).toEqual(functionBits(perceptron.functions()));
    expect(functionBits(averaged.functions())).not.toEqual(functionBits(perceptron.functions()));
    // What survives for long is the mean.
    averaged.survive!(2 ** 60);
    const numbers = (learner: Learner) => weightsOf(learner).flatMap(({ weights, bias }) => [...weights, bias]);
    const present = numbers(perceptron);
    numbers(averaged).forEach((number, j) => {
      expect(number).toBeCloseTo(present[j]!, 12);
    });
  });
});

/** The typed arrays anywhere in plain data. */
function arraysIn(value: unknown): Float64Array[] {
  if (value instanceof Float64Array) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(arraysIn) : [];
}

it('a learner of several classes refuses rows of two classes', () => {
  expect(() => denseSeveral([{ x: [1], y: -1 }])).toThrow('row 1: expected a label in [0, 100); got -1');
  expect(() => dense([{ x: [1], y: 0 as 1 }])).toThrow('row 1: expected a label of -1 or 1; got 0');
});
