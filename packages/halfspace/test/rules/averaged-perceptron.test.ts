import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arraySource } from '../../src/data/in-memory.ts';
import { dense, dyadic, example, examplesOf } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';
import { train } from '../support/linear.ts';
import { run } from '../support/runs.ts';

const kernels = wasm();

describe('the averaged rule', () => {
  const data = [example(-1, 3), example(-1, 4), example(1, 6), example(1, 7)];
  const rightBy = (w: number, b: number) => data.map(({ x, y }) => y * (w * x[0]! + b) > 0);

  it('classifies x = 3, 4 → lo and 6, 7 → hi correctly with the default options', async () => {
    const { model, report } = await train(arraySource(dense(data), ['lo', 'hi']), { kernels });
    expect(rightBy(model.weights[0]!, model.bias)).toEqual([true, true, true, true]);
    expect(report).toMatchObject({ stop: 'separated', classes: ['lo', 'hi'] });
    expect(report.train).toMatchObject({ accuracy: 1, separated: true });
  });

  it('would fail with the mean over updates, and with the mean up to the first clean pass', () => {
    // The perceptron needs dozens of passes to separate these four. A mean over updates counts each passing weight as
    // much as the final one; a mean up to the first clean pass counts the final one for one pass only.
    let [w, b] = [0, 0];
    const overUpdates = { w: 0, b: 0, count: 0 };
    const overExamples = { w: 0, b: 0, count: 0 };
    for (let clean = false; !clean; ) {
      clean = true;
      for (const { x, y } of data) {
        if (y * (w * x[0]! + b) <= 0) {
          w += y * x[0]!;
          b += y;
          clean = false;
          overUpdates.w += w;
          overUpdates.b += b;
          overUpdates.count++;
        }
        overExamples.w += w;
        overExamples.b += b;
        overExamples.count++;
      }
    }
    expect(rightBy(w, b)).toEqual([true, true, true, true]);
    for (const { w, b, count } of [overUpdates, overExamples])
      expect(rightBy(w / count, b / count)).not.toEqual([true, true, true, true]);
  });

  it('separates whatever the perceptron separates', async () => {
    await fc.assert(
      fc.asyncProperty(examplesOf(dyadic, { rows: 8, features: 4 }), async (data) => {
        const last = await run(data, { rule: 'perceptron', passes: 200 });
        const mean = await run(data, { passes: 200 });
        expect(mean.report.updatesPerPass).toEqual(last.report.updatesPerPass);
        expect(mean.report.stop).toBe(last.report.stop);
      }),
    );
  });
});
