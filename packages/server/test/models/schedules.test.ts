import { Random } from 'halfspace/internal';
import { expect, test } from 'vitest';
import { runSchedule, type Tally } from '../support/schedule.ts';
import type { Chance } from '../support/unreliable-disk.ts';

const schedules = process.env.TEST_DEEP === '1' ? 10_000 : 40;
/** A busy machine takes a quarter of an hour for all of them. */
const longestMs = 3_600_000;
const first = Number(process.env.TEST_SCHEDULE ?? 1);

/** Makes the random choices of a schedule. */
function chanceOf(seed: number): Chance {
  const random = new Random(seed);
  const next = () => random.uniform();
  return Object.assign((probability: number) => next() < probability, { next });
}

test(
  `nothing acknowledged is lost or learned twice in ${schedules} schedules of crashes and faults`,
  async () => {
    const tally: Tally = {
      acknowledged: 0,
      crashes: 0,
      powerLosses: 0,
      refusedStarts: 0,
      faults: 0,
      replaced: 0,
      retired: 0,
      shadows: 0,
      damaged: 0,
    };
    for (let seed = first; seed < first + schedules; seed++)
      try {
        await runSchedule(chanceOf(seed), tally);
      } catch (error) {
        throw new Error(`in schedule ${seed}; TEST_SCHEDULE=${seed} begins with it`, { cause: error });
      }
    // Otherwise the schedules test little.
    for (const [event, count] of Object.entries(tally))
      expect({ event, isCommon: count >= schedules / 10 }).toEqual({ event, isCommon: true });
  },
  longestMs,
);
