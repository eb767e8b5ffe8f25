import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { generators } from './data/generators.mjs';
import { denseArrays, denseText, documentArrays, documentText, mixedTable } from './data/store.mjs';
import { answersPairs, mixedRecords } from './groups/answers.mjs';
import { densePairs } from './groups/dense.mjs';
import { growthData, measureGrowth } from './groups/growth.mjs';
import { measureLimits } from './groups/limits.mjs';
import { denseLoopPairs, loopPairs, mostLoopDocuments } from './groups/loop.mjs';
import { smallDocuments, smallPairs } from './groups/small.mjs';
import { largeTimes, speedRows, speedTable } from './groups/speed.mjs';
import { textPairs } from './groups/text.mjs';
import { describeMachine } from './machine.mjs';
import { help, peerNames, readOptions, UsageError } from './options.mjs';
import { findPeers } from './peers/find.mjs';
import { findPython } from './peers/python.mjs';
import { markdown } from './report/markdown.mjs';
import { runPairs } from './run/pairs.mjs';
import { benchFolder, CommandError, hasGnuTime } from './run/process.mjs';

const dataRoot = join(benchFolder, '.data');
const note = (text) => process.stderr.write(`${text}\n`);

try {
  process.exitCode = await main(readOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  note(`${error.message}\n\n${help}`);
  process.exitCode = 2;
}

/**
 * Returns the exit status: 1 if a measurement of halfspace failed.
 *
 * @param {ReturnType<typeof readOptions>} options
 */
async function main(options) {
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

  const date = new Date().toISOString();
  const file = resolve(benchFolder, options.output ?? `results/${date.replaceAll(':', '-')}.json`);
  mkdirSync(dirname(file), { recursive: true });
  const results = {
    schema: 'halfspace-bench/1',
    date,
    machine,
    options,
    interpreter,
    programs: Object.values(found).map(({ title, installed, version, install }) => ({
      title,
      installed,
      version,
      install,
    })),
    notAsked: peerNames.filter((name) => !options.peers.includes(name)),
    data,
    limits: measureLimits({
      arrays: data.loop === undefined ? null : `${data.loop.folder}/train`,
      dense: data.denseLoop === undefined ? null : `${data.denseLoop.folder}/train`,
      texts: ['text', 'dense'].filter((name) => name in data).map((name) => `${data[name].folder}/train.svm`),
    }),
    groups: runGroups(found, data, { ...options, interpreter }),
    ...(options.only.includes('growth') ? { growth: growth(found, options) } : {}),
  };
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  process.stdout.write(markdown(results));
  note(`\nwritten: ${relative(process.cwd(), file)}`);
  const ours = Object.values(results.groups).flatMap((group) => group.contenders);
  const failed = ours.some(({ name, failure }) => failure !== undefined && name.startsWith('halfspace'));
  return failed || 'failure' in (results.growth ?? {}) ? 1 : 0;
}

/** Generates or reuses the data of the selected groups. Folders are relative to the bench folder. */
function makeData({ only, documents, features, rows, loopRows, seed, generator }) {
  const sizes = (train) => ({ train, heldout: Math.max(500, Math.round(train / 5)) });
  const documentOptions = (most) => ({ ...sizes(Math.min(documents, most)), features, seed, generator });
  const made = {};
  const wanted = (...groups) =>
    groups.some((group) => only.includes(group) || (only.includes('data') && group !== 'speed'));
  if (wanted('text')) made.text = documentText(dataRoot, documentOptions(Infinity));
  if (wanted('small', 'answers')) made.small = documentText(dataRoot, documentOptions(smallDocuments));
  if (wanted('dense')) made.dense = denseText(dataRoot, { ...sizes(rows), seed });
  if (wanted('loop', 'answers')) made.loop = documentArrays(dataRoot, documentOptions(mostLoopDocuments));
  if (wanted('loop')) made.denseLoop = denseArrays(dataRoot, { ...sizes(loopRows), seed });
  if (wanted('answers')) made.answers = mixedTable(dataRoot, { ...sizes(mixedRecords), seed });
  if (wanted('speed')) {
    for (const each of Object.keys(generators)) {
      const own = (times) => ({ ...sizes(documents * times), features, seed, generator: each });
      made[`speed ${each}`] = documentText(dataRoot, own(1));
      made[`speed ${each} large`] = documentText(dataRoot, own(largeTimes));
      made[`speed ${each} loop`] = documentArrays(dataRoot, {
        ...own(1),
        ...sizes(Math.min(documents, mostLoopDocuments)),
      });
    }
    made['speed table'] = denseText(dataRoot, { ...sizes(rows * 1.5), seed });
    made['speed dense loop'] = denseArrays(dataRoot, { ...sizes(loopRows), seed });
  }
  for (const [group, set] of Object.entries(made)) {
    set.folder = relative(benchFolder, set.folder);
    note(`data for ${group}: ${set.folder} (${set.train.examples} examples, ${set.train.nonzeros} nonzeros)`);
  }
  return made;
}

function runGroups(found, data, options) {
  const pairsOf = {
    text: textPairs,
    dense: densePairs,
    loop: loopPairs,
    denseLoop: denseLoopPairs,
    small: smallPairs,
    answers: answersPairs,
    speed: speedRows,
  };
  const groups = {};
  for (const group of options.only.flatMap((name) => (name === 'loop' ? ['loop', 'denseLoop'] : [name]))) {
    if (!(group in pairsOf)) continue;
    note(`\n${group}`);
    try {
      const pairs = pairsOf[group](found, {
        ...data[group],
        features: options.features,
        data,
        python: options.interpreter,
      });
      const measured = runPairs(pairs, { ...options, note });
      groups[group] = group === 'speed' ? { ...measured, rows: speedTable(pairs, measured) } : measured;
    } catch (error) {
      const failure = failureOf(error, group);
      groups[group] = {
        contenders: [{ name: 'halfspace', task: '', command: '', failure }],
        comparisons: [],
        otherWork: null,
      };
    }
  }
  return groups;
}

function growth(found, options) {
  note('\ngrowth: making its data');
  const data = growthData(dataRoot, options);
  try {
    return measureGrowth(found.halfspace, data, { ...options, note });
  } catch (error) {
    return { failure: failureOf(error, 'growth') };
  }
}

/**
 * If a command of halfspace fails, its group ends, but the report continues. A fault of this program ends everything.
 */
function failureOf(error, group) {
  if (!(error instanceof CommandError)) throw error;
  note(`  ${group}: FAILED: ${error.message}`);
  return error.message;
}
