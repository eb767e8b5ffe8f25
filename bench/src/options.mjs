import { parseArgs } from 'node:util';
import { generators } from './data/generators.mjs';

export const groups = ['text', 'dense', 'loop', 'small', 'answers', 'growth', 'speed'];
export const peerNames = ['vw', 'liblinear', 'sklearn', 'wink', 'limdu'];

export const help = `Usage: npm run bench -- [options]

Runs halfspace and its peers on the same made data, in alternating fresh processes, and prints Markdown;
the same figures go to a JSON file.

  --documents N     training documents of the text group (200000); a fifth as many are held out
  --features N      vocabulary of those documents (47152)
  --generator NAME  how documents are made: ${Object.keys(generators).join(', ')} (zipf)
  --rows N          training rows of the dense group (200000)
  --loop-rows N     dense rows of the loop group (1000000)
  --growth N        documents at the far end of the growth group's curves (800000); the rest of it follows
  --rounds N        measured rounds, after one that is dropped (5)
  --seed N          seed of the data (1)
  --only A,B        groups to run: ${groups.join(', ')} (all but speed); "data" only makes the data and says where they are
  --peers A,B       peers to run: ${peerNames.join(', ')}; all, none (all)
  --output FILE     where the JSON goes (results/DATE.json); relative paths begin in the bench folder
  --halfspace CMD   the command to measure, words separated by blanks (this repository's)
  --python PATH     the Python to look for peers in (python3)
  --smoke           tiny data, one round, none dropped, no peers unless --peers asks: shows that all of this works, measures nothing
  --help            this text
`;

const smokeDefaults = { documents: 3000, rows: 3000, loopRows: 3000, growth: 3000, rounds: 1, peers: 'none' };
const fullDefaults = {
  documents: 200_000,
  rows: 200_000,
  loopRows: 1_000_000,
  growth: 800_000,
  rounds: 5,
  peers: 'all',
};

/** A usage error; the message is for the user. */
export class UsageError extends Error {}

/** @param {string[]} args the command line's */
export function readOptions(args) {
  const sizes = ['documents', 'features', 'rows', 'loop-rows', 'growth', 'rounds', 'seed'];
  const others = ['generator', 'only', 'peers', 'output', 'halfspace', 'python'];
  const values = parsed(args, [...sizes, ...others], ['smoke']);
  const smoke = values.smoke === true;
  const defaults = smoke ? smokeDefaults : fullDefaults;
  const usual = smoke ? groups : groups.filter((name) => name !== 'speed');
  const only = list(values.only ?? usual.join(','), [...groups, 'data'], '--only');
  const peers = values.peers ?? defaults.peers;
  return {
    help: values.help === true,
    smoke,
    documents: count(values.documents, defaults.documents, '--documents'),
    features: count(values.features, 47_152, '--features', 500, 2 ** 26),
    generator: oneOf(values.generator ?? 'zipf', Object.keys(generators), '--generator'),
    rows: count(values.rows, defaults.rows, '--rows'),
    loopRows: count(values['loop-rows'], defaults.loopRows, '--loop-rows'),
    growth: count(values.growth, defaults.growth, '--growth', 1000),
    rounds: count(values.rounds, defaults.rounds, '--rounds'),
    warmup: smoke ? 0 : 1,
    seed: count(values.seed, 1, '--seed', 0),
    only,
    peers: peers === 'all' ? peerNames : peers === 'none' ? [] : list(peers, peerNames, '--peers'),
    output: values.output,
    halfspace: values.halfspace?.split(' ').filter(Boolean),
    python: values.python ?? 'python3',
  };
}

/**
 * Returns the values of flags; beside those that take a text there is `--help`.
 * @param {string[]} args
 * @param {readonly string[]} texts names of flags that take a text
 * @param {readonly string[]} flags names of flags that take none
 * @returns {Record<string, any>}
 */
export function parsed(args, texts, flags = []) {
  const options = Object.fromEntries([
    ...texts.map((name) => [name, { type: /** @type {const} */ ('string') }]),
    ...[...flags, 'help'].map((name) => [name, { type: /** @type {const} */ ('boolean') }]),
  ]);
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError(error.message);
  }
}

function count(text, fallback, name, least = 1, most = 2 ** 32 - 1) {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!(Number.isInteger(value) && value >= least && value <= most))
    throw new UsageError(`${name} must be an integer in [${least}, ${most}]; got "${text}"`);
  return value;
}

/** @returns {any} one of `known` */
function oneOf(text, known, name) {
  if (!known.includes(text)) throw new UsageError(`${name} must be one of ${known.join(', ')}; got "${text}"`);
  return text;
}

function list(text, known, name) {
  const words = text.split(',').filter(Boolean);
  for (const word of words)
    if (!known.includes(word)) throw new UsageError(`${name} must name ${known.join(', ')}; got "${word}"`);
  return words;
}
