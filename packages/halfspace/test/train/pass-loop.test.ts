import { describe, expect, it } from 'vitest';
import { createLearner } from '../../src/rules/registry.ts';
import type { RunObserver } from '../../src/train/observer.ts';
import { PassLoop } from '../../src/train/pass-loop.ts';
import type { StopRule } from '../../src/train/stop-rule.ts';
import type { Example } from '../oracles/oracle.ts';
import { dense, fourApart, xor } from '../support/examples.ts';
import { reference } from '../support/kernels.ts';

const never: StopRule = { passes: 9, cleanPass: false, cleanStreak: Infinity };

async function runOf(data: readonly Example[], stop: StopRule, observers: readonly RunObserver[] = []) {
  const loop = new PassLoop(createLearner(reference(), 'perceptron'), observers, async () => {});
  const batches = [dense(data.slice(0, 3)), dense(data.slice(3))];
  const pass = () => batches.map((batch, c) => ({ batch, numbers: 3 * c }));
  const log = await loop.run({ rows: data.length, settling: null, pass }, stop);
  loop.learner.free();
  return log;
}

describe('a run of passes ends', () => {
  it('with its passes where nothing else ends it', async () => {
    const { ended, updatesPerPass } = await runOf(fourApart, never);
    expect(ended).toBe('passes');
    expect(updatesPerPass).toHaveLength(9);
  });

  it('with the first pass without an update', async () => {
    const { ended, updatesPerPass } = await runOf(fourApart, { ...never, cleanPass: true });
    expect(ended).toBe('clean');
    expect(updatesPerPass.indexOf(0)).toBe(updatesPerPass.length - 1);
  });

  it('with a clean streak, also in the middle of a batch', async () => {
    const shown: number[] = [];
    const { ended } = await runOf(fourApart, { ...never, cleanStreak: 2 }, [
      { batch: ({ learner }) => void shown.push(learner.progress.cleanStreak) },
    ]);
    expect(ended).toBe('clean');
    expect(shown.at(-1)).toBe(2);
  });

  it('with an observer that says so; observers after it are not asked about that pass', async () => {
    const later: number[] = [];
    const { ended, updatesPerPass } = await runOf(xor, never, [
      { endPass: ({ pass }) => pass === 3 },
      { endPass: ({ pass }) => later.push(pass) < 0 },
    ]);
    expect([ended, updatesPerPass.length, later]).toEqual(['observer', 3, [1, 2]]);
  });
});

describe('observers of a run', () => {
  it('are called in the order of what happens, and may show batches themselves', async () => {
    const calls: string[] = [];
    const { updatesPerPass } = await runOf(xor, { ...never, passes: 2 }, [
      {
        begin: () => void calls.push('begin'),
        show: (batch, { learner, shown, numbers }) => {
          calls.push(`show ${shown} ${numbers}`);
          return learner.learn(batch);
        },
        batch: ({ shown }) => void calls.push(`batch ${shown}`),
        endPass: ({ pass, shown }) => calls.push(`pass ${pass} of ${shown}`) < 0,
        end: () => void calls.push('end'),
      },
      { show: () => expect.unreachable('the batch is shown already') },
    ]);
    const pass = ['show 0 0', 'batch 3', 'show 3 3', 'batch 4'];
    expect(calls).toEqual(['begin', ...pass, 'pass 1 of 4', ...pass, 'pass 2 of 4', 'end']);
    expect(updatesPerPass).toEqual((await runOf(xor, { ...never, passes: 2 })).updatesPerPass);
  });

  it('are given every update', async () => {
    const updates: number[] = [];
    const { updatesPerPass } = await runOf(xor, { ...never, passes: 3 }, [
      { update: ({ shown }, row) => void updates.push(shown + row) },
    ]);
    expect(updates).toHaveLength(updatesPerPass.reduce((sum, each) => sum + each, 0));
    expect(Math.max(...updates)).toBeLessThan(xor.length);
  });
});
