import { measure } from '../run/process.mjs';
import { spread } from '../run/statistics.mjs';
import { halfspaceLoop } from './loop.mjs';

/** Records to learn the table model from. */
export const mixedRecords = 3000;

/** Length of the scored vector. */
export const vectorLength = 30;

/**
 * Measures the time of one prediction: for raw objects, for vectors and in batches; and the time of `halfspace --help`.
 *
 * @param {Record<string, any>} found the programs
 * @param {{ folder: string, data: Record<string, { folder: string }> }} data relative to the bench folder
 */
export function answersPairs({ halfspace }, { folder, data }) {
  const { words } = halfspace;
  const trained = (from, ...args) => {
    const model = `${folder}/${args.length === 0 ? 'named' : 'table'}.model.json`;
    measure([...words, 'train', from, '--rule', 'averaged', '--model', model, '--json', ...args]);
    return model;
  };
  const ask = (what, ...args) => inside(`halfspace, ${what}`, ['node', 'src/answers/ask.mjs', ...args]);
  const loop = (what, rule) => inside(`halfspace, ${what}`, [...halfspaceLoop, rule, data.loop.folder, '5', '3']);
  const table = trained(`${folder}/train.csv`, '--label', 'answer', '--passes', '5');
  const named = trained(`${data.small.folder}/train.vw`);
  return [
    { ours: ask('a record of numbers and categories', 'records', table, `${folder}/heldout.ndjson`) },
    { ours: ask('a few numbers by name', 'names', named, `${data.small.folder}/heldout.vw`, '20') },
    { ours: ask('a whole document by name', 'names', named, `${data.small.folder}/heldout.vw`) },
    { ours: ask(`a Float64Array of ${vectorLength}`, 'vector', String(vectorLength)) },
    { ours: loop('batches, per nonzero', 'score'), peer: loop('learning from them, per nonzero and pass', 'averaged') },
    {
      ours: whole('halfspace --help', [...words, '--help']),
      peer: whole('node -e 0', ['node', '-e', '0']),
    },
  ];
}

/**
 * @returns {import('../run/pairs.mjs').Contender} measured by its own clock, the median of several samples after a
 * warm-up
 */
function inside(name, command) {
  return {
    name,
    task: 'ns',
    command,
    leaves: [],
    details: JSON.parse,
    figure: ({ nanoseconds }) => spread(nanoseconds).median,
    accuracy: ({ accuracy }) => accuracy ?? null,
  };
}

/** @returns {import('../run/pairs.mjs').Contender} */
function whole(name, command) {
  return { name, task: 'ms, whole process', command, leaves: [], details: () => ({}) };
}
