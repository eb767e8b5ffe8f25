import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { some } from '../../../../../test/support/quick.ts';
import { arraySource } from '../../../src/data/in-memory.ts';
import type { ExampleSource } from '../../../src/data/source.ts';
import { growTree } from '../../../src/model/tree/grow.ts';
import { Random } from '../../../src/random.ts';
import { compareRulesWith } from '../../../src/select/compare-rules.ts';
import { learningCurveWith, validationCurveWith } from '../../../src/select/curves.ts';
import { trainWith } from '../../../src/select/train.ts';
import { trainOnce } from '../../../src/train/train-once.ts';
import { wasm } from '../../support/kernels.ts';

const rows = 60_000;
const dimension = 12;

/** Numbers of a table, column by column, and a class that two of them decide. */
function table() {
  const random = new Random(2);
  const values = Array.from({ length: dimension }, () => Float64Array.from({ length: rows }, () => random.uniform()));
  const labels = Int32Array.from({ length: rows }, (_, i) => (values[0]![i]! + values[1]![i]! > 1 ? 1 : 0));
  const columns = values.map((_, c) => ({ kind: 'number', name: `x${c}` }) as const);
  return { rows, columns, values, labels, classes: ['a', 'b'], importance: null };
}

/** The same as examples in one batch, so that reading them is no occasion for a pause. */
function examples(): ExampleSource {
  const { values: columns, labels } = table();
  const values = Float64Array.from(
    { length: rows * dimension },
    (_, k) => columns[k % dimension]![Math.floor(k / dimension)]!,
  );
  const signs = Float64Array.from(labels, (label) => 2 * label - 1);
  return arraySource({ kind: 'dense', rows, dimension, values, labels: signs, importance: null });
}

/** All functions that grow trees and accept a signal, with the least number of turns of the event loop. */
const growers: Record<string, readonly [turns: number, grow: (signal?: AbortSignal) => Promise<unknown>]> = {
  train: [8, (signal) => trainOnce(examples(), { rule: 'tree', signal, kernels: wasm() })],
  'train with a calibration': [
    40,
    (signal) => trainWith(wasm(), examples(), { rule: 'tree', calibrate: 'platt', signal }),
  ],
  compareRules: [
    12,
    (signal) => compareRulesWith(wasm(), examples(), { candidates: ['tree'], folds: 2, repeats: 1, signal }),
  ],
  learningCurve: [35, (signal) => learningCurveWith(wasm(), examples(), { rule: 'tree', folds: 2, signal })],
  validationCurve: [12, (signal) => validationCurveWith(wasm(), examples(), { rule: 'tree', folds: 2, signal })],
};

describe('growing a tree', () => {
  // The clock advances one second per call, so every possible pause happens, however fast the machine is.
  beforeEach(() => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 1000;
      return now;
    });
  });
  afterEach(() => vi.restoreAllMocks());

  it.each(some(Object.keys(growers), 3))('lets timers run: %s', async (name) => {
    let turns = 0;
    let timer = setTimeout(function turn() {
      turns++;
      timer = setTimeout(turn);
    });
    const before = await new Promise<number>((resolve) => setTimeout(() => resolve(turns)));
    const [least, grow] = growers[name]!;
    await grow();
    clearTimeout(timer);
    expect(turns - before).toBeGreaterThanOrEqual(least);
  });

  it.each(some(Object.keys(growers), 3))('stops soon after its signal is aborted: %s', async (name) => {
    const controller = new AbortController();
    let turns = 0;
    let timer = setTimeout(function turn() {
      turns++;
      if (turns === 2) controller.abort();
      timer = setTimeout(turn);
    });
    const [, grow] = growers[name]!;
    await expect(grow(controller.signal)).rejects.toMatchObject({ code: 'interrupted' });
    clearTimeout(timer);
    expect(turns).toBeLessThanOrEqual(3);
  });

  it('gives the same tree with pauses as without', async () => {
    const { model } = await trainOnce(examples(), { rule: 'tree', kernels: wasm() });
    expect(model.kind === 'tree' && model.tree.nodes).toEqual(growTree(table()).nodes);
  });
});
