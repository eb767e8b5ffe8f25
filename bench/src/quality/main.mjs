import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { describeMachine } from '../machine.mjs';
import { UsageError } from '../options.mjs';
import { findHalfspace, findPython, findScikitLearn } from '../peers.mjs';
import { benchFolder } from '../run/process.mjs';
import { furtherSets } from './further.mjs';
import { namesakes, timesOfChoice, trainAndJudge } from './halfspace.mjs';
import { help, readOptions } from './options.mjs';
import { qualityMarkdown } from './report.mjs';
import { scikitLearnScores } from './scikit-learn.mjs';
import { cutPublished, findPublished } from './sets.mjs';

const note = (text) => process.stderr.write(`${text}\n`);

try {
  process.exitCode = main(readOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  note(`${error.message}\n\n${help}`);
  process.exitCode = 2;
}

/**
 * @param {ReturnType<typeof readOptions>} options
 *
 * @returns {number} the exit status: 0, since this measures and asserts nothing, unless it cannot run
 */
function main(options) {
  if (options.help) {
    process.stdout.write(help);
    return 0;
  }
  const ours = findHalfspace(options.halfspace);
  if (!ours.installed) {
    note(`halfspace: not found; ${ours.install}`);
    return 1;
  }
  const python = options.peers === 'none' && !options.sets.includes('further') ? null : findPython(options.python);
  /** @type {import('../peers.mjs').Peer} */
  const scikitLearn = findScikitLearn(python);
  if (options.peers !== 'none' && !scikitLearn.installed) note(`scikit-learn: not found; ${scikitLearn.install}`);
  const withPeer = options.peers !== 'none' && scikitLearn.installed;
  const machine = describeMachine();
  const folder = mkdtempSync(join(tmpdir(), 'halfspace-quality-'));
  try {
    const { given, absent } = findSets(options, folder, scikitLearn.installed ? python : null);
    for (const name of absent) note(`${name}: left out, its files are absent`);
    const sets = given.map((make) => {
      const set = make();
      note(`${set.name}: ${set.examples} examples, ${set.judged} to be judged on`);
      return measureSet(set, { command: ours.words, python: withPeer ? python : null, folder, rounds: options.rounds });
    });
    const report = {
      schema: 'halfspace-quality/1',
      date: new Date().toISOString(),
      machine,
      halfspace: ours.version,
      peer: withPeer ? { version: scikitLearn.version, columns: Object.keys(namesakes) } : null,
      absent,
      sets,
    };
    const file = resolve(benchFolder, options.output ?? `results/quality-${report.date.replaceAll(':', '-')}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
    process.stdout.write(qualityMarkdown(report));
    note(`\nwritten: ${relative(process.cwd(), file)}`);
    return 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The sets asked for, to be written into `folder` one by one, and the names of those that cannot be. */
function findSets({ data, sets, only }, folder, python) {
  const from =
    data === undefined ? resolve(benchFolder, '../../shared/data') : resolve(process.env.INIT_CWD ?? '.', data);
  const wanted = ({ name }) => only === undefined || only.includes(name);
  const { here, absent } = sets.includes('published') ? findPublished(from) : { here: [], absent: [] };
  const further = sets.includes('further') ? furtherSets(python) : { here: [], absent: [] };
  return {
    given: [
      ...here.filter(wanted).map((set) => () => cutPublished(set, { from, to: folder })),
      ...further.here.filter(wanted).map(
        ({ write }) =>
          () =>
            write(folder),
      ),
    ],
    absent: [...absent, ...further.absent].filter(wanted).map(({ name }) => name),
  };
}

/** @returns {import('./report.mjs').SetResult} */
function measureSet(set, { command, python, folder, rounds }) {
  const { name, examples, judged } = set;
  const judge = (flags) => trainAndJudge(command, set, flags, folder);
  const choice = judge([]);
  note(`  no option: ${'failure' in choice ? choice.failure : choice.accuracy.toFixed(4)}`);
  const rules = Object.fromEntries(Object.entries(namesakes).map(([key, flags]) => [key, judge(flags(examples))]));
  const times = 'failure' in choice ? null : timesOfChoice(command, set, { folder, rounds });
  const peers = python === null ? null : scikitLearnScores(python, set);
  if (peers !== null && 'failure' in peers) note(`  scikit-learn: ${peers.failure}`);
  return { name, examples, judged, peers, choice, namesakes: rules, times };
}
