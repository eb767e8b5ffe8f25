import { describe, expect, it, test, vi } from 'vitest';
import { isDeep, some } from '../../../../test/support/quick.ts';
import { denseBatch, sparseBatch } from '../../src/batch.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { openSource } from '../../src/data/open-source.ts';
import type { Candidate, FoldContext } from '../../src/evaluate/candidate.ts';
import { FoldParts } from '../../src/evaluate/fold-parts.ts';
import { FoldedExamples } from '../../src/evaluate/folded-examples.ts';
import type { JudgeRunner } from '../../src/evaluate/judge-fold.ts';
import type { Metric } from '../../src/evaluate/metric.ts';
import { goalOf } from '../../src/evaluate/metric-value.ts';
import { scoreOutOfFold } from '../../src/evaluate/out-of-fold.ts';
import { dealForCurves, learningCurveOf, validationCurveOf } from '../../src/evaluate/run-curves.ts';
import { compiledModule } from '../../src/kernels/wasm.ts';
import { FoldPool } from '../../src/pool/fold-pool.ts';
import { type FoldTask, runFoldTask, type Scored } from '../../src/pool/fold-task.ts';
import { foldWorker } from '../../src/pool/fold-worker.ts';
import { Helpers } from '../../src/pool/helpers.ts';
import { learnClasses } from '../../src/pool/learn-classes.ts';
import type { ResultMessage, TasksMessage, ThreadSetup } from '../../src/pool/messages.ts';
import type { SampledWeights, SampleTask } from '../../src/pool/sample-task.ts';
import { runTask } from '../../src/pool/task.ts';
import { type FoldThreads, memoryOf } from '../../src/pool/threads.ts';
import { Random } from '../../src/random.ts';
import { completeRuleOptions, type RuleName } from '../../src/rules/registry.ts';
import { bentExamples } from '../../src/select/bent.ts';
import { judgeBent } from '../../src/select/bent-folds.ts';
import { type AllExamples, withAll } from '../../src/select/read-all.ts';
import { rows } from '../../src/table/rows.ts';
import type { RunOptions } from '../../src/train/options.ts';
import { type PassesElsewhere, trainFrom } from '../../src/train/train-once.ts';
import { wasm } from '../support/kernels.ts';

const kernels = wasm();

/** Noisy points of a number of classes: dense, or sparse with many digits. */
function points(classes: number, isSparse: boolean) {
  const random = new Random(classes);
  const x = Array.from({ length: 90 }, () =>
    Array.from({ length: 6 }, () => (random.below(3) === 0 ? 0 : random.uniform() - 0.5)),
  );
  const names = Array.from({ length: classes }, (_, k) => `c${k}`);
  const y = x.map((row) => {
    const k = Math.max(0, Math.min(classes - 1, Math.floor((row[0]! + row[1]! + 1) * (classes / 2))));
    return classes > 2 ? k : k === 1 ? 1 : -1;
  });
  const rows = x.map((row) => ({ indices: row.map((_, j) => 3 * j), values: row }));
  return arraySource(isSparse ? sparseBatch(rows, y, null, classes) : denseBatch(x, y, null, classes), names);
}

const candidate = (rule: RuleName, options = {}): Candidate => ({
  rule,
  options: completeRuleOptions(rule, options),
  multiclass: 'one-vs-rest',
});

const candidates = [
  candidate('averaged'),
  candidate('sgd', { alpha: 0.01 }),
  candidate('arow', { average: true }),
  candidate('passive-aggressive'),
  candidate('logistic', { alpha: 0.1 }),
];

/** The fate of the results of a thread. */
type Fate = 'sent' | 'lost with the thread' | 'refused';

/** Starts threads that are none: they work when the event loop is free. */
function doubles(fateOf: (thread: number, sent: number) => Fate, count = 2) {
  let threads = 0;
  return async ({ classes, weighing, encoding }: FoldContext, metric: Metric | null) =>
    new Helpers(kernels, count, ({ message, end }) => {
      const thread = threads++;
      let sent = 0;
      let ended = false;
      const send = (given: ResultMessage) => {
        const fate = fateOf(thread, sent++);
        if (ended) return;
        if (fate === 'lost with the thread') {
          ended = true;
          end();
        } else message(fate === 'refused' ? { ...given, result: null } : given);
      };
      const work = foldWorker(
        { module: compiledModule(), classes, factors: weighing.factors, encoding: encoding(), metric },
        send,
      );
      return {
        send: (given) => void setTimeout(() => work(structuredClone(given) as TasksMessage)),
        end: () => {
          ended = true;
        },
      };
    });
}

/** Runs all candidates on all folds of two dealings. Returns the scores in the order in which they came. */
async function scoresBy(poolOf: (context: FoldContext) => FoldPool, classes: number, isSparse: boolean) {
  const reading = { seed: 1, kernels, classWeights: 'balanced' as const };
  return withAll(points(classes, isSparse), reading, async ({ intake, context }: AllExamples) => {
    const pool = poolOf(context);
    const all: (readonly [number, readonly Scored[]])[] = [];
    for (let repeat = 0; repeat < 2; repeat++) {
      const dealt = new FoldedExamples(kernels, intake.store, { folds: 3, repeat, seed: 5 });
      for (let fold = 0; fold < 3; fold++) {
        const tasks = candidates.map(
          (each): FoldTask => ({ candidate: each, fold, passes: [1, 3, 6], endsEarly: fold === 0 }),
        );
        await pool.run(dealt, tasks, 9, (scores, task) => all.push([task, scores]));
      }
      dealt.free();
    }
    pool.close();
    return all;
  });
}

const atOnce = { leastValues: 0, leastSpent: 0, leastLeft: 1e-9 };
const fates: readonly (readonly [string, (thread: number, sent: number) => Fate])[] = [
  ['work', () => 'sent'],
  ['refuse tasks', (thread, sent) => ((thread + sent) % 3 === 1 ? 'refused' : 'sent')],
  ['end', (thread, sent) => (thread === 1 && sent === 2 ? 'lost with the thread' : 'sent')],
];
const metrics: readonly (Metric | null)[] = [null, { name: 'log-loss', cost: null }];

describe.each(fates)('a pool whose threads %s', (_, fateOf) => {
  it.each(
    some(
      [
        [3, false],
        [2, false],
        [2, true],
      ] as const,
      3,
    ),
  )('has the scores of one thread, in order: %i classes, sparse %s', async (classes, isSparse) => {
    for (const metric of metrics) {
      const goal = { goal: metric === null ? null : goalOf(metric), metric };
      const alone = await scoresBy((context) => new FoldPool(context, { goal: goal.goal }), classes, isSparse);
      const start = doubles(fateOf);
      const found = await scoresBy((context) => new FoldPool(context, goal, { ...atOnce, start }), classes, isSparse);
      expect(found).toEqual(alone);
      expect(found.map(([task]) => task)).toEqual(alone.map((_, k) => k % candidates.length));
      vi.stubGlobal('SharedArrayBuffer', undefined);
      const dealt = doubles(fateOf);
      expect(
        await scoresBy((context) => new FoldPool(context, goal, { ...atOnce, start: dealt }), classes, isSparse),
      ).toEqual(alone);
      vi.unstubAllGlobals();
    }
  });
});

describe('the threads of the runtime', () => {
  const built = new URL('../../dist/bundled/fold-threads.js', import.meta.url);

  it.each(metrics)('give the scores of one thread: %j', async (metric) => {
    const { foldThreads } = (await import(built.href)) as { readonly foldThreads: () => FoldThreads | null };
    const threads = foldThreads()!;
    const reading = { seed: 1, kernels, classWeights: { c0: 3 } };
    await withAll(points(3, false), reading, async ({ intake, context }: AllExamples) => {
      const goal = metric === null ? null : goalOf(metric);
      const parts = new FoldedExamples(kernels, intake.store, { folds: 3, repeat: 0, seed: 5 });
      const task = (each: Candidate): FoldTask => ({ candidate: each, fold: 1, passes: [1, 3], endsEarly: false });
      const tasks = candidates.map(task);
      const setup: ThreadSetup = {
        module: compiledModule(),
        classes: 3,
        factors: context.weighing.factors,
        encoding: context.encoding(),
        metric,
      };
      const helpers = new Helpers(kernels, 2, (on) => threads.start(setup, on));
      const found: (readonly Scored[] | null)[] = [];
      helpers.begin({ parts, tasks, next: new Int32Array(memoryOf(4)), found });
      while (!helpers.failed && found.filter((each) => each != null).length < tasks.length) await helpers.news();
      for (const [k, each] of tasks.entries()) expect(found[k]).toEqual(await runTask(each, context, parts, goal));
      helpers.close();
      parts.free();
    });
  });
});

describe('a comparison and a choice', () => {
  it('are the same with one thread and with all', async () => {
    const index = new URL('../../dist/bundled/index.js', import.meta.url);
    const built = (await import(index.href)) as typeof import('../../src/index.ts');
    const random = new Random(8);
    const table = Array.from({ length: isDeep ? 1500 : 500 }, () => {
      const x = Array.from({ length: isDeep ? 50 : 20 }, () => random.uniform());
      return { ...x, label: x[0]! + x[1]! * x[2]! + random.uniform() > 1.2 ? 'yes' : 'no' };
    });
    const compare = (threads?: number) =>
      built.compareRules(built.rows(table), { candidates: ['averaged', 'sgd', 'logistic'], repeats: 1, threads });
    expect(await compare()).toEqual(await compare(1));
    const choose = async (threads?: number) => {
      const { model, search } = await built.train(built.rows(table), { threads });
      return { model: built.encodeModel(model), search };
    };
    expect(await choose()).toEqual(await choose(1));
    await expect(compare(0)).rejects.toThrow('threads must be a whole number from 1; got 0');
    await expect(choose(0)).rejects.toThrow('threads must be a whole number from 1; got 0');
  });
});

describe('bent numbers', () => {
  it('have the scores of one thread, with any number of threads', async () => {
    const random = new Random(3);
    const table = Array.from({ length: 120 }, () => {
      const [a, b] = [random.uniform(), random.uniform()];
      return { a, b, y: b > 0.5 === Math.abs(a - 0.5) > 0.25 ? 'in' : 'out' };
    });
    const source = await openSource(rows(table, { label: 'y' }), { kernels });
    await withAll(source, { seed: 1, kernels }, async (all) => {
      const bent = (await bentExamples(all.intake.store, all.context, { edges: 8, pairs: 10 }))!;
      const judging = { folds: 3, judged: 3, repeats: 2, examples: 120, seed: 1, countsErrors: true };
      const straight = Array.from({ length: 6 }, () => ({ examples: 40, errors: 40, accuracy: 0, loss: 1 }));
      const scoresOf = (pool: FoldPool) => judgeBent(bent, { ...judging, pool, straight });
      const alone = await scoresOf(new FoldPool(all.context, { goal: null }));
      expect(alone.map(({ folds }) => folds.length)).toEqual([6, 6]);
      for (const threads of [2, 4]) {
        const start = doubles(() => 'sent', threads - 1);
        const pool = new FoldPool(all.context, { goal: null, metric: null }, { ...atOnce, start });
        expect(await scoresOf(pool)).toEqual(alone);
        pool.close();
      }
      bent.store.free();
    });
  });
});

describe('scores out of fold and curves', () => {
  it.each([2, 3])('are those of one thread, with any number of threads: %i classes', async (classes) => {
    await withAll(points(classes, false), { seed: 1, kernels }, async ({ intake, context }) => {
      const dealt = dealForCurves(intake.store, context, { folds: 3, seed: 5, examples: 90 });
      const all = async (judged: Candidate, runner?: JudgeRunner) => {
        const told: string[] = [];
        const of = (name: string) => ({ runner, onRun: () => void told.push(name) });
        return [
          await scoreOutOfFold(judged, context, dealt, { passes: 3, ...of('scores') }),
          await learningCurveOf(judged, context, dealt, { passes: 3, ...of('sizes') }),
          await validationCurveOf(judged, context, dealt, { passes: [1, 3, 6], ...of('passes') }),
          told,
        ];
      };
      for (const fateOf of fates.map(([, fate]) => fate))
        for (const each of candidates) {
          const start = doubles(fateOf);
          const pool = new FoldPool(context, { goal: null, metric: null }, { ...atOnce, start });
          expect(await all(each, pool)).toEqual(await all(each));
          pool.close();
        }
      dealt.free();
    });
  });
});

describe('weights of runs on samples', () => {
  it.each([2, 3])('are those of one thread, with any number of threads: %i classes', async (classes) => {
    await withAll(points(classes, true), { seed: 1, kernels }, async ({ intake, context, classes: names }) => {
      const parts = new FoldParts(kernels, [intake.store], false);
      const runs = [
        { rule: 'averaged' },
        { rule: 'logistic' },
        { rule: 'sgd', alpha: 0.01, order: 'shuffled' },
      ] as const;
      const tasks = runs.flatMap((run) =>
        [5, 6, 7].map(
          (sample): SampleTask => ({
            sample,
            run,
            name: 'points',
            classes: names,
            features: names.map(() => [0, 3, 9]),
          }),
        ),
      );
      const all = async (pool: FoldPool) => {
        const found: (readonly SampledWeights[])[] = [];
        await pool.run(parts, tasks, 0, (weights) => found.push(weights));
        pool.close();
        return found;
      };
      const alone = await all(new FoldPool(context, { goal: null }));
      expect(new Set(alone.map((each) => JSON.stringify(each))).size).toBe(tasks.length);
      for (const [, fateOf] of fates) {
        const start = doubles(fateOf);
        expect(await all(new FoldPool(context, { goal: null, metric: null }, { ...atOnce, start }))).toEqual(alone);
      }
    });
  });
});

describe('a pool', () => {
  it('stops when it is asked to, also while it waits for threads', async () => {
    const stopped = new Error('stopped');
    const silent = async () => new Helpers(kernels, 1, () => ({ send: (m) => take(m as TasksMessage), end() {} }));
    /** Takes all tasks and does none. */
    const take = ({ next, tasks }: TasksMessage) => void Atomics.add(new Int32Array(next!), 0, tasks.length);
    let waits = 0;
    const stopping = (context: FoldContext): FoldContext => ({
      ...context,
      breathe: async () => {
        if (++waits > 40) throw stopped;
      },
    });
    const pool = (context: FoldContext) =>
      new FoldPool(stopping(context), { goal: null, metric: null }, { ...atOnce, start: silent });
    await expect(scoresBy(pool, 2, false)).rejects.toBe(stopped);
  });
});

test('a trial has the scores of a whole run up to the fourth equal one in a row, which holds for the others', async () => {
  const reading = { seed: 1, kernels, classWeights: null };
  await withAll(points(3, false), reading, async ({ intake, context }: AllExamples) => {
    const parts = new FoldedExamples(kernels, intake.store, { folds: 3, repeat: 0, seed: 5 });
    const passes = Array.from({ length: 40 }, (_, p) => p + 1);
    const ends = [];
    for (const each of candidates.filter(({ rule }) => rule !== 'logistic')) {
      const task: FoldTask = { candidate: each, fold: 1, passes, endsEarly: false };
      const all = await runFoldTask(task, context, parts, null);
      const steady = all.findIndex(({ errors }, p) => p > 2 && [1, 2, 3].every((k) => all[p - k]!.errors === errors));
      ends.push(steady);
      const expected = all.map((score, p) => (steady !== -1 && p > steady ? all[steady]! : score));
      expect(await runFoldTask({ ...task, isTrial: true }, context, parts, null)).toEqual(expected);
    }
    expect(Math.max(...ends)).toBeGreaterThan(2);
    parts.free();
  });
});

describe.each(fates)('learners of one-vs-rest on threads that %s', (_, fateOf) => {
  it.each([
    ['cyclic', false],
    ['shuffled-once', true],
  ] as const)('give the model, report and state of one thread: %s, sparse %s', async (order, isSparse) => {
    const source = () => points(5, isSparse);
    const options: RunOptions = { rule: 'sgd', passes: 4, order, alpha: 0.01, classWeights: 'balanced', kernels };
    const alone = await trainFrom(source(), options, {});
    for (const shared of [globalThis.SharedArrayBuffer, undefined]) {
      vi.stubGlobal('SharedArrayBuffer', shared);
      const starting = { ...atOnce, start: doubles(fateOf) };
      const learned: number[] = [];
      const elsewhere = vi.fn<PassesElsewhere>((examples, stop, breathe) =>
        learnClasses(examples, stop, {
          ...{ threads: 3, breathe, least: 0, starting },
          onLearned: (done) => learned.push(done),
        }),
      );
      expect(await trainFrom(source(), options, { elsewhere })).toEqual(alone);
      expect(await elsewhere.mock.results[0]!.value).not.toBeNull();
      expect(learned).toEqual([1, 2, 3, 4, 5]);
      vi.unstubAllGlobals();
    }
  });

  it('leave a run that a clean pass ends to one thread', async () => {
    const corners = denseBatch(
      [
        [9, 0],
        [0, 9],
        [-9, -9],
      ],
      [0, 1, 2],
      null,
      3,
    );
    const options: RunOptions = { rule: 'sgd', loss: 'hinge', passes: 40, order: 'cyclic', alpha: 0, kernels };
    const source = () => arraySource(corners, ['a', 'b', 'c']);
    const alone = await trainFrom(source(), options, {});
    expect(alone.report.passes).toBeLessThan(40);
    const starting = { ...atOnce, start: doubles(fateOf) };
    const elsewhere: PassesElsewhere = (examples, stop, breathe) =>
      learnClasses(examples, stop, { threads: 3, breathe, least: 0, starting, onLearned: () => {} });
    expect(await trainFrom(source(), options, { elsewhere })).toEqual(alone);
  });
});
