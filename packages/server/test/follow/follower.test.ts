import { Random } from 'halfspace/runs';
import { expect, test } from 'vitest';
import { isDeep } from '../../../../test/support/quick.ts';
import { type FollowTally, runFollowing } from '../support/following.ts';
import type { Chance } from '../support/unreliable-disk.ts';

/** TEST_FOLLOWING=7 begins with schedule 7. */
const first = Number(process.env.TEST_FOLLOWING ?? 1);
const schedules = isDeep ? 100 : 3;

function chanceOf(seed: number): Chance {
  const random = new Random(seed);
  return Object.assign((probability: number) => random.uniform() < probability, { next: () => random.uniform() });
}

test('followers become equal to their writer, whatever happens to it and to them', { timeout: 3_600_000 }, async () => {
  const tally: FollowTally = {
    learned: 0,
    shadows: 0,
    replaced: 0,
    retired: 0,
    writerCrashes: 0,
    followerCrashes: 0,
    followerFaults: 0,
    snapshots: 0,
    parts: 0,
  };
  for (let seed = first; seed < first + schedules; seed++)
    await runFollowing(chanceOf(seed), tally).catch((cause) => {
      throw new Error(`in schedule ${seed}; TEST_FOLLOWING=${seed} begins with it: ${cause.message}`, { cause });
    });
  // Otherwise the schedules test little.
  for (const [event, count] of Object.entries(tally))
    expect({ event, isSeen: count > 0 }).toEqual({ event, isSeen: true });
  console.log(JSON.stringify(tally));
});
