import { describe, expect, it } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import { HalfspaceError } from '../../src/errors.ts';
import { type Ledger, updateAt } from '../../src/ledger/ledger.ts';
import { replay } from '../../src/ledger/replay.ts';
import { fromShortFloat, toShortFloat } from '../../src/ledger/short-float.ts';
import { encodeModel } from '../../src/model/encode.ts';
import type { LinearModel } from '../../src/model/linear/model.ts';
import type { MulticlassModel } from '../../src/model/multiclass/model.ts';
import { Random } from '../../src/random.ts';
import {
  completeRuleOptions,
  createLearner,
  createMulticlassLearner,
  type RuleName,
  rules,
} from '../../src/rules/registry.ts';
import type { RunOptions } from '../../src/train/options.ts';
import type { Labelled } from '../oracles/classes.ts';
import type { Example } from '../oracles/oracle.ts';
import { bits } from '../rules/conformance.ts';
import { decimal, dense, examplesOf } from '../support/examples.ts';
import { reference, wasm } from '../support/kernels.ts';
import { inTwo, recorded, refusable, runOptions, severalSource } from '../support/ledgers.ts';
import { denseSeveral, severalOf } from '../support/several.ts';
import { libsvmSource } from '../support/text.ts';

const kernels = wasm();

/** Three classes at most, each with an example. */
const three = severalOf(decimal, { rows: 30 }).map(({ data }): Labelled[] => {
  const d = data[0]!.x.length;
  const each = [0, 1, 2].map((y) => ({ x: Array.from({ length: d }, (_, j) => (j === y ? 1 : -0.3)), y }));
  return [...each, ...data.map(({ x, y }) => ({ x, y: y % 3 }))];
});

describe('a replay to the end', () => {
  it('gives the model and report of the run, byte for byte, on both kernels, for any rule, order and other options', async () => {
    let ran = 0;
    await forAllAsync(
      200,
      examplesOf(decimal, { rows: 40 }).chain((data) =>
        fc.tuple(
          fc.constant(data),
          fc.option(fc.array(fc.constantFrom(0, 0.1, 0.7, 1, 3), { minLength: data.length, maxLength: data.length })),
          fc.constantFrom('dense' as const, 'sparse' as const),
        ),
      ),
      runOptions,
      async ([data, importance, layout], options) => {
        const source = () => inTwo(data, importance, layout);
        const run = await refusable(() => recorded(source(), { ...options, kernels }));
        if (run === null) return;
        ran++;
        const again = await replay(run.ledger, source(), { kernels });
        expect(encodeModel(again.model)).toBe(encodeModel(run.model));
        expect(again.report).toEqual(run.report);
        const plain = await recorded(source(), { ...options, kernels: reference() });
        expect(plain.bytes).toEqual(run.bytes);
        const plainly = await replay(run.ledger, source(), { kernels: reference() });
        expect(encodeModel(plainly.model)).toBe(encodeModel(run.model));
      },
    );
    expect(ran).toBeGreaterThan(8);
  });

  it('does so for several classes, one versus rest and jointly', async () => {
    await forAllAsync(
      120,
      three,
      runOptions.filter(({ as, start }) => as !== 'foda' && start === undefined),
      fc.constantFrom('one-vs-rest' as const, 'kesler' as const),
      fc.constantFrom('dense' as const, 'sparse' as const),
      async (data, options, multiclass, layout) => {
        const source = () => severalSource(data, layout);
        const { classWeights: _, ...rest } = options;
        const run = await refusable(() => recorded(source(), { ...rest, multiclass, kernels }));
        if (run === null) return;
        const again = await replay(run.ledger, source(), { kernels });
        expect(encodeModel(again.model)).toBe(encodeModel(run.model));
        const plain = await recorded(source(), { ...rest, multiclass, kernels: reference() });
        expect(plain.bytes).toEqual(run.bytes);
      },
    );
  });

  it('does so for text that streams, with a late third class, and for compact rows', async () => {
    const random = new Random(5);
    const line = (label: number) =>
      `${label} ${[1, 2, 3].map((j) => `${j}:${Math.round((random.uniform() - 0.5) * 1000) / 100}`).join(' ')}\n`;
    for (const labels of [2, 3]) {
      const text = Array.from({ length: 900 }, (_, i) => line(i < 700 ? i % 2 : i % labels)).join('');
      const source = () => libsvmSource(kernels, text, { textBytes: 2000 });
      for (const options of [{ passes: 3 }, { passes: 3, holdout: 0.3 }, { passes: 2, order: 'shuffled' as const }]) {
        const run = await recorded(source(), { rule: 'averaged', ...options, kernels });
        expect(run.ledger.restarted).toBe(labels === 3);
        const again = await replay(run.ledger, source(), { kernels });
        expect(encodeModel(again.model)).toBe(encodeModel(run.model));
      }
    }
  });
});

/** The options of runs that a learner can be led through by hand. */
const plainOptions = fc.record({
  rule: fc.constantFrom<Pick<RunOptions, 'rule' | 'margin' | 'variant' | 'average'>>(
    { rule: 'perceptron' },
    { rule: 'averaged' },
    { rule: 'margin', margin: 1.5 },
    { rule: 'passive-aggressive', variant: 'pa-1' },
    { rule: 'passive-aggressive', variant: 'pa-2' },
    { rule: 'passive-aggressive', average: true },
  ),
  order: fc.constantFrom('cyclic' as const, 'shuffled' as const, 'random' as const),
  seed: fc.nat(100),
  passes: fc.integer({ min: 1, max: 4 }),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
});

/** The numbers of the examples in the order in which a run shows them. */
function* shownOrder(n: number, order: 'cyclic' | 'shuffled' | 'random', seed: number): Generator<number> {
  const random = new Random(seed);
  for (;;) {
    const numbers = Uint32Array.from({ length: n }, (_, i) => i);
    if (order === 'shuffled') random.shuffle(numbers);
    for (let k = 0; k < n; k++) yield order === 'random' ? random.below(n) : numbers[k]!;
  }
}

describe('a replay to a step', () => {
  it('has the bits of a learner stopped there, and the ledger names the row at that step', async () => {
    await forAllAsync(
      200,
      examplesOf(decimal, { rows: 20 }),
      plainOptions,
      async (data, { rule, at, order, seed, passes }) => {
        const { ledger } = await recorded(inTwo(data), { ...rule, order, seed, passes, kernels });
        const { count } = ledger.updates;
        if (count === 0) return;
        const step = 1 + Math.floor(at * (count - 1));
        const { model, report } = await replay(ledger, inTwo(data), { step, kernels });
        const { rule: name, ...own } = rule as { rule: RuleName };
        const learner = createLearner(kernels, name, completeRuleOptions(name, own));
        let last = -1;
        let before = 0;
        for (const i of shownOrder(data.length, order, seed)) {
          before = learner.progress.updates;
          learner.learn(dense([data[i] as Example]));
          last = i;
          if (learner.progress.updates === step) break;
        }
        expect(before).toBe(step - 1);
        const [{ weights, bias }] = learner.functions() as [LinearModel];
        expect(bits((model as LinearModel).weights)).toEqual(bits(weights));
        expect((model as LinearModel).bias).toBe(bias);
        expect(report.updates).toBe(step);
        expect(updateAt(ledger, step).row).toBe(last);
        expect(updateAt(ledger, step).raised).toBe(data[last]!.y > 0 ? 1 : 0);
      },
    );
  });

  it('does so for the multiclass update', async () => {
    await forAllAsync(100, three, plainOptions, async (data, { rule, at, seed, passes }) => {
      const options = { ...rule, seed, passes, order: 'cyclic', multiclass: 'kesler', kernels } as const;
      const { ledger } = await recorded(severalSource(data), options);
      const { count } = ledger.updates;
      if (count === 0) return;
      const step = 1 + Math.floor(at * (count - 1));
      const { model } = await replay(ledger, severalSource(data), { step, kernels });
      const { rule: name, ...own } = rule as { rule: RuleName };
      const all = { ...completeRuleOptions(name, own), classes: 3 };
      const learner = createMulticlassLearner(kernels, name, 'kesler', all);
      learner.limit({ updates: step });
      for (let pass = 0; pass < passes; pass++) learner.learn(denseSeveral(data));
      const expected = learner.functions() as { weights: Float64Array; bias: number }[];
      (model as MulticlassModel).functions.forEach(({ weights, bias }, k) => {
        expect(bits(weights)).toEqual(bits(expected[k]!.weights));
        expect(bias).toBe(expected[k]!.bias);
      });
      const { row, raised } = updateAt(ledger, step);
      expect(raised).toBe(data[row]!.y);
    });
  });

  it('of one versus rest has, for each class, the weights after its own updates until then', async () => {
    await forAllAsync(60, three, fc.double({ min: 0, max: 1, noNaN: true }), async (data, at) => {
      const options = { rule: 'perceptron', passes: 3, kernels } as const;
      const { ledger } = await recorded(severalSource(data), options);
      const { count } = ledger.updates;
      const step = 1 + Math.floor(at * (count - 1));
      const { model } = await replay(ledger, severalSource(data), { step, kernels });
      const own = [0, 1, 2].map(
        (k) =>
          Array.from({ length: step }, (_, s) => updateAt(ledger, s + 1)).filter(
            ({ raised, lowered }) => raised === k || lowered === k,
          ).length,
      );
      (model as MulticlassModel).functions.forEach(({ weights, bias }, k) => {
        if (own[k] === 0) {
          expect([...weights, bias].every((w) => w === 0)).toBe(true);
          return;
        }
        const learner = createLearner(kernels, 'perceptron', {});
        const batch = dense(data.map(({ x, y }) => ({ x, y: y === k ? 1 : -1 })));
        learner.limit({ updates: own[k]! });
        for (let pass = 0; pass < 3; pass++) learner.learn(batch);
        const [expected] = learner.functions() as [LinearModel];
        expect(bits(weights)).toEqual(bits(expected.weights));
        expect(bias).toBe(expected.bias);
      });
    });
  });

  it('is refused if there is no such step', async () => {
    const { ledger } = await recorded(inTwo(line), { rule: 'perceptron', kernels });
    const { count } = ledger.updates;
    for (const step of [0, count + 1, 1.5])
      await expect(replay(ledger, inTwo(line), { step, kernels })).rejects.toThrow(
        `step must be a whole number in [1, ${count}]; got ${step}`,
      );
  });
});

const line: Example[] = [
  { x: [1, 2], y: 1 },
  { x: [2, -1], y: -1 },
  { x: [-1, 0.5], y: 1 },
  { x: [0.5, -2], y: -1 },
];

describe('data other than those of the ledger', () => {
  it('are refused at the first update that differs, or by their digest', async () => {
    const { ledger } = await recorded(inTwo(line), { rule: 'perceptron', kernels });
    const first = line.map((each, i) => (i === 1 ? { ...each, x: [-20, -1] } : each));
    await expect(replay(ledger, inTwo(first), { kernels })).rejects.toThrow(
      /^expected update 2 by row 2, at the lead -\d+(\.\d+)?; got .*: the data are not those of the ledger$/,
    );
    await expect(replay(ledger, inTwo(line.slice(0, 3)), { kernels })).rejects.toThrow(HalfspaceError);
    // A row that made no update in the run, a hair's breadth away from where it was: only the digest can tell.
    const quiet = [0, 1, 2, 3].find((row) => !ledger.updates.rows.subarray(0, ledger.updates.count).includes(row))!;
    const nearly = line.map((each, i) => (i === quiet ? { ...each, x: [each.x[0]!, each.x[1]! + 1e-9] } : each));
    await expect(replay(ledger, inTwo(nearly), { kernels })).rejects.toThrow(
      'examples: expected the 4 examples of the ledger; got others (their digest differs)',
    );
  });
});

describe('a ledger', () => {
  it('is refused by rules whose weights are not sums of single updates', async () => {
    const refused = (Object.keys(rules) as RuleName[]).filter((rule) => !('recordable' in rules[rule]));
    for (const rule of refused)
      await expect(recorded(inTwo(line), { rule, kernels })).rejects.toThrow(
        `a ledger is for the rules averaged, perceptron, margin, passive-aggressive, whose weights are sums of single updates; got the rule ${rule}`,
      );
  });

  it('does not change the run', async () => {
    const { trainOnce } = await import('../../src/train/train-once.ts');
    for (const options of [{}, { rule: 'passive-aggressive' }, { order: 'shuffled', holdout: 0.3 }] as RunOptions[]) {
      const random = new Random(3);
      const data = Array.from({ length: 300 }, (): Example => {
        const x = [random.uniform() - 0.5, random.uniform() - 0.5];
        return { x, y: x[0]! + 0.3 * random.uniform() > 0 ? 1 : -1 };
      });
      const without = await trainOnce(inTwo(data), { ...options, kernels });
      const run = await recorded(inTwo(data), { ...options, kernels });
      expect(encodeModel(run.model)).toBe(encodeModel(without.model));
      expect(total(run.ledger)).toBe(run.report.updates);
    }
  });
});

function total({ updates }: Ledger): number {
  return updates.passes.map((_, p) => updates.rangeOf(p + 1)).reduce((sum, [from, to]) => sum + to - from, 0);
}

describe('a short float', () => {
  it('is the nearest number with sixteen bits, so its relative error is at most 1/256', () => {
    forAll(fc.double({ min: -1e30, max: 1e30, noNaN: true }), (x) => {
      fc.pre(Math.abs(x) > 1e-30);
      const short = fromShortFloat(toShortFloat(x));
      expect(Math.abs(short - x)).toBeLessThanOrEqual(Math.abs(x) / 256);
      expect(fromShortFloat(toShortFloat(short))).toBe(short);
    });
  });
});
