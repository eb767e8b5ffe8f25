import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { denseText, documentArrays, documentText } from './data/store.mjs';
import { densePairs } from './groups/dense.mjs';
import { measureLimits } from './groups/limits.mjs';
import { loopPairs, mostLoopDocuments } from './groups/loop.mjs';
import { smallDocuments, smallPairs } from './groups/small.mjs';
import { textPairs } from './groups/text.mjs';
import { describeMachine } from './machine.mjs';
import { help, peerNames, readOptions, UsageError } from './options.mjs';
import { findPeers } from './peers/find.mjs';
import { findPython } from './peers/python.mjs';
import { markdown } from './report/markdown.mjs';
import { runPairs } from './run/pairs.mjs';
import { benchFolder, hasGnuTime } from './run/process.mjs';

const note = (text) => process.stderr.write(`${text}\n`);

try {
  process.exitCode = main(readOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  note(`${error.message}\n\n${help}`);
  process.exitCode = 2;
}

/**
 * Returns the exit status: 1 when something of ours could not be measured.
 *
 * @param {ReturnType<typeof readOptions>} options
 */
function main(options) {
  if (options.help) {
    process.stdout.write(help);
    return 0;
  }
  const machine = describeMachine();
  if (machine.loadBefore > 0.5) note(`note: other work was running (load ${machine.loadBefore}); times will suffer`);
  const data = makeData(options);
  if (options.only.includes('data')) {
    console.log(JSON.stringify(data, null, 2));
    return 0;
  }
  const usesPython = options.peers.includes('vw') || options.peers.includes('sklearn');
  const interpreter = usesPython ? findPython(options.python) : null;
  const found = findPeers(options, interpreter);
  for (const peer of Object.values(found))
    note(`${peer.title}: ${peer.installed ? peer.version : `not found; ${peer.install}`}`);
  if (!found.halfspace.installed) return 1;
  if (!hasGnuTime()) note('no GNU time: CPU time and memory stay blank');

  const results = {
    schema: 'halfspace-bench/1',
    date: new Date().toISOString(),
    machine,
    options,
    interpreter,
    contestants: Object.values(found).map(({ title, installed, version, install }) => ({
      title,
      installed,
      version,
      install,
    })),
    notAsked: peerNames.filter((name) => !options.peers.includes(name)),
    data,
    limits: measureLimits({
      arrays: data.loop === undefined ? null : `${data.loop.folder}/train`,
      texts: ['text', 'dense'].filter((name) => name in data).map((name) => `${data[name].folder}/train.svm`),
    }),
    groups: runGroups(found, data, options),
  };
  const file = resolve(benchFolder, options.output ?? `results/${results.date.replaceAll(':', '-')}.json`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  process.stdout.write(markdown(results));
  note(`\nwritten: ${relative(process.cwd(), file)}`);
  const ours = Object.values(results.groups).flatMap((group) => group.contenders);
  return ours.some(({ name, failure }) => failure !== undefined && name.startsWith('halfspace')) ? 1 : 0;
}

/** The data of the groups asked for, made or found again; folders are relative to the bench folder. */
function makeData({ only, documents, features, rows, seed }) {
  const root = join(benchFolder, '.data');
  const sizes = (train) => ({ train, heldout: Math.max(500, Math.round(train / 5)) });
  const made = {};
  const wanted = (group) => only.includes(group) || only.includes('data');
  if (wanted('text')) made.text = documentText(root, { ...sizes(documents), features, seed });
  if (wanted('small'))
    made.small = documentText(root, { ...sizes(Math.min(documents, smallDocuments)), features, seed });
  if (wanted('dense')) made.dense = denseText(root, { ...sizes(rows), seed });
  if (wanted('loop'))
    made.loop = documentArrays(root, { ...sizes(Math.min(documents, mostLoopDocuments)), features, seed });
  for (const [group, set] of Object.entries(made)) {
    set.folder = relative(benchFolder, set.folder);
    note(`data for ${group}: ${set.folder} (${set.train.examples} examples, ${set.train.nonzeros} nonzeros)`);
  }
  return made;
}

function runGroups(found, data, options) {
  const pairsOf = { text: textPairs, dense: densePairs, loop: loopPairs, small: smallPairs };
  const groups = {};
  for (const group of options.only) {
    note(`\n${group}`);
    const pairs = pairsOf[group](found, { folder: data[group].folder, features: options.features });
    groups[group] = runPairs(pairs, { ...options, note });
  }
  return groups;
}
