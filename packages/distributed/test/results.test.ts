import fc from 'fast-check';
import { HalfspaceError } from 'halfspace';
import { beforeAll, describe, expect, test } from 'vitest';
import { decodeMixState, type Job, type MixState, mix, mixPart, modelOf, type ResultFile, work } from '../src/index.ts';
import { jobOf, streamOf } from './engine.ts';

const rows = [-3, -2, 5, 1, -4, 2, 7, -1].map((x) => ({ x, y: x > 0 ? 'up' : 'down' }));
const members = { columns: { x: { kind: 'number' } }, shards: 2, passes: 3, patience: undefined };
const jobs = [jobOf(members), jobOf({ ...members, rule: { name: 'perceptron' } }), jobOf({ ...members, seed: 2 })];

/** A step of a training: its job, the state before it and the results of all shards. */
interface Step {
  readonly job: Job;
  readonly state: MixState | null;
  readonly results: readonly ResultFile[];
}

const steps: Step[] = [];
/** Trainings of these jobs, and of the first one on other rows. */
const trainings = [...jobs.map((job) => ({ job, shift: 0 })), { job: jobs[0]!, shift: 0.5 }];

beforeAll(async () => {
  for (const [t, { job, shift }] of trainings.entries()) {
    let state: MixState | null = null;
    while (state?.next !== null) {
      const results: ResultFile[] = [];
      for (let k = 0; k < job.shards; k++) {
        const own = rows.filter((_, i) => i % job.shards === k).map(({ x, y }) => ({ x: x + shift, y }));
        const bytes = await work(job, state, k, streamOf(own, { x: 'number', y: 'text' }));
        results.push({ name: `training ${t}, step ${steps.length}, shard ${k}`, bytes });
      }
      steps.push({ job, state, results });
      state = decodeMixState(await mix(job, state, results), 'state');
    }
  }
});

const refusal = async (run: () => unknown): Promise<HalfspaceError> => {
  try {
    await run();
  } catch (error) {
    expect(error).toBeInstanceOf(HalfspaceError);
    return error as HalfspaceError;
  }
  throw new Error('expected a refusal; got none');
};

describe('the results of a step', () => {
  test('are mixed only with its job and its state; others are refused by the names of their files', async () => {
    const alike = (a: Step, b: Step) =>
      JSON.stringify(a.job) === JSON.stringify(b.job) && a.state?.digest === b.state?.digest;
    for (const { job, state } of steps)
      for (const other of steps) {
        if (alike({ job, state, results: [] }, other)) continue;
        if (other.state !== null && JSON.stringify(job) !== JSON.stringify(other.job)) {
          expect((await refusal(() => mix(job, other.state, other.results))).message).toMatch(
            /^expected a state of this/,
          );
          expect((await refusal(() => modelOf(job, other.state!))).message).toMatch(/^expected a state of this job/);
        }
        const { message } = await refusal(() => mix(job, state, other.results));
        expect(message).toMatch(/^training \d, step \d+, shard \d: expected a result of/);
        expect(await refusal(() => mixPart(job, state, other.results.slice(1)))).toBeInstanceOf(HalfspaceError);
      }
  });

  test('are refused if one of them is of another step, or there twice, or absent', async () => {
    for (const [s, { job, state, results }] of steps.entries()) {
      const [first, second] = results;
      expect((await refusal(() => mix(job, state, [first!]))).message).toContain('got none of shard 1');
      expect((await refusal(() => mix(job, state, [first!, second!, first!]))).message).toContain('another one of');
      const before = steps[s - 1];
      if (before !== undefined) await refusal(() => mix(job, state, [before.results[0]!, second!]));
    }
  });

  test('and states that were changed in any byte, or cut, are refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), async (s, at, change) => {
        const { job, state, results } = steps[s % steps.length]!;
        const bytes = results[0]!.bytes.slice();
        const place = at % (bytes.length - 1);
        bytes[place] = bytes[place]! ^ change;
        const damaged = { name: 'damaged', bytes };
        expect((await refusal(() => mix(job, state, [damaged, results[1]!]))).message).toMatch(/^damaged: expected/);
        const cut = { name: 'cut', bytes: results[0]!.bytes.slice(0, place) };
        await refusal(() => mix(job, state, [cut, results[1]!]));
        const text = await mix(job, state, results);
        const edited = Buffer.from(text);
        const letter = at % (edited.length - 1);
        edited[letter] = edited[letter]! ^ change;
        await refusal(() => decodeMixState(edited.toString(), 'state'));
        await refusal(() => decodeMixState(text.slice(0, letter), 'state'));
      }),
      { numRuns: 200 },
    );
  });

  test('of a finished training are not asked for', async () => {
    const { job, state, results } = steps.at(-1)!;
    const finished = decodeMixState(await mix(job, state, results), 'state');
    const run = () => work(job, finished, 0, streamOf(rows, { x: 'number', y: 'text' }));
    expect((await refusal(run)).message).toContain('write its model');
  });
});
