// Accuracy and time of every rule with its own defaults, on the same sets: node bench/src/rules/main.mjs [DATA [FILE]].
// DATA is the folder of the published sets, FILE the results; whole processes in turn, and the times are their medians.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describeMachine } from '../machine.mjs';
import { findHalfspace } from '../peers.mjs';
import { trainAndJudge, trainCommand } from '../quality/halfspace.mjs';
import { benchFolder, measure } from '../run/process.mjs';
import { spread } from '../run/statistics.mjs';
import { findSets } from './sets.mjs';

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
