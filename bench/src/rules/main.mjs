import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Random } from '../data/random.mjs';
import { describeMachine } from '../machine.mjs';
import { findHalfspace } from '../peers.mjs';
import { trainAndJudge, trainCommand } from '../quality/halfspace.mjs';
import { writeParts } from '../quality/parts.mjs';
import { cutPublished, findPublished } from '../quality/sets.mjs';
import { benchFolder, measure } from '../run/process.mjs';
import { spread } from '../run/statistics.mjs';

/** The published sets that tell the rules apart, with what is in them. */
const published = {
  spambase: 'mails as 57 numbers',
  adult: 'a census table of numbers and categories',
  sms: 'short messages as text',
  w8a: 'pages as sparse numbers, 3 in 100 positive',
};

const generated = [
  { name: 'noise', what: '20 numbers, a line, every fifth label wrong', rows: 5000, row: noisy },
  { name: 'rings', what: '2 numbers, one class around the other', rows: 2000, row: ringed },
];

/**
 * Returns the sets to measure on, each with a function that writes its files into a folder, and the names of those whose
 * data are absent.
 *
 * @param {string} from the folder with the published data
 */
function findSets(from) {
  const { here, absent } = findPublished(from);
  const wanted = ({ name }) => name in published;
  return {
    given: [
      ...here
        .filter(wanted)
        .map((set) => ({ what: published[set.name], write: (to) => cutPublished(set, { from, to }) })),
      ...generated.map(({ what, ...set }) => ({ what, write: (to) => writeGenerated(set, to) })),
    ],
    absent: absent.filter(wanted).map(({ name }) => name),
  };
}

function writeGenerated({ name, rows, row }, folder) {
  const random = new Random(1);
  const lines = Array.from({ length: rows }, (_, i) => row(random, i).join(','));
  const header = [
    ...row(random, 0)
      .slice(1)
      .map((_, k) => `x${k}`),
    'label',
  ].join(',');
  const shape = { name, header, format: /** @type {const} */ ('csv'), label: 'label', texts: [], dates: [] };
  return writeParts(folder, shape, lines);
}

const decimals = (value) => Number(value.toFixed(4));

function noisy(random) {
  const x = Array.from({ length: 20 }, () => decimals(2 * random.uniform() - 1));
  const side = x.reduce((sum, value, k) => sum + (k - 9.5) * value, 0) > 0;
  return [...x, side !== random.uniform() < 0.2 ? 'a' : 'b'];
}

function ringed(random, i) {
  const angle = 2 * Math.PI * random.uniform();
  const radius = (i % 2 === 0 ? 1 : 2) + 0.8 * (random.uniform() - 0.5);
  return [decimals(radius * Math.cos(angle)), decimals(radius * Math.sin(angle)), i % 2 === 0 ? 'inside' : 'outside'];
}

// Accuracy and time of every rule with its own defaults, on the same sets: node bench/src/rules/main.mjs [DATA [FILE]].
// DATA is the folder of the published sets, FILE the results; whole processes in turn, and the times are their medians.

const rounds = 3;
/** Their updates cost more the more rows there are: stored rows are compared, or weights are judged on all rows. */
const slow = ['pocket', 'voted', 'kernel'];
const mostRowsOfSlow = 10_000;
const rules = [
  'perceptron',
  'averaged',
  'margin',
  'passive-aggressive',
  'pocket',
  'arow',
  'sgd',
  'logistic',
  'voted',
  'kernel',
  'tree',
];

const [data = join(benchFolder, '../../shared/data'), file] = process.argv.slice(2);
const { words, version, installed, install } = findHalfspace(undefined);
if (!installed) throw new Error(`expected a built halfspace; got none: ${install}`);
const folder = mkdtempSync(join(tmpdir(), 'halfspace-rules-'));
try {
  const machine = describeMachine();
  const { given, absent } = findSets(resolve(data));
  const sets = given.map(({ what, write }) => measureSet(write(folder), what));
  const results = {
    schema: 'halfspace-rules/1',
    date: new Date().toISOString(),
    machine,
    version,
    rounds,
    absent,
    sets,
  };
  const text = `${JSON.stringify(results, null, 2)}\n`;
  if (file === undefined) process.stdout.write(text);
  else writeFileSync(file, text);
} finally {
  rmSync(folder, { recursive: true });
}

function measureSet(set, what) {
  process.stderr.write(`${set.name}: ${set.examples} examples\n`);
  const asked = ['', ...rules].filter((rule) => !slow.includes(rule) || set.examples <= mostRowsOfSlow);
  const flags = (rule) => (rule === '' ? [] : ['--rule', rule]);
  const judged = asked.map((rule) => trainAndJudge(words, set, flags(rule), folder));
  const runs = judged.map(({ seconds }) => [seconds]);
  for (let round = 1; round < rounds; round++)
    asked.forEach((rule, i) => {
      if (runs[i][0] === undefined) return;
      runs[i].push(measure([...trainCommand(words, set, join(folder, 'timed.model.json')), ...flags(rule)]).seconds);
    });
  const outcomes = asked.map((rule, i) => outcomeOf(rule, judged[i], runs[i]));
  const { baseline } = judged[asked.indexOf('averaged')];
  return { name: set.name, what, examples: set.examples, judged: set.judged, baseline, outcomes };
}

/** One rule on one set; the choice of halfspace has no rule asked for, and names the one that it took. */
function outcomeOf(rule, outcome, runs) {
  if ('failure' in outcome) return { rule, failure: outcome.failure };
  const { accuracy, result } = outcome;
  const seconds = spread(runs);
  process.stderr.write(`  ${rule || 'no option'}: ${accuracy.toFixed(4)}, ${seconds.median.toFixed(2)} s\n`);
  return { rule, ...(rule === '' ? { taken: result.rule } : {}), accuracy, seconds };
}
