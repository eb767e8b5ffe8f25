import { columns } from './data/dense-rows.mjs';
import {
  halfspaceTraining,
  javaScriptTraining,
  liblinearTraining,
  scikitLearnTraining,
  vowpalWabbitTraining,
} from './peers.mjs';
import { measure } from './run/process.mjs';
import { spread } from './run/statistics.mjs';

/** Few documents: the npm perceptrons keep every example as an object, and are made for data of this size. */
export const smallDocuments = 2000;
/** Records to learn the table model from. */
export const mixedRecords = 3000;
const vectorLength = 30;

/**
 * The groups, each with the pairs that run in turns.
 *
 * @type {Record<string, (found: Record<string, any>, of: { folder: string, features: number, small: string }) =>
 *   { ours: import('./run/pairs.mjs').Contender, peer?: import('./run/pairs.mjs').Contender }[]>} folders are relative
 *   to the bench folder
 */
export const groups = {
  /** From a text file of sparse documents to a model file. LIBLINEAR goes on until its tolerance is met. */
  text(found, { folder, features }) {
    const ours = (rule, passes, format) => halfspaceTraining(found.halfspace, { folder, rule, passes, format });
    const vw = (passes) => vowpalWabbitTraining(found.vw, { folder, passes });
    const sklearn = (rule) => scikitLearnTraining(found.sklearn, { folder, rule, passes: 5, features });
    const liblinear = () => liblinearTraining(found.liblinear, { folder, solver: 1 });
    const inDefaultOrder = { folder, rule: 'averaged', passes: 5, order: '' };
    return [
      { ours: ours('averaged', 1), peer: ours('perceptron', 1) },
      { ours: ours('averaged', 5), peer: halfspaceTraining(found.halfspace, inDefaultOrder) },
      ...beside(found.vw, () => [
        { ours: ours('averaged', 1), peer: vw(1) },
        { ours: ours('averaged', 1, 'vw'), peer: vw(1) },
        { ours: ours('averaged', 5), peer: vw(5) },
      ]),
      {
        ours: halfspaceTraining(found.halfspace, { folder }),
        ...(found.liblinear?.installed ? { peer: liblinear() } : {}),
      },
      ...beside(found.liblinear, () => [{ ours: ours('averaged', 5), peer: liblinear() }]),
      ...beside(found.sklearn, () =>
        ['perceptron', 'averaged'].map((rule) => ({ ours: ours(rule, 5), peer: sklearn(rule) })),
      ),
    ];
  },

  /** From a file of dense numeric rows to a model file, as libsvm text and as CSV. */
  dense(found, { folder }) {
    const ours = (passes, format) => {
      const extra = format === 'csv' ? ['--label', 'label'] : [];
      return halfspaceTraining(found.halfspace, { folder, rule: 'averaged', passes, format, extra });
    };
    const sklearn = (format) =>
      scikitLearnTraining(found.sklearn, { folder, rule: 'averaged', passes: 5, features: columns, format });
    return [
      { ours: ours(1, 'svm'), peer: ours(1, 'csv') },
      ...beside(found.vw, () => [
        { ours: ours(1, 'svm'), peer: vowpalWabbitTraining(found.vw, { folder, passes: 1 }) },
      ]),
      ...beside(found.liblinear, () => [
        { ours: ours(5, 'svm'), peer: liblinearTraining(found.liblinear, { folder, solver: 2 }) },
      ]),
      ...beside(found.sklearn, () =>
        ['svm', 'csv'].map((format) => ({ ours: ours(5, format), peer: sklearn(format) })),
      ),
    ];
  },

  small(found, { folder }) {
    const pair = (rule, peer) => ({
      ours: halfspaceTraining(found.halfspace, { folder, rule, passes: 5 }),
      peer: javaScriptTraining(peer, { folder, passes: 5 }),
    });
    return [
      ...beside(found.wink, () => [pair('averaged', found.wink)]),
      ...beside(found.limdu, () => [pair('perceptron', found.limdu)]),
    ];
  },

  /** One prediction, for raw objects and for vectors; and the time of `halfspace --help`. */
  answers({ halfspace: { words } }, { folder, small }) {
    const trained = (from, ...args) => {
      const model = `${folder}/${args.length === 0 ? 'named' : 'table'}.model.json`;
      measure([...words, 'train', from, '--rule', 'averaged', '--model', model, '--json', ...args]);
      return model;
    };
    const table = trained(`${folder}/train.csv`, '--label', 'answer', '--passes', '5');
    const named = trained(`${small}/train.vw`);
    /** Measured by its own clock, the median of several samples after a warm-up. */
    const ask = (what, ...args) => ({
      ours: {
        name: `halfspace, ${what}`,
        task: 'ns',
        command: ['node', 'src/answers/ask.mjs', ...args],
        leaves: [],
        details: JSON.parse,
        figure: ({ nanoseconds }) => spread(nanoseconds).median,
      },
    });
    const whole = (name, command) => ({ name, task: 'ms, whole process', command, leaves: [] });
    return [
      ask('a record of numbers and categories', 'records', table, `${folder}/heldout.ndjson`),
      ask('a few numbers by name', 'names', named, `${small}/heldout.vw`, '20'),
      ask('a whole document by name', 'names', named, `${small}/heldout.vw`),
      ask(`a Float64Array of ${vectorLength}`, 'vector', String(vectorLength)),
      { ours: whole('halfspace --help', [...words, '--help']), peer: whole('node -e 0', ['node', '-e', '0']) },
    ];
  },
};

/** Pairs with a peer, if it is installed. */
function beside(peer, pairs) {
  return peer?.installed ? pairs() : [];
}
