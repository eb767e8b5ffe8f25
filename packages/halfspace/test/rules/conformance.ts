import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { type Batch, denseBatch, type SparseBatch, sparseBatch } from '../../src/batch.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import type { LearnerState, LinearLearner } from '../../src/rules/learner.ts';
import type { Example } from '../oracles/oracle.ts';
import { decimal, dense, dyadic, examplesOf, sparse } from '../support/examples.ts';
import { reference, wasm } from '../support/kernels.ts';

/** The description of a rule for the suite. */
export interface RuleUnderTest {
  readonly name: string;
  /** The variant, among rules of the same name. */
  readonly variant?: string;
  /**
   * True if steps are only sums and products. A rule that divides rounds also on dyadic numbers; its results then
   * depend slightly on the order of summation, and are compared approximately if its step is continuous or far from its
   * jump.
   */
  readonly exact?: boolean;
  /**
   * For a rule that is not exact: the margin y·a at which its step jumps, and the same rule that scores with present
   * weights.
   */
  readonly jump?: { readonly at: number; readonly create: (kernels: Kernels) => LinearLearner };
  /** True if rows may repeat an index, although batches do not. Default: as `exact`. */
  readonly repeats?: boolean;
  /** The bias after a single row without features of class +1. Default 1. */
  readonly biasOfEmptyRow?: number;
  /** The counts on the three examples of the last test, if they differ from the perceptron's. */
  readonly counts?: { readonly updates: number; readonly mistakes: number; readonly cleanStreak: number };
  readonly create: (kernels: Kernels) => LinearLearner;
  /** A learner that goes on from a state of another one of the same rule. */
  readonly resume: (kernels: Kernels, state: LearnerState) => LinearLearner;
}

/** Examples that lead `arow`, and `sgd` with the hinge loss, to a margin of exactly 1, or nearly 1 by rounding. */
const onTheJump: Example[][] = [
  [
    { x: [0.5, -0.5, 0.5, 0, 2], y: -1 },
    { x: [2, -0.5, 1, -0.5, 2], y: -1 },
    { x: [0, 0, 0, 0, 0], y: -1 },
    { x: [0, 0, 0, 0, 0], y: 1 },
  ],
  [
    { x: [0.5, 0, 0, 1, 0.5, -2, 0, 1, -2], y: -1 },
    { x: [0, 0, 0, 2, 0, 0, 0, 0, 0], y: -1 },
    { x: [-2, 0, 0, 0, -2, 0, 0, -2, 0], y: 1 },
    { x: [0.5, 0, 0, -1, 1, 1, 1, -0.5, 2], y: 1 },
    { x: [0, 0, 0, 0, 0, 0, 0, 0, 0], y: -1 },
    { x: [0, 0, 0, 0, 0, 0, 0, 0, 0], y: 1 },
  ],
];

/** The promises of every update rule, whatever its update. */
export function itConforms(rule: RuleUnderTest): void {
  const { name, variant, exact = true, repeats = exact, biasOfEmptyRow = 1, create, resume } = rule;
  const counts = rule.counts ?? { updates: 1, mistakes: 1, cleanStreak: 2 };
  const kernels = wasm();
  const plain = reference();
  const passes = 4;

  /** Everything that can be seen of a learner, down to the bits. */
  const seen = (learner: LinearLearner) => {
    const { weights, bias } = learner.parameters();
    const { scalars, sums, ...rest } = learner.state();
    return {
      rest: { ...rest, weights: bits(rest.weights), sums: sums === null ? null : bits(sums), scalars: bits(scalars) },
      weights: bits(weights),
      bias: bits(Float64Array.of(bias)),
      progress: learner.progress,
    };
  };
  /** To the bit where the rule is exact, nearly where it is not. */
  const expectAlike = (one: LinearLearner, other: LinearLearner) => {
    if (exact) return expect(seen(one)).toEqual(seen(other));
    const numbers = [one, other].map((learner) => {
      const { weights, bias } = learner.parameters();
      return [bias, ...weights];
    });
    expect(numbers[0]).toHaveLength(numbers[1]!.length);
    numbers[0]!.forEach((number, j) => {
      expect(number).toBeCloseTo(numbers[1]![j]!, 9);
    });
    expect(one.progress.examples).toBe(other.progress.examples);
  };
  const learned = (batches: Batch | readonly Batch[], times = passes, on: Kernels = kernels): LinearLearner => {
    const learner = create(on);
    for (let pass = 0; pass < times; pass++) for (const batch of [batches].flat()) learner.learn(batch);
    return learner;
  };
  /** Returns whether a margin was so near the jump that rounding may decide. */
  const roundingDecides = (data: readonly Example[]): boolean => {
    if (rule.jump === undefined) return false;
    const learner = rule.jump.create(kernels);
    const score = new Float64Array(1);
    for (let pass = 0; pass < passes; pass++)
      for (const each of data) {
        learner.scoreInto(dense([each]), score);
        if (Math.abs(each.y * score[0]! - rule.jump.at) < 1e-9) return true;
        learner.learn(dense([each]));
      }
    return false;
  };
  const importanceOf = (number: fc.Arbitrary<number>) => (data: readonly Example[]) =>
    fc.array(number, { minLength: data.length, maxLength: data.length });
  const weighted = examplesOf(dyadic).chain((data) =>
    fc.record({ data: fc.constant(data), importance: importanceOf(fc.constantFrom(0, 0.5, 1, 2, 3))(data) }),
  );
  const withImportance = <B extends Batch>(batch: B, importance: readonly number[]): B => ({
    ...batch,
    importance: Float64Array.from(importance),
  });

  describe(`${[name, variant ?? []].flat().join(', ')} conforms:`, () => {
    it('does not change its inputs', () => {
      forAll(weighted, fc.constantFrom(dense, sparse), ({ data, importance }, layout) => {
        for (const on of [kernels, plain]) {
          const batch = withImportance(layout(data), importance);
          const before = structuredClone(batch);
          const learner = learned(batch, 2, on);
          learner.scoreInto(batch, new Float64Array(batch.rows));
          expect(batch).toEqual(before);
        }
      });
    });

    it('returns copies', () => {
      const learner = learned(dense([{ x: [1, 2], y: 1 }]));
      const before = seen(learner);
      learner.parameters().weights.fill(7);
      const state = learner.state();
      state.weights.fill(7);
      state.sums?.fill(7);
      state.scalars.fill(7);
      for (const vector of Object.values(state.vectors ?? {})) vector.fill(7);
      expect(seen(learner)).toEqual(before);
    });

    it('ignores the order of features within a row', () => {
      forAll(examplesOf(dyadic), fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (data, chance) => {
        fc.pre(!roundingDecides(data));
        const rows = data.map(({ x }) => {
          const indices = x.map((_, j) => j);
          const rank = indices.map(() => chance.next().value);
          indices.sort((i, j) => rank[i]! - rank[j]!);
          return { indices, values: indices.map((j) => x[j]!) };
        });
        const turned = sparseBatch(
          rows,
          data.map(({ y }) => y),
        );
        expectAlike(learned(turned), learned(sparse(data, { zeros: true })));
      });
    });

    it('renumbers its weights with the features', () => {
      const isMirrored = (data: readonly Example[]) => {
        const d = data[0]!.x.length;
        const mirrored = data.map(({ x, y }) => ({ x: [...x].reverse(), y }));
        const { weights, bias } = learned(dense(data)).parameters();
        const other = learned(dense(mirrored)).parameters();
        expect(other.weights).toHaveLength(d);
        if (exact) {
          expect([...other.weights]).toEqual([...weights].reverse());
          expect(other.bias).toBe(bias);
        } else {
          weights.forEach((weight, j) => {
            expect(other.weights[d - 1 - j]).toBeCloseTo(weight, 9);
          });
          expect(other.bias).toBeCloseTo(bias, 9);
        }
      };
      for (const data of onTheJump) if (!roundingDecides(data)) isMirrored(data);
      forAll(examplesOf(dyadic), (data) => {
        fc.pre(!roundingDecides(data));
        isMirrored(data);
      });
    });

    it('accepts new features at any time', () => {
      forAll(examplesOf(dyadic, { features: 200 }), fc.nat(), (data, at) => {
        const cut = at % data.length;
        const known = data[0]!.x.length >> 1;
        const early = data.slice(0, cut).map(({ x, y }) => ({ x: x.map((value, j) => (j < known ? value : 0)), y }));
        const narrow = sparse(early);
        const late = sparse(data.slice(cut));
        const all = sparse([...early, ...data.slice(cut)]);
        expect(seen(learned([{ ...narrow, dimension: known }, late]))).toEqual(seen(learned(all)));
      });
    });

    it('scores unlearned features as 0, also far beyond the known ones', () => {
      for (const on of [kernels, plain]) {
        const learner = learned(dense([{ x: [1], y: 1 }]), passes, on);
        const scores = new Float64Array(3);
        // Asked before and after: the first answer must not be remembered as one for so few features.
        for (let time = 0; time < 2; time++) {
          learner.scoreInto(dense([{ x: [3], y: 1 }]), scores);
          expect(scores[0]).not.toBe(0);
          const far = [1, 1000, 100_000].map((index) => ({ indices: [0, index], values: [3, 7] }));
          const [known] = scores;
          learner.scoreInto(sparseBatch(far, [1, 1, 1]), scores);
          expect([...scores]).toEqual([known, known, known]);
        }
      }
    });

    it('treats sparse and dense rows alike', () => {
      forAll(weighted, ({ data, importance }) => {
        // Where steps round, zeros keep the lanes of the norms alike.
        const [a, b] = [sparse(data, { zeros: !exact }), dense(data)].map((batch) =>
          learned(withImportance(batch, importance)),
        );
        expect(seen(a!)).toEqual(seen(b!));
        // A mean is not dyadic: its scores round, and alike only where the zeros keep the lanes alike.
        const scores = [sparse(data, { zeros: true }), dense(data)].map((batch) => {
          const out = new Float64Array(data.length);
          a!.scoreInto(batch, out);
          return bits(out);
        });
        expect(scores[0]).toEqual(scores[1]);
      });
    });

    it('adds up repeated indices of a row', () => {
      forAll(examplesOf(dyadic), examplesOf(dyadic), (data, other) => {
        const d = Math.min(data[0]!.x.length, other[0]!.x.length);
        const rows = data.slice(0, Math.min(data.length, other.length));
        const sum = rows.map(({ x, y }, i) => ({
          x: x.slice(0, d).map((value, j) => value + other[i]!.x[j]!),
          y,
        }));
        fc.pre(!roundingDecides(sum));
        const indices = Array.from({ length: 2 * d }, (_, k) => k % d);
        const twice = rows.map(({ x }, i) => ({ indices, values: [...x.slice(0, d), ...other[i]!.x.slice(0, d)] }));
        const labels = rows.map(({ y }) => y);
        // As checked, and as somebody may hand it over who made it by hand.
        const checked = sparseBatch(twice, labels);
        const raw: SparseBatch = {
          ...checked,
          offsets: Uint32Array.from([...rows.keys(), rows.length], (i) => i * 2 * d),
          indices: Uint32Array.from(twice.flatMap(({ indices }) => indices)),
          values: Float64Array.from(twice.flatMap(({ values }) => values)),
        };
        const expected = learned(sparse(sum, { zeros: true }));
        expectAlike(learned(checked), expected);
        // Norms are those of rows that have each index once, and so are looks at two features at a time.
        if (repeats) expectAlike(learned(raw), expected);
      });
    });

    it('gives the same bits in the same run', () => {
      forAll(examplesOf(decimal), fc.constantFrom(dense, sparse), (data, layout) => {
        expect(seen(learned(layout(data)))).toEqual(seen(learned(layout(data))));
      });
    });

    it('gives the same bits in WebAssembly and the reference', () => {
      const realistic = examplesOf(decimal, { rows: 30, features: 40 }).chain((data) =>
        fc.record({
          data: fc.constant(data),
          importance: fc.option(importanceOf(fc.double({ min: 0, max: 3, noNaN: true }))(data)),
        }),
      );
      forAll(realistic, fc.constantFrom(dense, sparse), ({ data, importance }, layout) => {
        const batch = importance === null ? layout(data) : withImportance(layout(data), importance);
        const [a, b] = [kernels, plain].map((on) => learned(batch, passes, on));
        expect(seen(a!)).toEqual(seen(b!));
        const scores = [a!, b!].map((learner) => {
          const out = new Float64Array(batch.rows);
          learner.scoreInto(batch, out);
          return bits(out);
        });
        expect(scores[0]).toEqual(scores[1]);
      });
    });

    it('ignores how examples are cut into batches', () => {
      forAll(weighted, fc.array(fc.nat(12)), fc.constantFrom(dense, sparse), ({ data, importance }, cuts, layout) => {
        const ends = [...cuts.map((cut) => cut % data.length), 0, data.length].sort((a, b) => a - b);
        const pieces = ends
          .slice(1)
          .map((end, k) => withImportance(layout(data.slice(ends[k]!, end)), importance.slice(ends[k]!, end)))
          .map((piece): Batch => ({ ...piece, dimension: data[0]!.x.length }));
        expect(seen(learned(pieces))).toEqual(seen(learned(withImportance(layout(data), importance))));
      });
    });

    it('treats ranges of a batch like the whole batch', () => {
      forAll(examplesOf(decimal), fc.nat(12), (data, at) => {
        const batch = dense(data);
        const cut = at % data.length;
        const learner = create(kernels);
        for (let pass = 0; pass < passes; pass++) {
          expect(learner.learn(batch, 0, cut)).toBe(cut);
          expect(learner.learn(batch, cut)).toBe(data.length - cut);
        }
        expect(seen(learner)).toEqual(seen(learned(batch)));
      });
    });

    it('continues from a state as if it had never stopped', () => {
      forAll(examplesOf(decimal), fc.nat(), fc.boolean(), (data, at, scored) => {
        const batch = sparse(data);
        const cut = at % (passes * data.length);
        const whole = create(kernels);
        const first = create(kernels);
        let second: LinearLearner | null = null;
        const out = new Float64Array(data.length);
        for (let t = 0; t < passes * data.length; t++) {
          if (t === cut) {
            // What the first one is asked in between, or does after, must not matter.
            if (scored) first.scoreInto(batch, out);
            // Through plain data, and into other kernels than those it comes from.
            second = resume(plain, structuredClone(first.state()));
            first.learn(batch);
          }
          const i = t % data.length;
          whole.learn(batch, i, i + 1);
          (second ?? first).learn(batch, i, i + 1);
        }
        expect(seen(second!)).toEqual(seen(whole));
      });
    });

    it('refuses a state of another rule', () => {
      const state = { ...create(kernels).state(), rule: 'another' };
      expect(() => resume(kernels, state)).toThrow(`expected the state of rule ${name}; got another`);
    });

    it('treats an importance of null as 1 for all', () => {
      forAll(examplesOf(decimal), (data) => {
        const ones = data.map(() => 1);
        expect(seen(learned(withImportance(sparse(data), ones)))).toEqual(seen(learned(sparse(data))));
      });
    });

    it('ignores an example of importance 0: no update, no time', () => {
      forAll(weighted, ({ data, importance }) => {
        const kept = data.filter((_, i) => importance[i] !== 0);
        fc.pre(kept.length > 0);
        for (const on of [kernels, plain]) {
          const all = learned(withImportance(sparse(data), importance), passes, on);
          const without = learned(
            withImportance(
              sparse(kept),
              importance.filter((h) => h !== 0),
            ),
            passes,
            on,
          );
          expect(all.parameters()).toEqual(without.parameters());
          expect(all.progress.updates).toBe(without.progress.updates);
          expect(all.progress.clock).toBe(without.progress.clock);
        }
      });
    });

    it('stops just after the limit of updates', () => {
      forAll(examplesOf(dyadic), fc.integer({ min: 0, max: 5 }), (data, limit) => {
        for (const on of [kernels, plain]) {
          const free = create(on);
          const limited = create(on);
          limited.limit({ updates: limit });
          const batch = sparse(data);
          const shown = limited.learn(batch);
          expect(limited.progress.updates).toBeLessThanOrEqual(limit);
          expect(limited.progress.examples).toBe(shown);
          for (let i = 0; i < shown; i++) free.learn(batch, i, i + 1);
          expect(limited.parameters()).toEqual(free.parameters());
          expect(limited.progress).toEqual(free.progress);
          if (shown === data.length) return;
          expect(limited.progress.updates).toBe(limit);
          expect(limited.progress.cleanStreak).toBe(0);
          // It stays stopped, and goes on when it may.
          expect(limited.learn(batch, shown)).toBe(0);
          limited.limit({});
          expect(limited.learn(batch, shown)).toBe(data.length - shown);
          expect(limited.progress.examples).toBe(data.length);
        }
      });
    });

    it('stops just after the given number of examples without an update, over calls and batches', () => {
      forAll(examplesOf(dyadic, { features: 3 }), fc.integer({ min: 1, max: 8 }), (data, limit) => {
        for (const on of [kernels, plain]) {
          const free = create(on);
          const limited = create(on);
          limited.limit({ cleanStreak: limit });
          const batch = sparse(data);
          let expected = 0;
          while (free.progress.cleanStreak < limit && expected < 6 * data.length) {
            const i = expected++ % data.length;
            free.learn(batch, i, i + 1);
          }
          let shown = 0;
          for (let pass = 0; pass < 6; pass++) shown += limited.learn(batch);
          expect(shown).toBe(expected);
          expect(limited.progress).toEqual(free.progress);
          expect(limited.parameters()).toEqual(free.parameters());
        }
      });
    });

    it('ignores an empty batch', () => {
      const learner = learned(dense([{ x: [1, 2], y: 1 }]));
      const before = seen(learner);
      for (const empty of [denseBatch([], []), sparseBatch([], [])]) {
        expect(learner.learn(empty)).toBe(0);
        learner.scoreInto(empty, new Float64Array(0));
      }
      expect(seen(learner)).toEqual(before);
    });

    it('learns from a row without features by the bias alone', () => {
      const empty: SparseBatch = sparseBatch([{ indices: [], values: [] }], [1]);
      const { weights, bias } = learned(empty, 1).parameters();
      expect([...weights]).toEqual([]);
      expect(bias).toBe(biasOfEmptyRow);
    });

    it('counts examples, updates, mistakes and time', () => {
      const learner = create(kernels);
      const data: Example[] = [
        { x: [1], y: 1 },
        { x: [-2], y: -1 },
        { x: [2], y: 1 },
      ];
      learner.learn(withImportance(dense(data), [2, 1, 0.5]));
      // For the perceptron only the first, at w = 0, is not yet on its side: score 0 is the negative class.
      expect(learner.progress).toEqual({ examples: 3, clock: 3.5, ...counts });
    });
  });
}

/** The bits of doubles, so that −0 is not 0 and NaN is NaN. */
export function bits(numbers: Float64Array): string[] {
  const view = new DataView(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  return Array.from(numbers, (_, i) => view.getBigUint64(i * 8).toString(16));
}
