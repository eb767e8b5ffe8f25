import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { benchFolder, CommandError, measure } from './process.mjs';
import { spread } from './statistics.mjs';

/**
 * One thing to run: a program, its options, the file it reads and the format of that file.
 *
 * @typedef {object} Contender
 * @property {string} name unique within a group
 * @property {string} task what it is asked to do, for the reader
 * @property {string[]} command measured
 * @property {string[]} [startup] the same program with nothing to do
 * @property {string[]} leaves files that a run writes, relative to the bench folder; removed before each run
 * @property {(details: any) => number} [accuracy] of the model that the last run left, on held-out data; not measured
 * @property {(stdout: string) => Record<string, unknown>} [details] what the program says of itself
 * @property {(details: any) => number} [figure] what ratios compare, when it is not the wall time
 */

/**
 * Runs pairs of contenders in fresh processes that take turns: A B, then in the next round B A, so that a machine that
 * slows down or speeds up does it to both. Rounds are interleaved over all pairs for the same reason.
 *
 * @param {{ ours: Contender, peer?: Contender }[]} pairs without a peer something is measured alone
 * @param {{ rounds: number, warmup: number, note: (text: string) => void }} options
 */
export function runPairs(pairs, { rounds, warmup, note }) {
  const all = pairs.flatMap(({ ours, peer }) => (peer === undefined ? [ours] : [ours, peer]));
  const runs = new Map(all.map((contender) => [contender.name, { contender, measured: [] }]));
  const failures = new Map();
  const ratios = pairs.map(() => []);
  const once = (contender, kept) => {
    if (failures.has(contender.name)) return null;
    for (const file of contender.leaves) rmSync(join(benchFolder, file), { force: true });
    try {
      const result = measure(contender.command);
      const details = contender.details?.(result.stdout) ?? {};
      const figure = contender.figure?.(details) ?? result.seconds;
      if (kept) runs.get(contender.name).measured.push({ ...result, details, figure });
      note(`  ${contender.name}: ${result.seconds.toFixed(2)} s${kept ? '' : ' (warm-up, dropped)'}`);
      return figure;
    } catch (error) {
      failures.set(contender.name, reason(error));
      note(`  ${contender.name}: FAILED: ${reason(error)}`);
      return null;
    }
  };

  for (let round = -warmup; round < rounds; round++) {
    note(round < 0 ? 'warm-up' : `round ${round + 1} of ${rounds}`);
    pairs.forEach(({ ours, peer }, i) => {
      const kept = round >= 0;
      if (peer === undefined) {
        once(ours, kept);
        return;
      }
      const first = once((round & 1) === 0 ? ours : peer, kept);
      const second = once((round & 1) === 0 ? peer : ours, kept);
      if (!kept || first === null || second === null) return;
      ratios[i].push((round & 1) === 0 ? second / first : first / second);
    });
  }

  const contenders = [...runs.values()].map(({ contender, measured }) => {
    const base = { name: contender.name, task: contender.task, command: contender.command.join(' ') };
    let failure = failures.get(contender.name);
    if (failure === undefined)
      try {
        return { ...base, ...summary(contender, measured) };
      } catch (error) {
        failure = `evaluation: ${reason(error)}`;
        note(`  ${contender.name}: FAILED: ${failure}`);
      }
    return { ...base, failure };
  });
  return {
    contenders,
    otherWork: otherWork([...runs.values()].flatMap(({ measured }) => measured)),
    comparisons: pairs.flatMap(({ ours, peer }, i) =>
      peer === undefined
        ? []
        : [{ ours: ours.name, peer: peer.name, pairs: ratios[i].length, ratio: spread(ratios[i]) }],
    ),
  };
}

/** A failing contender does not end the other runs or the report; a fault of this program does. */
function reason(error) {
  if (error instanceof CommandError) return error.message;
  if (error instanceof SyntaxError) return `did not print JSON: ${error.message}`;
  throw error;
}

/**
 * How many cores, on average, were busy with something else while we measured. Where the cores of a virtual machine are
 * threads of one real core, even work beside ours slows it, and some programs more than others.
 */
function otherWork(measured) {
  if (measured.length === 0 || measured.some(({ otherSeconds }) => otherSeconds === null)) return null;
  const sum = (property) => measured.reduce((total, run) => total + run[property], 0);
  return sum('otherSeconds') / sum('seconds');
}

function summary(contender, measured) {
  const known = (property) => measured.map((run) => run[property]).filter((value) => value !== null);
  const details = measured.at(-1)?.details ?? {};
  return {
    seconds: spread(known('seconds')),
    cpuSeconds: spread(known('cpuSeconds')),
    peakMegabytes: spread(known('peakMegabytes')),
    startupSeconds: contender.startup === undefined ? null : startupTime(contender.startup),
    figure: contender.figure === undefined ? null : spread(known('figure')),
    details,
    accuracy: contender.accuracy?.(details) ?? null,
    runs: measured.map(({ seconds, figure }) => ({ seconds, figure })),
  };
}

const startupTimes = new Map();

/** Median of three runs that do nothing but start. Shown beside the times, never taken off them. */
function startupTime(command) {
  const key = command.join(' ');
  if (!startupTimes.has(key)) {
    const seconds = Array.from({ length: 3 }, () => measure(command, { anyStatus: true }).seconds);
    startupTimes.set(key, spread(seconds).median);
  }
  return startupTimes.get(key);
}
