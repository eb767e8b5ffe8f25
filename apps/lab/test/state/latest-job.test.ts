import { describe, expect, it } from 'vitest';
import { LatestJob } from '../../src/state/latest-job.ts';
import { deferred } from '../support/deferred.ts';

describe('a job of which only the latest request counts', () => {
  it('runs once for any number of requests while it is under way, with the latest input', async () => {
    const gates = [deferred<void>(), deferred<void>()];
    const inputs: number[] = [];
    let input = 0;
    let idle = 0;
    const job = new LatestJob(
      async () => {
        inputs.push(input);
        await gates[inputs.length - 1]!.promise;
      },
      () => idle++,
    );
    expect(job.isIdle).toBe(true);
    input = 1;
    const first = job.request();
    for (input of [2, 3, 4]) expect(job.request()).toBe(first);
    expect([inputs, job.isIdle]).toEqual([[1], false]);
    gates[0]!.resolve();
    await gates[0]!.promise;
    gates[1]!.resolve();
    await first;
    expect([inputs, idle, job.isIdle]).toEqual([[1, 4], 1, true]);
  });

  it('tells the run under way of a newer request, and no other run', async () => {
    const signals: AbortSignal[] = [];
    const job = new LatestJob(async (newer) => {
      signals.push(newer);
    });
    void job.request();
    await job.request();
    await job.request();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false, false]);
  });

  it('runs again for a request that its last moment brings', async () => {
    let runs = 0;
    const job: LatestJob = new LatestJob(async () => {
      await Promise.resolve();
      if (++runs === 1) void job.request();
    });
    await job.request();
    expect(runs).toBe(2);
  });
});
