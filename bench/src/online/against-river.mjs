// Compares learning one row at a time with river's `learn_one` and scikit-learn's `partial_fit`: time of a row, and
// prequential accuracy and log loss on published tables. Every run is a fresh process; programs take turns, the first round is
// dropped. Every row is answered before it is learned, and rows are in memory before the clock starts; the mean
// over all rows includes what a program does first, such as the compilation of JavaScript.
//
//   node bench/src/online/against-river.mjs [--rows 200000] [--rounds 5] [--data ../shared/data] [--python python3]
//
// The Python needs `pip install river scikit-learn`; what is missing is left out.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from '../machine.mjs';
import { findPython } from '../peers.mjs';
import { benchFolder, measure, output } from '../run/process.mjs';
import { spread } from '../run/statistics.mjs';
import { mixedStream, numberStream, tableStream, tables } from './streams.mjs';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '5' },
    data: { type: 'string', default: resolve(benchFolder, '../../shared/data') },
    python: { type: 'string', default: 'python3' },
  },
});
const here = join(benchFolder, 'src/online');
const python = findPython(options.python);
const has = (module) =>
  python === null ? null : (output([python, '-c', `import ${module}; print(${module}.__version__)`])?.trim() ?? null);
const versions = { river: has('river'), 'scikit-learn': has('sklearn') };

/** Options of halfspace that learn as the other programs' models do. */
const rules = {
  perceptron: 'perceptron',
  'passive-aggressive': 'passive-aggressive',
  logistic: { name: 'sgd', penalty: 'none', schedule: 'constant', rate: 0.01, answer: 'last' },
};

const halfspace = (file, rule, form, more = {}) => [
  process.execPath,
  join(here, 'halfspace-stream.mjs'),
  file,
  JSON.stringify({ rule, ...more }),
  form,
];
const river = (file, rule, kind, ...more) => [python, join(here, 'river_stream.py'), file, rule, kind, ...more];
/** Rows that scikit-learn learns: a row takes it so long that more would not change the mean. */
const scikitRows = Math.min(Number(options.rows), 2000);
const scikit = (file, rule, work) => [
  python,
  join(here, 'scikit_learn_stream.py'),
  file,
  rule,
  work,
  String(scikitRows),
];

/** Runs commands in turns and returns their results by name. */
function inTurns(commands, rounds) {
  const results = new Map([...commands.keys()].map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    const turn = [...commands];
    if (round % 2 === 1) turn.reverse();
    for (const [name, command] of turn) {
      const result = JSON.parse(measure(command).stdout);
      if (round > 0) results.get(name).push(result);
    }
    process.stderr.write(`round ${round} of ${rounds}\n`);
  }
  return results;
}

const folder = mkdtempSync(join(tmpdir(), 'halfspace-bench-'));
try {
  const { cpu, cores, node } = describeMachine();
  const found = Object.entries(versions).flatMap(([name, version]) => (version === null ? [] : [`${name} ${version}`]));
  const absent = Object.entries(versions).flatMap(([name, version]) => (version === null ? [name] : []));
  console.log(`${[`halfspace, Node ${node}`, ...found].join('; ')}. ${cores} cores of ${cpu}.`);
  if (absent.length > 0) console.log(`Left out: ${absent.join(', ')} (pip install ${absent.join(' ')}).`);
  printTimes();
  printQualities();
} finally {
  rmSync(folder, { recursive: true });
}

function printTimes() {
  const numbers = numberStream(Number(options.rows), folder);
  const mixed = mixedStream(Number(options.rows), folder);
  for (const rule of Object.keys(rules)) {
    const commands = new Map([
      ['halfspace, Float64Array of 30, not scaled', halfspace(numbers, rules[rule], 'vector', { scale: 'none' })],
      ['halfspace, record of 30 numbers', halfspace(numbers, rules[rule], 'record')],
      ['halfspace, record of 15 mixed fields', halfspace(mixed, rules[rule], 'record')],
    ]);
    if (versions.river !== null) {
      commands.set('river, record of 30 numbers', river(numbers, rule, 'numbers'));
      commands.set('river, record of 15 mixed fields', river(mixed, rule, 'mixed'));
    }
    if (versions['scikit-learn'] !== null) {
      commands.set('scikit-learn, 1 × 30 array, partial_fit alone', scikit(numbers, rule, 'learn'));
      commands.set('scikit-learn, 1 × 30 array, scaled and predicted', scikit(numbers, rule, 'scale'));
    }
    const results = inTurns(commands, Number(options.rounds));
    const median = (name) => spread(results.get(name).map(({ microseconds }) => microseconds)).median;
    console.log(
      `\n${rule}, ${options.rows} rows, ${scikitRows} for scikit-learn\n\n| one row | µs, least | median | halfspace is | prequential accuracy |`,
    );
    console.log('|---|--:|--:|--:|--:|');
    for (const [name, runs] of results) {
      const { min, median: middle } = spread(runs.map(({ microseconds }) => microseconds));
      const own = ownCounterpart(name);
      const ratio = own === null ? '' : `${(middle / median(own)).toFixed(0)} × faster`;
      console.log(`| ${name} | ${min.toFixed(2)} | ${middle.toFixed(2)} | ${ratio} | ${shown(runs[0].accuracy)} |`);
    }
  }
}

/** Returns the run of halfspace that a run of another program is compared with. */
function ownCounterpart(name) {
  if (name.startsWith('river')) return name.replace('river', 'halfspace');
  if (name.endsWith('alone')) return 'halfspace, Float64Array of 30, not scaled';
  return name.startsWith('scikit-learn') ? 'halfspace, record of 30 numbers' : null;
}

function printQualities() {
  const streams = tables.flatMap((table) => {
    const file = tableStream(table, { from: options.data, to: folder });
    return file === null ? [] : [{ ...table, stream: file }];
  });
  const hasRiver = versions.river !== null;
  const print = (title, contenders) => {
    console.log(`\n${title}, on tables in ${options.data}, rows shuffled by a seed\n`);
    console.log(`| | ${streams.map(({ name }) => name).join(' | ')} |`);
    console.log(`|---|${streams.map(() => '--:|').join('')}`);
    for (const [name, command, figures] of contenders) {
      const results = streams.map(({ stream }) => JSON.parse(measure(command(stream)).stdout));
      for (const [figure, suffix] of figures)
        console.log(`| ${name}${suffix} | ${results.map((result) => shown(result[figure])).join(' | ')} |`);
    }
  };
  const accuracy = [['accuracy', '']];
  print('Prequential accuracy', [
    ['halfspace, averaged (default)', (file) => halfspace(file, 'averaged', 'record'), accuracy],
    ...Object.keys(rules).flatMap((rule) => [
      [`halfspace, ${rule}`, (file) => halfspace(file, rules[rule], 'record'), accuracy],
      ...(hasRiver ? [[`river, ${rule}`, (file) => river(file, rule, 'mixed'), accuracy]] : []),
    ]),
  ]);
  // A fit afterwards knows all labels, so it is a bound for what can be reached with these scores.
  const losses = [
    ['logLoss', ''],
    ['fitted', ', its scores fitted afterwards'],
  ];
  print('Log loss of the probabilities of rows that were learned later', [
    ...['averaged', 'passive-aggressive', 'logistic'].map((rule) => [
      `halfspace, ${rule}, calibrated`,
      (file) => halfspace(file, rules[rule] ?? rule, 'record', { calibrate: true }),
      losses,
    ]),
    ...(hasRiver
      ? [['river, logistic', (file) => river(file, 'logistic', 'mixed', 'probabilities'), [['logLoss', '']]]]
      : []),
  ]);
}

function shown(figure) {
  return figure === null ? '' : figure.toFixed(3);
}
