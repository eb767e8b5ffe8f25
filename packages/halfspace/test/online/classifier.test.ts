import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { isDeep, some } from '../../../../test/support/quick.ts';
import { denseBatch } from '../../src/batch.ts';
import { TableFitter } from '../../src/features/fit-table.ts';
import type { CategoryColumn, TableEncoding, TextColumn } from '../../src/features/table-encoding.ts';
import { decodeModel } from '../../src/model/decode.ts';
import { encodeModel } from '../../src/model/encode.ts';
import type { Model } from '../../src/model/model.ts';
import { Predictor } from '../../src/model/predictor.ts';
import type { RawRow } from '../../src/model/raw-features.ts';
import { OnlineClassifier } from '../../src/online/classifier.ts';
import { type OnlineOptions, onlineRules } from '../../src/online/options.ts';
import { Random } from '../../src/random.ts';
import { createLearner, createMulticlassLearner, type RuleName } from '../../src/rules/registry.ts';
import { wasm } from '../support/kernels.ts';

const schema = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../src/model/model.schema.json'), 'utf8'));
const validate = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, formats: {} }).compile(schema);

const bitsOf = (numbers: ArrayLike<number>) => [
  ...new BigUint64Array(Float64Array.from(numbers, (number) => number + 0).buffer),
];
const weightsOf = (model: Model) =>
  ('functions' in model ? model.functions : [model]).map((each) =>
    'weights' in each ? [bitsOf(each.weights), each.bias + 0] : null,
  );

/** Options of single rules, with those that change a rule's steps. */
const single: Exclude<OnlineOptions['rule'], undefined>[] = [
  ...onlineRules().filter((rule) => rule !== 'follow-the-leader'),
  { name: 'averaged', updateWhen: 'below-zero' },
  { name: 'passive-aggressive', variant: 'pa-2', aggressiveness: 0.1 },
  { name: 'passive-aggressive', variant: 'pa', average: true },
  { name: 'arow', average: true, r: 0.1 },
  { name: 'sgd', loss: 'hinge', penalty: 'none' },
  { name: 'sgd', penalty: 'l1', alpha: 0.01 },
  { name: 'sgd', schedule: 'inverse-scaling', penalty: 'elastic-net', loss: 'squared-hinge', answer: 'mean' },
];
/** Their properties save and load a state at every row, so the quick suite has few of them. */
const variants: readonly OnlineOptions['rule'][] = some(['follow-the-leader', ...single], 3);
const called = (rule: OnlineOptions['rule']) => JSON.stringify(rule);
const nameOf = (rule: OnlineOptions['rule']) => (typeof rule === 'object' ? rule.name : rule) as RuleName;
const optionsOf = (rule: OnlineOptions['rule']) => {
  const { name: _, ...options } = typeof rule === 'object' ? rule : { name: rule };
  return options;
};

/** Rows of numbers, some of them 0, with importance. */
function numbers(rows: number, dimension: number, classes: number, seed: number) {
  const random = new Random(seed);
  const draw = () => (random.below(4) === 0 ? 0 : random.below(2001) / 1000 - 1);
  return {
    x: Array.from({ length: rows }, () => Float64Array.from({ length: dimension }, draw)),
    labels: Array.from({ length: rows }, () => random.below(classes)),
    importance: Float64Array.from({ length: rows }, () => (random.below(3) === 0 ? 0.5 + random.below(3) : 1)),
  };
}

describe.each(some(single, 2))('learning rows of numbers one at a time by %j', (rule) => {
  it.each([2, 3, 5])('gives the weights of one pass of the kernels over a batch, to the bit: %i classes', (classes) => {
    const { x, labels, importance } = numbers(120, 13, classes, classes);
    const kernels = wasm();
    const names = Array.from({ length: classes }, (_, k) => k);
    const online = new OnlineClassifier({ rule });
    const closed = new OnlineClassifier({ rule, classes: names });
    online.learnMany(x, labels, { importance });
    closed.learnMany(x, labels, { importance });
    const rows = x.map((row) => [...row]);
    const [name, options] = [nameOf(rule), optionsOf(rule)];
    const learner =
      classes === 2
        ? createLearner(kernels, name, options)
        : createMulticlassLearner(kernels, name, 'one-vs-rest', { ...options, classes });
    const values = labels.map((k) => (classes === 2 ? 2 * k - 1 : k));
    learner.learn(denseBatch(rows, values, importance, classes));
    const expected = learner
      .functions()
      .map((each) => ('weights' in each ? [bitsOf(each.weights), each.bias + 0] : null));
    expect(weightsOf(online.model())).toEqual(expected);
    expect(weightsOf(closed.model())).toEqual(expected);
  });
});

const word = fc.constantFrom('red', 'green', 'blue', 'Übel', '?', '', ' red ', '𝄞', '\uffee');
const text = fc
  .array(fc.constantFrom('free', 'money', 'now', 'Dear', 'all', '£', 'now!'), { minLength: 0, maxLength: 9 })
  .map((words) => words.join(' '));
const record = fc.record(
  {
    size: fc.oneof(fc.double({ min: -1e3, max: 1e3, noNaN: true }), fc.constantFrom(0, null, '12.5', '')),
    age: fc.integer({ min: 0, max: 90 }),
    open: fc.constantFrom(true, false, null, 'yes'),
    day: fc.constantFrom(new Date(0), '2024-02-29', null, '2020-01-01T10:00:00Z'),
    colour: word,
    code: fc.constantFrom('x', 1, 2, true),
    note: text,
  },
  { requiredKeys: ['age'] },
);
const columns = {
  open: 'boolean',
  colour: 'category',
  code: 'category',
  note: 'text',
  size: 'number',
  day: 'date',
} as const;
const step = fc.record({
  row: record,
  label: fc.constantFrom('b', 'a', 'c'),
  importance: fc.constantFrom(1, 1, 1, 0.25, 3, 0),
});

describe.each(variants)('by %j', (rule) => {
  it('answers like a model of the rows so far, at every moment, to the bit', () => {
    forAll(
      isDeep ? 60 : 5,
      fc.array(step, { minLength: 3, maxLength: 40 }),
      fc.constantFrom('standard', 'none'),
      fc.boolean(),
      fc.constantFrom(1, 2, 3, 100),
      (steps, scale, positive, maxFeatures) => {
        // Small bounds, so that levels and words are hashed too.
        const online = new OnlineClassifier({
          rule,
          columns,
          scale,
          maxFeatures,
          ...(positive ? { positive: 'b' } : {}),
        });
        for (const { row, label, importance } of steps) {
          const before = modelOf(online);
          const asked = online.examples === 0 ? null : online.scores(row);
          if (before !== null) {
            const predictor = new Predictor(before);
            expect(bitsOf(asked!), called(rule)).toEqual(bitsOf(predictor.scores(row as RawRow)));
            expect(online.predict(row)).toBe(predictor.predict(row));
          }
          const { scores, class: answered } = online.learn(row, label, { importance });
          if (asked !== null) expect(scores).toEqual([...asked]);
          if (before !== null) expect(answered).toBe(new Predictor(before).predict(row));
        }
        const last = modelOf(online);
        if (last !== null) {
          expect(weightsOf(decodeModel(encodeModel(last)))).toEqual(weightsOf(last));
          const { rule: name, label, columns } = online;
          const features = last.features as TableEncoding;
          const answering = online.members.find(({ answers }) => answers)?.rule ?? name;
          expect({ answering, label }).toEqual({ answering: last.rule, label: features.label!.column });
          expect(columns).toMatchObject(features.columns.map(({ name, kind }) => ({ name, kind })));
        }
      },
    );
  });

  it('continues from a saved state with the same bits, wherever it was saved', () => {
    forAll(
      isDeep ? 30 : 3,
      fc.array(step, { minLength: 1, maxLength: 25 }),
      fc.infiniteStream(fc.boolean()),
      (steps, saves) => {
        const options = { rule, columns, maxFeatures: 2 };
        const online = new OnlineClassifier(options);
        let other = new OnlineClassifier(options);
        const batched = new OnlineClassifier(options);
        for (const { row, label, importance } of steps) {
          const answer = online.learn(row, label, { importance });
          expect(other.learn(row, label, { importance })).toEqual(answer);
          if (saves.next().value) other = OnlineClassifier.load(other.save());
        }
        batched.learnMany(
          steps.map(({ row }) => row),
          steps.map(({ label }) => label),
          { importance: steps.map(({ importance }) => importance) },
        );
        expect(other.save()).toBe(online.save());
        expect(batched.save()).toBe(online.save());
      },
    );
  });
});

function modelOf(online: OnlineClassifier): Model | null {
  try {
    return online.model();
  } catch {
    return null;
  }
}

it('reads a first row with a field named "length" as a record', () => {
  const named = new OnlineClassifier();
  const other = new OnlineClassifier();
  for (const size of [3, 0, 7, 4]) {
    const label = size > 3 ? 'long' : 'short';
    named.learn({ length: size, colour: 'red' }, label);
    other.learn({ extent: size, colour: 'red' }, label);
  }
  expect(bitsOf(named.scores({ length: 5 }))).toEqual(bitsOf(other.scores({ extent: 5 })));
});

describe('a snapshot', () => {
  it('has the moments that fitting the same rows as a table gives, to the bit', () => {
    const random = new Random(5);
    const draw = () => ({ far: 1e6 + random.below(1000) / 7, near: random.below(100) / 3 - 9 });
    const rows = Array.from({ length: 300 }, draw);
    const online = new OnlineClassifier();
    rows.forEach((row, i) => void online.learn(row, i % 2));
    const fitter = new TableFitter([
      { name: 'far', kind: 'number' },
      { name: 'near', kind: 'number' },
    ]);
    const columns = [Float64Array.from(rows, ({ far }) => far), Float64Array.from(rows, ({ near }) => near)];
    fitter.observe({ rows: 300, columns });
    const { features } = online.model();
    const { kind: _, columns: __, ...rest } = features as TableEncoding;
    expect(features).toEqual(fitter.encoding(rest));
  });

  it('learns values within Samuelson’s bound, whatever comes', () => {
    const online = new OnlineClassifier({ rule: { name: 'margin', margin: 1e9 } });
    // Each row is an update, so the weight is the sum of the learned values.
    let sum = 0;
    online.learn({ x: 5 }, 'b');
    [5, 1e9, -3e12, 7, 1e15].forEach((x) => {
      online.learn({ x }, 'a');
      const model = online.model();
      const weight = model.kind === 'linear' ? model.weights[0]! : Number.NaN;
      expect(Math.abs(weight - sum)).toBeLessThanOrEqual(Math.sqrt(online.examples - 1) * (1 + 1e-12));
      sum = weight;
    });
  });

  it('lists the first levels and words, hashes the others, and follows the published schema', () => {
    const online = new OnlineClassifier({ maxFeatures: 2, columns: { note: 'text' } });
    const words = ['one', 'two', 'three', 'four', 'five'];
    words.forEach((level, i) => void online.learn({ level, note: words.slice(0, i + 1).join(' ') }, i % 2));
    const text = encodeModel(online.model());
    expect(validate(JSON.parse(text)), JSON.stringify(validate.errors)).toBe(true);
    const model = decodeModel(text);
    const [level, note] = (model.features as TableEncoding).columns as [CategoryColumn, TextColumn];
    expect(level).toMatchObject({ levels: ['one', 'two'], others: { bits: 12 } });
    expect(note.terms).toMatchObject({ names: ['one', 'two'], others: { bits: 12 } });
    const six = { level: 'six', note: 'three six' };
    expect(online.scores(six)).toEqual(new Predictor(model).scores(six));
    const { score } = online.explain(six, { class: online.classes[1] });
    expect(score).toBe(online.scores(six)[0]);
  });
});

describe('with calibration and a detector', () => {
  /** A stream of two or three classes whose rule turns round half way. */
  function stream(classes: number, rows: number) {
    const random = new Random(classes);
    return Array.from({ length: rows }, (_, i) => {
      const x = Float64Array.from({ length: 4 }, () => random.below(2001) / 1000 - 1);
      const turned = i < rows / 2 ? 1 : -1;
      const at = (turned * (x[0]! + x[1]! / 2) + random.below(400) / 1000 - 0.2 + 1.5) / 3;
      return { x, label: `class ${Math.max(0, Math.min(classes - 1, Math.floor(at * classes)))}` };
    });
  }

  it.each([2, 3])(
    'gives the probabilities of its models, to the bit, and continues so when saved: %i classes',
    (classes) => {
      const options = { calibrate: { window: 200 }, drift: 'adwin', rule: 'passive-aggressive' } as const;
      const online = new OnlineClassifier(options);
      let other = new OnlineClassifier(options);
      let compared = 0;
      stream(classes, 600).forEach(({ x, label }, i) => {
        const model = modelOf(online);
        if (model !== null && model.calibration !== null) {
          const expected = new Predictor(decodeModel(encodeModel(model))).probabilities(x);
          expect(online.probabilities(x)).toEqual(expected);
          compared++;
        }
        expect(other.learn(x, label)).toEqual(online.learn(x, label));
        if (i % 37 === 0) other = OnlineClassifier.load(other.save());
      });
      expect(other.save()).toBe(online.save());
      expect(compared).toBeGreaterThan(400);
      const { logLoss, accuracy, classes: names } = online.metrics;
      expect(logLoss).toBeLessThan(Math.log(classes) + 0.1);
      expect(accuracy).toBeGreaterThan(0.6);
      expect([...names].sort()).toEqual(Array.from({ length: classes }, (_, k) => `class ${k}`));
    },
  );

  it('reports drift after it has learned the row', () => {
    const events: unknown[] = [];
    const online: OnlineClassifier = new OnlineClassifier({
      drift: { name: 'adwin', delta: 0.01 },
      onDrift: (event) => events.push({ ...event, learned: online.examples }),
    });
    const alarms: object[] = [];
    stream(2, 2000).forEach(({ x, label }) => {
      const { drift } = online.learn(x, label);
      if (drift) alarms.push({ examples: online.examples, detector: 'adwin', learned: online.examples });
    });
    expect(events).toEqual(alarms);
    expect(alarms.length).toBeGreaterThan(0);
    expect((alarms[0] as { examples: number }).examples).toBeGreaterThan(1000);
  });

  it('has no probabilities before enough rows, or without calibration', () => {
    const online = new OnlineClassifier({ calibrate: true });
    online.learn([1], 'a');
    online.learn([0], 'b');
    expect(() => online.probabilities([1])).toThrow('expected 20 rows of each of two classes');
    const plain = new OnlineClassifier();
    plain.learn([1], 'a');
    expect(() => plain.probabilities([1])).toThrow('expected the option "calibrate"');
    // The option of train has names of kinds.
    expect(() => new OnlineClassifier({ calibrate: 'platt' as never })).toThrow(
      'calibrate must be true or { window: … }; got "platt"',
    );
  });
});
