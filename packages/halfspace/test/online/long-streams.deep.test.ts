import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { OnlineClassifier } from '../../src/online/classifier.ts';
import { onlineRules } from '../../src/online/options.ts';
import { Random } from '../../src/random.ts';

/** Bytes of the heap and of array buffers after a collection of garbage. */
function memory(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const words = Array.from({ length: 300 }, (_, k) => `word${k}`);

/** Records with numbers, gaps, categories, ever new names, and text. Labels follow two of the fields, with noise. */
function* records(random: Random, rows: number, from = 0): Generator<[Record<string, unknown>, string]> {
  for (let i = from; i < from + rows; i++) {
    const x = random.uniform() - 0.5;
    const level = random.below(1000);
    const record: Record<string, unknown> = { x, level: `l${level}`, id: `user-${i}`, y: i % 100 };
    if (random.below(10) > 0) record.gap = random.uniform();
    if (random.below(4) === 0)
      record.text = Array.from({ length: 5 }, () => words[random.below(words.length)]).join(' ');
    const score = x + (level % 2 === 0 ? 0.1 : -0.1) + 0.2 * (random.uniform() - 0.5);
    yield [record, score > 0 ? 'above' : score > -0.3 ? 'below' : 'far below'];
  }
}

const options = { columns: { text: 'text' }, maxFeatures: 2000, drift: 'adwin', calibrate: true } as const;

describe('a stream of ten million rows', () => {
  it('of numbers leaves the memory as it was after the first ones', () => {
    const online = new OnlineClassifier({ rule: 'averaged', drift: 'page-hinkley', calibrate: true, window: 100 });
    const random = new Random(1);
    const row = new Float64Array(10);
    const learn = (rows: number) => {
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < row.length; j++) row[j] = random.uniform() - 0.5;
        online.learn(row, row[0]! + row[1]! > 0.05 * (random.uniform() - 0.5) ? 1 : 0);
      }
    };
    learn(100_000);
    const size = online.save().length;
    const before = memory();
    learn(9_900_000);
    expect(memory() - before).toBeLessThan(2 ** 20);
    expect(Math.abs(online.save().length - size)).toBeLessThan(5000);
    const { rows, accuracy, window } = online.metrics;
    expect(rows).toBe(9_999_999);
    expect(accuracy).toBeGreaterThan(0.98);
    expect(window.rows).toBe(100);
  });

  it('of records with ever new names stops to grow at the bound on features', () => {
    const online = new OnlineClassifier({ rule: 'perceptron', ...options });
    const random = new Random(2);
    const learn = (rows: number) => {
      for (const [record, label] of records(random, rows, online.examples)) online.learn(record, label);
    };
    learn(100_000);
    const before = memory();
    learn(1_000_000);
    expect(memory() - before).toBeLessThan(2 ** 20);
    expect(online.metrics.window.accuracy).toBeGreaterThan(0.5);
  });
});

it.each(onlineRules())('%s has the same bits after saving and loading at twenty places of a long stream', (rule) => {
  const rows = [...records(new Random(3), 60_000)];
  const whole = new OnlineClassifier({ rule, ...options });
  let parts = new OnlineClassifier({ rule, ...options });
  const random = new Random(4);
  const stops = new Set(Array.from({ length: 20 }, () => random.below(rows.length)));
  rows.forEach(([record, label], i) => {
    if (stops.has(i)) parts = OnlineClassifier.load(parts.save());
    const importance = i % 11 === 0 ? 0.5 : 1;
    expect(parts.learn(record, label, { importance }).class).toBe(whole.learn(record, label, { importance }).class);
  });
  expect(parts.save()).toBe(whole.save());
  expect(parts.metrics).toEqual(whole.metrics);
});
