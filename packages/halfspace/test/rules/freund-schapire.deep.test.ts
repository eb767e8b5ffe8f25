import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sparseBatch } from '../../src/batch.ts';
import { abstentionCurve } from '../../src/evaluate/abstention.ts';
import { type Aggregate, aggregates } from '../../src/model/dual/function.ts';
import { DualScorer } from '../../src/model/dual/scorer.ts';
import { rankScores } from '../../src/model/ranking.ts';
import { createLearner } from '../../src/rules/registry.ts';
import { wasm } from '../support/kernels.ts';

// Third-party data are not part of the repository: where this folder is absent, these tests are skipped.
const folder = resolve(import.meta.dirname, '../../../../../shared/data');
const pathOf = (name: string) => resolve(folder, `mnist10k-${name}-ubyte.gz`);

/** Digits with their pixels in 256ths, which doubles hold, so that inner products are exact. */
function digits(count: number): { x: number[]; digit: number }[] {
  const images = gunzipSync(readFileSync(pathOf('images-idx3')));
  const labels = gunzipSync(readFileSync(pathOf('labels-idx1')));
  const pixels = images.readUInt32BE(8) * images.readUInt32BE(12);
  return Array.from({ length: count }, (_, i) => ({
    x: Array.from(images.subarray(16 + i * pixels, 16 + (i + 1) * pixels), (pixel) => pixel / 256),
    digit: labels[8 + i]!,
  }));
}

const batchOf = (rows: readonly { x: number[] }[], labels: readonly number[]) =>
  sparseBatch(
    rows.map(({ x }) => {
      const indices = [...x.keys()].filter((j) => x[j] !== 0);
      return { indices, values: indices.map((j) => x[j]!) };
    }),
    labels,
  );

describe.skipIf(!existsSync(pathOf('images-idx3')))('Freund and Schapire’s experiment, on handwritten digits', () => {
  const kernels = wasm();
  const learnerOf = (degree: number) =>
    degree === 1 ? createLearner(kernels, 'voted') : createLearner(kernels, 'kernel', { degree, aggregate: 'voted' });

  /** Errors in percent of the rows held out, ten digits against the rest, after one epoch. */
  function errors(degree: number, rows: ReturnType<typeof digits>): Record<Aggregate, number> {
    const train = rows.filter((_, i) => i % 5 !== 4);
    const test = rows.filter((_, i) => i % 5 === 4);
    const testBatch = batchOf(test, Array(test.length).fill(1));
    const all = Array.from({ length: 10 }, (_, digit) => {
      const learner = learnerOf(degree);
      learner.learn(
        batchOf(
          train,
          train.map((row) => (row.digit === digit ? 1 : -1)),
        ),
      );
      const scores = {
        last: new Float64Array(test.length),
        averaged: new Float64Array(test.length),
        voted: new Float64Array(test.length),
      };
      const scorer = new DualScorer(kernels, learner.dual());
      scorer.allInto(testBatch, scores);
      scorer.free();
      learner.free();
      return scores;
    });
    const errorOf = (aggregate: Aggregate) => {
      const wrong = test.filter(({ digit }, i) => {
        const scores = all.map((of) => of[aggregate][i]!);
        return scores.indexOf(Math.max(...scores)) !== digit;
      });
      return (100 * wrong.length) / test.length;
    };
    return { last: errorOf('last'), averaged: errorOf('averaged'), voted: errorOf('voted') };
  }

  it("has the shape of the paper's: the last vector is worst, average and vote are alike, and degree 2 helps all", () => {
    const rows = digits(4000);
    const [linear, quadratic] = [errors(1, rows), errors(2, rows)];
    for (const { last, averaged, voted: votes } of [linear, quadratic]) {
      expect(averaged).toBeLessThan(0.8 * last);
      expect(votes).toBeLessThan(0.8 * last);
      expect(Math.abs(averaged - votes)).toBeLessThan(0.15 * last);
    }
    for (const aggregate of aggregates) expect(quadratic[aggregate]).toBeLessThan(0.8 * linear[aggregate]);
  });

  it('errs less often with a clearer vote: half of the errors vanish long before half of the answers', () => {
    const rows = digits(3000);
    const labels = rows.map(({ digit }) => (digit === 8 ? 1 : -1));
    const learner = createLearner(kernels, 'voted');
    learner.learn(batchOf(rows.slice(0, 2000), labels.slice(0, 2000)));
    const scores = new Float64Array(1000);
    const test = batchOf(rows.slice(2000), labels.slice(2000));
    learner.scoreInto(test, scores);
    const { coverage, errors: wrong } = abstentionCurve(rankScores(scores, test.labels));
    const half = coverage.find((_, k) => wrong[k]! > wrong.at(-1)! / 2)!;
    expect(wrong.at(-1)).toBeGreaterThan(0.02);
    expect(half).toBeGreaterThan(0.8);
  });
});
