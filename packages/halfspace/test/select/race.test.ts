import { describe, expect, it } from 'vitest';
import { denseBatch } from '../../src/batch.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import type { Candidate, FoldContext } from '../../src/evaluate/candidate.ts';
import { runFold } from '../../src/evaluate/fold-runs.ts';
import { FoldedExamples } from '../../src/evaluate/folded-examples.ts';
import { Random } from '../../src/random.ts';
import { completeRuleOptions, type RuleName } from '../../src/rules/registry.ts';
import { type Raced, type RaceOptions, race } from '../../src/select/race.ts';
import { type AllExamples, withAll } from '../../src/select/read-all.ts';
import { wasm } from '../support/kernels.ts';

const kernels = wasm();

/** Noisy points of two classes. */
function points(rows: number, seed: number) {
  const random = new Random(seed);
  const x = Array.from({ length: rows }, () => Array.from({ length: 6 }, () => random.uniform() - 0.5));
  const y = x.map(([a, b]) => (a! + b! + 0.6 * (random.uniform() - 0.5) > 0 ? 1 : -1));
  return arraySource(denseBatch(x, y), ['-1', '1']);
}

const candidateOf = (rule: RuleName, options = {}): Candidate => ({
  rule,
  options: completeRuleOptions(rule, options),
  multiclass: rule === 'logistic' ? 'joint' : 'one-vs-rest',
});

const candidates = [
  candidateOf('averaged'),
  candidateOf('sgd', { alpha: 0.001 }),
  candidateOf('perceptron'),
  candidateOf('passive-aggressive', { aggressiveness: 1e-9 }),
  candidateOf('arow', { r: 1e9, average: true }),
];
const passes = [1, 2, 4, 9];

it('a path of penalties ends at the minimum of each', async () => {
  await withAll(points(300, 3), { seed: 1, kernels }, async ({ intake, context }) => {
    const dealt = new FoldedExamples(kernels, intake.store, { folds: 3, repeat: 0, seed: 1, examples: 300 });
    const strengths = [0.1, 1, 10, 100];
    const scoresOf = async (candidate: Candidate, passes: readonly number[]) => {
      const scores: number[] = [];
      const judgements = await runFold(candidate, context, dealt, 0, {
        passes,
        onScores: (batch, all) => scores.push(...all.subarray(0, batch.rows)),
      });
      return { scores, judgements };
    };
    const path = await scoresOf({ ...candidateOf('logistic'), atPenalties: true }, strengths);
    expect(path.judgements).toHaveLength(strengths.length);
    for (const [k, C] of strengths.entries()) {
      const { judgements, scores } = await scoresOf(candidateOf('logistic', { alpha: 1 / (C * 200) }), [1]);
      expect(Math.abs(judgements[0]!.heldOut.errors - path.judgements[k]!.heldOut.errors)).toBeLessThanOrEqual(1);
      if (C !== strengths.at(-1)) continue;
      const largest = Math.max(...scores.map(Math.abs));
      for (const [i, score] of scores.entries()) expect(Math.abs(path.scores[i]! - score)).toBeLessThan(0.02 * largest);
    }
    dealt.free();
  });
});

/** Returns the results of a race, and the errors of all runs to the end: by candidate, number of passes and fold. */
async function raced(rows: number, options: Pick<RaceOptions, 'folds' | 'judged' | 'repeats'> & { seed: number }) {
  return withAll(points(rows, options.seed), { seed: 1, kernels }, async ({ intake, context }: AllExamples) => {
    const progress: [number, number][] = [];
    const all = { ...options, examples: rows };
    const results = await race(
      intake.store,
      context,
      candidates.map((candidate) => ({ candidate: () => candidate, passes })),
      { ...all, goal: null, onProgress: (done, of) => progress.push([done, of]) },
    );
    const errors: number[][][] = candidates.map(() => passes.map(() => []));
    for (let repeat = 0; repeat < options.repeats; repeat++) {
      const dealt = new FoldedExamples(kernels, intake.store, { ...all, repeat });
      for (let fold = 0; fold < options.judged; fold++)
        for (const [k, candidate] of candidates.entries())
          (await judgedWhole(candidate, context, dealt, fold)).forEach((count, p) => {
            errors[k]![p]!.push(count);
          });
      dealt.free();
    }
    return { results, errors, progress };
  });
}

async function judgedWhole(candidate: Candidate, context: FoldContext, dealt: FoldedExamples, fold: number) {
  return (await runFold(candidate, context, dealt, fold, { passes })).map(({ heldOut }) => heldOut.errors);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

describe('a race', () => {
  it('has the scores of whole runs, and leaves out what is clearly worse than the best, and nothing else', async () => {
    let left = 0;
    for (let seed = 1; seed <= 4; seed++) {
      const blocks = 6;
      const { results, errors, progress } = await raced(120, { folds: 3, judged: 3, repeats: 2, seed });
      /** Number of folds after which a number of passes of a candidate is left out, by the whole runs; 40 rows a fold. */
      const leaves = errors.map((own) => own.map(() => Infinity));
      for (let done = 1; done <= blocks; done++) {
        const totals = errors.map((own, k) =>
          own.map((counts, p) => (leaves[k]![p]! < done ? Infinity : sum(counts.slice(0, done)))),
        );
        const least = Math.min(...totals.flat());
        const k0 = totals.findIndex((own) => own.includes(least));
        const best = errors[k0]![totals[k0]!.indexOf(least)]!;
        totals.forEach((own, k) => {
          own.forEach((total, p) => {
            const more = errors[k]![p]!.slice(0, done).map((count, fold) => count - best[fold]!);
            const mean = sum(more) / done;
            const error = Math.sqrt(sum(more.map((each) => (each - mean) ** 2)) / (done - 1) / done);
            const isWorse = total - least > 2 * Math.sqrt(total + least) || (done > 2 && mean > 3 * error + 1e-9);
            if (Number.isFinite(total) && isWorse) leaves[k]![p] = done;
          });
        });
      }
      results.forEach((result: Raced, k) => {
        // A candidate is out with its last numbers of passes.
        const out = Math.max(...leaves[k]!);
        const kept = passes.filter((_, p) => leaves[k]![p] === out);
        const last = Math.min(blocks, out);
        expect(result.passes).toEqual(kept);
        result.passes.forEach((count, p) => {
          const found = result.scores[p]!.map((score) => score.errors);
          expect(found).toEqual(errors[k]![passes.indexOf(count)]!.slice(0, last));
        });
        if (last < blocks) left++;
      });
      expect(progress.map(([done]) => done)).toEqual(progress.map((_, i) => i + 1));
      expect(progress.at(-1)![0]).toBe(progress.at(-1)![1]);
    }
    expect(left).toBeGreaterThan(0);
  });

  it('ends a run over large folds when more passes make no fewer errors', async () => {
    const { results, errors } = await raced(8000, { folds: 3, judged: 1, repeats: 1, seed: 7 });
    let shorter = 0;
    results.forEach((result, k) => {
      const whole = errors[k]!.map(([count]) => count!);
      const turn = whole.findIndex((count, p) => p > 0 && count >= whole[p - 1]!);
      const shown = turn === -1 ? passes.length : turn + 1;
      expect(Math.max(...result.passes.map((count) => passes.indexOf(count)))).toBeLessThan(shown);
      result.passes.forEach((count, p) => {
        expect(result.scores[p]![0]!.errors).toBe(whole[passes.indexOf(count)]);
      });
      if (shown < passes.length) shorter++;
    });
    expect(shorter).toBeGreaterThan(0);
  });
});
