import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { columns } from '../data/dense-rows.mjs';
import { generators } from '../data/generators.mjs';
import { compressed } from '../peers/compressed.mjs';
import { halfspaceTrainingWith } from '../peers/halfspace.mjs';
import { liblinearTraining } from '../peers/liblinear.mjs';
import { vowpalWabbitTraining } from '../peers/vowpal-wabbit.mjs';
import { benchFolder, measure } from '../run/process.mjs';
import { csvSum, duckdb, flightsSum, lateness } from '../tables/duckdb-work.mjs';
import { measureLimits } from './limits.mjs';
import { halfspaceLoop, loopContender } from './loop.mjs';

/** The large set has this many times as many documents as the small one. */
export const largeTimes = 5;

/**
 * A row of the table: two things that are measured in turns, and the figure that follows from them.
 *
 * @typedef {object} Row
 * @property {string} what
 * @property {string} data
 * @property {import('../run/pairs.mjs').Contender} ours
 * @property {import('../run/pairs.mjs').Contender} [peer]
 * @property {string} unit of the figure
 * @property {{ least: number } | { most: number }} goal
 * @property {(measured: { ours: any, peer: any, ratio: number | undefined, of: (name: string) => any }) => number} value
 *   `ratio`: the median of the peer's time ÷ ours; `of` returns another contender of the group
 */

/**
 * Returns the rows in the order of the table.
 *
 * @param {Record<string, any>} found the programs
 * @param {{ data: Record<string, any>, python: string | null }} options folders of `data` are
 *   relative to the bench folder
 * @returns {Row[]}
 */
export function speedRows(found, { data, python }) {
  const names = Object.keys(generators);
  return [
    ...names.flatMap((generator) => documentRows(found, generator, data, python)),
    ...denseRows(data),
    ...startRows(found, data[`speed ${names[0]}`].folder),
    ...tableRows(found, data['speed table'].folder),
  ];
}

const faster = ({ ratio }) => ratio;
const slower = ({ ratio }) => 1 / ratio;

function documentRows(found, generator, data, python) {
  const small = data[`speed ${generator}`];
  const large = data[`speed ${generator} large`];
  const files = ({ folder }, format) => ({
    train: `${folder}/train.${format}`,
    heldout: `${folder}/heldout.${format}`,
  });
  const megabytes = ({ bytes }) => `${generator}, ${Math.round(bytes['train.svm'] / 1e6)} MB`;
  /** Each row has names of its own, so that no other row adds to its runs. */
  const ours = (what, set, format, options) =>
    halfspaceTrainingWith(found.halfspace, {
      name: `halfspace ${what}, ${megabytes(set)}`,
      task: what,
      ...files(set, format),
      options,
    });
  const renamed = (contender, set, what) => ({ ...contender, name: `${contender.name} ${what}, ${megabytes(set)}` });
  const averaged = (passes, ...more) => ['--rule', 'averaged', '--passes', String(passes), ...more];
  const row = (what, set, pair) => ({ what, data: megabytes(set), ...pair });
  const rows = [
    row('5 passes in the default order, against --order cyclic', small, {
      ours: ours('5 passes', small, 'svm', averaged(5)),
      peer: ours('5 passes, cyclic', small, 'svm', averaged(5, '--order', 'cyclic')),
      ...{ unit: '× its time', goal: { most: 1.15 }, value: slower },
    }),
    row('a shuffled pass instead of a cyclic one, per example', small, {
      ours: ours('5 passes, shuffled', small, 'svm', averaged(5, '--order', 'shuffled')),
      peer: ours('5 passes, not shuffled', small, 'svm', averaged(5, '--order', 'cyclic')),
      ...{ unit: 'µs', goal: { most: 0.1 } },
      // The first pass learns while it reads, in the order of the file.
      value: ({ ours, peer }) => (1e6 * (ours.seconds.min - peer.seconds.min)) / (4 * small.train.examples),
    }),
  ];
  if (found.liblinear?.installed) {
    const liblinear = (what) =>
      renamed(liblinearTraining(found.liblinear, { solver: 1, ...files(small, 'svm') }), small, what);
    rows.push(
      row('5 passes in the default order, against LIBLINEAR -s 1', small, {
        ours: ours('5 passes beside LIBLINEAR', small, 'svm', averaged(5)),
        peer: liblinear('beside 5 passes'),
        ...{ unit: '× as fast', goal: { least: 12 }, value: faster },
      }),
    );
  }
  const choice = ours('default choice', small, 'svm', []);
  rows.push(
    row('the default choice of the rule', small, {
      ours: choice,
      ...(found.liblinear?.installed
        ? {
            peer: renamed(
              liblinearTraining(found.liblinear, { solver: 1, ...files(small, 'svm') }),
              small,
              'beside the choice',
            ),
          }
        : {}),
      ...{ unit: 's', goal: { most: 1.5 }, value: ({ ours }) => ours.seconds.median },
    }),
  );
  const vw = (set, what) =>
    found.vw?.installed
      ? { peer: renamed(vowpalWabbitTraining(found.vw, { passes: 1, ...files(set, 'vw') }), set, what) }
      : {};
  for (const [what, set, format, options, goal] of [
    ['one pass, libsvm text, against Vowpal Wabbit', large, 'svm', averaged(1), 6],
    ['one pass, Vowpal Wabbit text, names kept', small, 'vw', averaged(1), 2.5],
    ['one pass, Vowpal Wabbit text, names kept', large, 'vw', averaged(1), 4],
    ['one pass, Vowpal Wabbit text, --bits 18', large, 'vw', averaged(1, '--bits', '18'), 4],
  ])
    rows.push(
      row(what, set, {
        ours: ours(what, set, format, options),
        ...vw(set, `beside ${what}`),
        ...{ unit: '× as fast', goal: { least: goal }, value: faster },
      }),
    );
  return [
    ...rows,
    ...loopRows(generator, data[`speed ${generator} loop`].folder),
    ...answerRows(found, { data: megabytes(large), small, large }),
    ...archiveRows(found, { data: megabytes(small), ...files(small, 'svm') }, averaged(1), python),
  ];
}

/** The learning loop over examples in memory, beside the limit in C that is measured now. */
function loopRows(generator, folder) {
  const { arrays } = measureLimits({ arrays: `${folder}/train`, dense: null, texts: [] });
  const ours = loopContender(`halfspace, ${generator},`, 'averaged', [...halfspaceLoop, 'averaged', folder, '5', '3']);
  const value = ({ ours }) => ours.figure.median / arrays.gatherDotNanoseconds;
  const unit = `× the limit of ${arrays.gatherDotNanoseconds.toFixed(2)} ns per nonzero`;
  return [{ what: 'sparse loop', data: `${generator}, in memory`, ours, unit, goal: { most: 1.1 }, value }];
}

function denseRows(data) {
  const { folder } = data['speed dense loop'];
  const { dense } = measureLimits({ arrays: null, dense: `${folder}/train`, texts: [] });
  const command = [...halfspaceLoop, 'averaged', folder, '5', '3', String(columns)];
  return [
    {
      what: `dense loop; the limit is ${dense.dotNanoseconds.toFixed(2)}`,
      data: `${data['speed dense loop'].train.examples} × ${columns} float32`,
      ours: loopContender('halfspace, dense,', 'averaged', command),
      ...{ unit: 'ns per value', goal: { most: 0.4 }, value: ({ ours }) => ours.figure.median },
    },
  ];
}

/** Predictions and evaluations of the large file by models of the small one. */
function answerRows({ halfspace: { words } }, { data, small, large }) {
  const train = `${large.folder}/train.svm`;
  const { size } = statSync(join(benchFolder, train));
  const model = `${small.folder}/speed.model.json`;
  const calibrated = `${small.folder}/speed.calibrated.json`;
  const out = `${small.folder}/speed.predictions`;
  const one = ['--rule', 'averaged', '--passes', '1', '--json'];
  measure([...words, 'train', `${small.folder}/train.svm`, ...one, '--model', model]);
  measure([...words, 'train', `${small.folder}/heldout.svm`, ...one, '--calibrate', 'platt', '--model', calibrated]);
  const row = (what, ...args) => ({
    what,
    data,
    ours: {
      name: `halfspace ${what}, ${data}`,
      task: what,
      command: [...words, ...args],
      leaves: [out],
      accuracy: () => null,
    },
    ...{ unit: 'GB/s', goal: { least: 1 }, value: ({ ours }) => size / ours.seconds.median / 1e9 },
  });
  return [
    row('predict', 'predict', model, train, '--output', out),
    row('predict --scores', 'predict', model, train, '--scores', '--output', out),
    row('predict --probabilities', 'predict', calibrated, train, '--probabilities', '--output', out),
    row('evaluate', 'evaluate', model, train),
    row('evaluate, calibrated', 'evaluate', calibrated, train),
  ];
}

/** One pass over archives, beside decompression alone. */
function archiveRows(found, { data, train, heldout }, options, python) {
  const archives = Object.entries(compressed(train, python)).filter(([, file]) => file !== null);
  return archives.map(([kind, file]) => ({
    what: `one pass, ${kind}, without start-up, against decompression alone`,
    data,
    ours: halfspaceTrainingWith(found.halfspace, {
      name: `halfspace one pass, ${kind}, ${data}`,
      task: `one pass, ${kind}`,
      ...{ train: file, heldout, options },
    }),
    peer: {
      name: `decompression of ${kind} alone, ${data}`,
      task: 'decompression',
      command: ['node', 'src/loop/decompress.mjs', file],
      leaves: [],
      details: JSON.parse,
      figure: ({ seconds }) => seconds,
      accuracy: () => null,
    },
    ...{ unit: "of the decompressor's speed", goal: { least: 0.7 } },
    value: ({ ours, peer, of }) => peer.figure.min / (ours.seconds.min - of(tenRows).seconds.min),
  }));
}

const tenRows = 'halfspace, ten rows';

/** The part of a process that the command does not count. */
function startRows(found, folder) {
  const train = `${folder}/ten.svm`;
  const text = readFileSync(join(benchFolder, `${folder}/train.svm`), 'latin1');
  writeFileSync(join(benchFolder, train), `${text.split('\n', 10).join('\n')}\n`);
  const options = ['--rule', 'averaged'];
  const ours = halfspaceTrainingWith(found.halfspace, { name: tenRows, task: 'ten rows', train, options });
  return [
    {
      what: 'a process beyond what it counts',
      data: 'ten rows',
      ours: { ...ours, accuracy: () => null },
      peer: { name: 'node -e 0', task: 'nothing', command: ['node', '-e', '0'], leaves: [], accuracy: () => null },
      ...{ unit: 's', goal: { most: 0.07 } },
      value: ({ ours }) => ours.seconds.median - ours.details.insideSeconds,
    },
  ];
}

/** One pass over tables, beside DuckDB, which adds up the same columns. */
function tableRows(found, folder) {
  const csv = `${folder}/train.csv`;
  const row = (what, data, goal, task, sql) => ({
    what,
    data,
    ours: halfspaceTrainingWith(found.halfspace, { name: `halfspace, ${data}`, task: what, ...task }),
    peer: { name: `DuckDB, ${data}`, task: 'sums', command: duckdb(sql), leaves: [], accuracy: () => null },
    ...{ unit: '× its time', goal: { most: goal }, value: slower },
  });
  const one = ['--rule', 'averaged', '--passes', '1'];
  const files = { train: csv, heldout: `${folder}/heldout.csv` };
  return [
    row('one pass, Parquet, against DuckDB', 'flights-3m.parquet', 2.5, { options: [...lateness, ...one] }, flightsSum),
    row(
      'one pass, CSV, against DuckDB',
      'dense CSV',
      1.2,
      { ...files, options: ['--label', 'label', ...one] },
      csvSum(csv),
    ),
  ];
}

/**
 * Computes the figures of the table from what was measured.
 *
 * @param {Row[]} rows
 * @param {{ contenders: any[], comparisons: any[] }} measured by `runPairs`
 */
export function speedTable(rows, { contenders, comparisons }) {
  const byName = new Map(contenders.map((contender) => [contender.name, contender]));
  const of = (name) => byName.get(name);
  return rows.map(({ what, data, ours, peer, unit, goal, value }) => {
    const [mine, other] = [of(ours.name), peer === undefined ? null : of(peer.name)];
    const failed = [mine, other].some((contender) => contender?.failure !== undefined);
    const needsPeer = value === faster || value === slower;
    const ratio = comparisons.find((each) => each.ours === ours.name && each.peer === peer?.name)?.ratio?.median;
    const figure = failed || (needsPeer && ratio === undefined) ? null : value({ ours: mine, peer: other, ratio, of });
    const [oursAccuracy, peerAccuracy] = [mine, other].map((contender) => contender?.accuracy ?? null);
    const met = figure === null ? null : 'least' in goal ? figure >= goal.least : figure <= goal.most;
    return {
      what,
      data,
      ours: ours.name,
      peer: peer?.name ?? null,
      figure,
      unit,
      goal,
      met,
      oursAccuracy,
      peerAccuracy,
    };
  });
}
