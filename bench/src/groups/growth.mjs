import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { documentArrays, documentSvm } from '../data/store.mjs';
import { caches } from '../machine.mjs';
import { halfspaceTraining } from '../peers/halfspace.mjs';
import { straightLine } from '../run/line.mjs';
import { benchFolder, measure, output } from '../run/process.mjs';
import { spread } from '../run/statistics.mjs';
import { halfspaceLoop } from './loop.mjs';

/**
 * Measures how time grows with one quantity while the others are constant.
 *
 * @typedef {object} Point
 * @property {number} x the quantity
 * @property {import('../data/store.mjs').Made} set relative to the bench folder
 * @property {import('../data/store.mjs').Made} [arrays] the same examples, for the loop
 * @property {string[]} [extra] options of the command
 * @typedef {{ key: string, unit: string, points: Point[] }} Curve
 */

const passes = 5;
const mostRounds = 3;
/** Number of documents for measuring the start-up: few, but with both classes. */
const startupDocuments = 20;
const lengths = [5, 10, 20, 50, 100, 200, 500, 1000];
const featureBits = [10, 12, 14, 16, 18, 20, 22, 24];
const threads = [1, 2, 4, 8];

/** Generates the data of the curves, or reuses them. @returns {{ startup: string, curves: Curve[] }} */
export function growthData(root, { growth, smoke, seed, features, generator }) {
  const some = (values) => (smoke ? [values[0], values[3]] : values);
  const options = (train, rest = {}) => ({ train, heldout: 1, features, seed, generator, ...rest });
  const near = (set) => ({ ...set, folder: relative(benchFolder, set.folder) });
  const svm = (...args) => near(documentSvm(root, options(...args)));
  const share = (parts) => Math.max(2, Math.round(growth / parts));
  return {
    startup: `${svm(startupDocuments).folder}/train.svm`,
    curves: [
      {
        key: 'examples',
        unit: 'documents',
        points: some([64, 32, 16, 8, 4, 2, 1]).map((parts) => ({ x: share(parts), set: svm(share(parts)) })),
      },
      {
        key: 'nonzeros',
        unit: 'nonzeros per document',
        points: some(lengths).map((length) => {
          const set = svm(share(32), { length, generator: 'zipf' });
          return { x: set.train.nonzeros / set.train.examples, set };
        }),
      },
      {
        key: 'features',
        unit: 'features',
        points: some(featureBits).map((bits) => {
          // The generator that scatters frequent features over all indices: the harder case for caches.
          const rest = { features: 2 ** bits, generator: 'ragged' };
          const arrays = near(documentArrays(root, options(share(8), rest)));
          return { x: 2 ** bits, set: svm(share(8), rest), arrays };
        }),
      },
      {
        key: 'threads',
        unit: 'threads',
        points: some(threads).map((n) => ({ x: n, set: svm(share(2)), extra: ['--threads', String(n)] })),
      },
    ],
  };
}

/**
 * Measures all points in turn, in alternating direction, so that other load of the machine spreads over all of them.
 *
 * @param {{ words: string[] }} halfspace
 * @param {ReturnType<typeof growthData>} data
 * @param {{ rounds: number, warmup: number, note: (text: string) => void }} options
 */
export function measureGrowth(halfspace, data, { rounds, warmup, note }) {
  const hasThreads = output([...halfspace.words, 'train', '--help'])?.includes('--threads') ?? false;
  const curves = data.curves.filter(({ key }) => key !== 'threads' || hasThreads);
  const start = { ...training(halfspace, data.startup), loop: null, seconds: [], loopNanoseconds: [] };
  const measured = curves.map(({ points }) =>
    points.map((point) => ({
      point,
      ...training(halfspace, `${point.set.folder}/train.svm`, point.extra),
      loop: point.arrays === undefined ? null : [...halfspaceLoop, 'averaged', point.arrays.folder, '5', '1'],
      seconds: [],
      loopNanoseconds: [],
    })),
  );
  const all = [start, ...measured.flat()];
  for (let round = -warmup; round < Math.min(rounds, mostRounds); round++) {
    note(round < 0 ? 'warm-up' : `round ${round + 1} of ${Math.min(rounds, mostRounds)}`);
    for (const run of (round & 1) === 0 ? all : [...all].reverse()) {
      for (const file of run.leaves) rmSync(join(benchFolder, file), { force: true });
      const { seconds } = measure(run.command);
      if (round < 0) continue;
      run.seconds.push(seconds);
      if (run.loop !== null) run.loopNanoseconds.push(...JSON.parse(measure(run.loop).stdout).nanoseconds);
    }
  }
  const startupSeconds = Math.min(...start.seconds);
  return {
    passes,
    startupSeconds,
    caches: caches(),
    leftOut: hasThreads ? [] : ['threads: this halfspace has no --threads'],
    curves: curves.map(({ key, unit }, c) => curveOf(key, unit, measured[c], startupSeconds)),
  };
}

function training(halfspace, train, extra = []) {
  const { command, leaves } = halfspaceTraining(halfspace, { rule: 'averaged', passes, train, heldout: train, extra });
  return { command, leaves };
}

/** Returns the least of several times; the others include other load of the machine. */
function curveOf(key, unit, measured, startupSeconds) {
  const points = measured.map(({ point, command, seconds, loopNanoseconds }) => {
    const { nonzeros } = point.set.train;
    const least = Math.min(...seconds);
    return {
      x: point.x,
      examples: point.set.train.examples,
      nonzeros,
      command: command.join(' '),
      seconds: spread(seconds),
      nanosecondsPerNonzero: (1e9 * Math.max(0, least - startupSeconds)) / nonzeros,
      loopNanoseconds: loopNanoseconds.length === 0 ? null : Math.min(...loopNanoseconds),
    };
  });
  const line = key === 'threads' ? null : straightLine(points.map(({ x, seconds }) => ({ x, y: seconds.min })));
  return { key, unit, points, line };
}
