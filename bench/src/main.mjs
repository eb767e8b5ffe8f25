import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { denseText, documentText, mixedTable } from './data/store.mjs';
import { groups, mixedRecords, smallDocuments } from './groups.mjs';
import { describeMachine } from './machine.mjs';
import { parsed, UsageError } from './options.mjs';
import { finders, findHalfspace, findPython } from './peers.mjs';
import { markdown } from './report/markdown.mjs';
import { runPairs } from './run/pairs.mjs';
import { benchFolder, CommandError, hasGnuTime } from './run/process.mjs';

const groupNames = Object.keys(groups);
const peerNames = Object.keys(finders);
const help = `Usage: npm run bench -- [options]

Runs halfspace and its peers on the same made data, in alternating fresh processes, and prints Markdown;
the same figures go to a JSON file.

  --documents N     training documents of the text group (200000); a fifth as many are held out
  --features N      vocabulary of those documents (47152)
  --rows N          training rows of the dense group (200000)
  --rounds N        measured rounds, after one that is dropped (5)
  --seed N          seed of the data (1)
  --only A,B        groups to run: ${groupNames.join(', ')}
  --peers A,B       peers to run: ${peerNames.join(', ')}; all, none (all)
  --output FILE     where the JSON goes (results/DATE.json); relative paths begin in the bench folder
  --halfspace CMD   the command to measure, words separated by blanks (this repository's)
  --python PATH     the Python to look for peers in (python3)
  --smoke           tiny data, one round, none dropped, no peers unless --peers asks: tests that all of this works
  --help            this text
`;
const note = (text) => process.stderr.write(`${text}\n`);

try {
  process.exitCode = main(readOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  note(`${error.message}\n\n${help}`);
  process.exitCode = 2;
}

function readOptions(args) {
  const counts = ['documents', 'features', 'rows', 'rounds', 'seed'];
  const others = ['only', 'peers', 'output', 'halfspace', 'python'];
  const { smoke = false, python = 'python3', halfspace, ...rest } = parsed(args, [...counts, ...others], ['smoke']);
  const usual = { documents: 200_000, features: 47_152, rows: 200_000, rounds: 5, seed: 1 };
  if (smoke) Object.assign(usual, { documents: 3000, rows: 3000, rounds: 1 });
  for (const name of counts) {
    const value = Number(rest[name] ?? usual[name]);
    if (!(Number.isInteger(value) && value >= (name === 'seed' ? 0 : 1)))
      throw new UsageError(`--${name} must be a whole number; got "${rest[name]}"`);
    rest[name] = value;
  }
  const listed = (name, known, all) => {
    const words = (rest[name] ?? all).split(',').filter(Boolean);
    for (const word of words)
      if (!known.includes(word)) throw new UsageError(`--${name} must name ${known.join(', ')}; got "${word}"`);
    return words;
  };
  if (rest.peers === 'all' || (rest.peers === undefined && !smoke)) rest.peers = peerNames.join(',');
  return {
    ...rest,
    ...{ smoke, python, warmup: smoke ? 0 : 1, halfspace: halfspace?.split(' ').filter(Boolean) },
    only: listed('only', groupNames, groupNames.join(',')),
    peers: rest.peers === 'none' ? [] : listed('peers', peerNames, ''),
  };
}

/** Returns the exit status: 1 if a measurement of halfspace failed. */
function main(options) {
  if (options.help) {
    process.stdout.write(help);
    return 0;
  }
  const machine = describeMachine();
  if (machine.loadBefore > 0.5) note(`note: other work was running (load ${machine.loadBefore}); times will suffer`);
  const data = makeData(options);
  const isPython = options.peers.some((name) => name === 'vw' || name === 'sklearn');
  const interpreter = isPython ? findPython(options.python) : null;
  const found = { halfspace: findHalfspace(options.halfspace) };
  for (const name of options.peers) found[name] = finders[name](interpreter);
  for (const { title, installed, version, install } of Object.values(found))
    note(`${title}: ${installed ? version : `not found; ${install}`}`);
  if (!found.halfspace.installed) return 1;
  if (!hasGnuTime()) note('no GNU time: CPU time and memory stay blank');

  const date = new Date().toISOString();
  const file = resolve(benchFolder, options.output ?? `results/${date.replaceAll(':', '-')}.json`);
  mkdirSync(dirname(file), { recursive: true });
  const shown = ({ title, installed, version, install }) => ({ title, installed, version, install });
  const results = {
    schema: 'halfspace-bench/1',
    ...{ date, machine, options, interpreter, data },
    programs: Object.values(found).map(shown),
    notAsked: peerNames.filter((name) => !options.peers.includes(name)),
    groups: Object.fromEntries(options.only.map((name) => [name, measured(name, found, data, options)])),
  };
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  process.stdout.write(markdown(results));
  note(`\nwritten: ${relative(process.cwd(), file)}`);
  const ours = Object.values(results.groups).flatMap(({ contenders }) => contenders);
  return ours.some(({ name, failure }) => failure !== undefined && name.startsWith('halfspace')) ? 1 : 0;
}

/** Generates or reuses the data of the selected groups. Folders are relative to the bench folder. */
function makeData({ only, documents, features, rows, seed }) {
  const root = join(benchFolder, '.data');
  const sizes = (train) => ({ train, heldout: Math.max(500, Math.round(train / 5)) });
  const text = (most) => documentText(root, { ...sizes(Math.min(documents, most)), features, seed });
  const makers = {
    text: () => text(Infinity),
    dense: () => denseText(root, { ...sizes(rows), seed }),
    small: () => text(smallDocuments),
    answers: () => mixedTable(root, { ...sizes(mixedRecords), seed }),
  };
  const made = {};
  for (const [group, make] of Object.entries(makers)) {
    if (!only.includes(group) && !(group === 'small' && only.includes('answers'))) continue;
    const set = make();
    set.folder = relative(benchFolder, set.folder);
    note(`data for ${group}: ${set.folder} (${set.train.examples} examples, ${set.train.nonzeros} nonzeros)`);
    made[group] = set;
  }
  return made;
}

/** If a command of halfspace fails, its group ends, but the report continues. A fault of this program ends everything. */
function measured(name, found, data, { features, rounds, warmup }) {
  note(`\n${name}`);
  try {
    const of = { folder: data[name].folder, features, small: data.small?.folder };
    return runPairs(groups[name](found, of), { rounds, warmup, note });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    note(`  ${name}: FAILED: ${error.message}`);
    const failed = { name: 'halfspace', task: '', command: '', failure: error.message };
    return { contenders: [failed], comparisons: [], otherWork: null };
  }
}
