import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SnapshotTurns } from '../../src/http/snapshots.ts';
import type { ServedModel } from '../../src/models/contract.ts';

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});
afterEach(() => vi.clearAllTimers());

/** A model that learns an example each millisecond, and whose snapshots take a time. */
function learning(snapshotMs: number) {
  let sequence = 0;
  let of = -1;
  let snapshots = 0;
  const timer = setInterval(() => sequence++, 1);
  const model = {
    get version() {
      return { sequence, digest: String(sequence) };
    },
  } as ServedModel;
  const ask = () => {
    if (of !== sequence) {
      snapshots++;
      of = sequence;
      skipped += snapshotMs;
    }
    return sequence;
  };
  return { model, ask, stop: () => clearInterval(timer), snapshots: () => snapshots, now: () => sequence };
}

/** `performance.now` of the fake clock stands still within a turn; snapshots move it. */
let skipped = 0;
beforeEach(() => {
  skipped = 0;
  const { now } = performance;
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + skipped);
  return () => vi.restoreAllMocks();
});

test('snapshots of a model that learns take a bounded share of the time, and no answer is older than its question', async () => {
  const { model, ask, snapshots, now, stop } = learning(30);
  const turns = new SnapshotTurns();
  const asked: Promise<void>[] = [];
  for (let ms = 0; ms < 3000; ms++) {
    const from = now();
    asked.push(turns.run(model, ask).then((seen) => expect(seen).toBeGreaterThanOrEqual(from)));
    await vi.advanceTimersByTimeAsync(1);
  }
  stop();
  await vi.advanceTimersByTimeAsync(3000);
  await Promise.all(asked);
  // 3 s of turns, and a pause of 300 ms after each snapshot.
  expect(snapshots()).toBeGreaterThanOrEqual(8);
  expect(snapshots()).toBeLessThanOrEqual(11);
});

test('a model that does not learn is asked at once, and a refusal is told to its caller only', async () => {
  const { model, ask, snapshots, stop } = learning(30);
  stop();
  const turns = new SnapshotTurns();
  for (let k = 0; k < 5; k++) expect(await turns.run(model, ask)).toBe(0);
  expect(snapshots()).toBe(1);
  const refused = turns.run(model, () => {
    throw new Error('no such class');
  });
  await expect(refused).rejects.toThrow('no such class');
  expect(await turns.run(model, ask)).toBe(0);
});
