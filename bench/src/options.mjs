import { parseArgs } from 'node:util';

export const groups = ['text', 'dense', 'loop', 'small'];
export const peerNames = ['vw', 'liblinear', 'sklearn', 'wink', 'limdu'];

export const help = `Usage: npm run bench -- [options]

Runs halfspace and its peers on the same made data, in alternating fresh processes, and prints Markdown;
the same figures go to a JSON file.

  --documents N     training documents of the text group (200000); a fifth as many are held out
  --features N      vocabulary of those documents (47152)
  --rows N          training rows of the dense group (200000)
  --rounds N        measured rounds, after one that is dropped (5)
  --seed N          seed of the data (1)
  --only A,B        groups to run: ${groups.join(', ')} (all); "data" only makes the data and says where they are
  --peers A,B       peers to run: ${peerNames.join(', ')}; all, none (all)
  --output FILE     where the JSON goes (results/DATE.json); relative paths begin in the bench folder
  --halfspace CMD   the command to measure, words separated by blanks (this repository's)
  --python PATH     the Python to look for peers in (python3)
  --smoke           tiny data, one round, none dropped, no peers unless --peers asks: shows that all of this works, measures nothing
  --help            this text
`;

const smokeDefaults = { documents: 3000, features: 47_152, rows: 3000, rounds: 1, peers: 'none' };
const fullDefaults = { documents: 200_000, features: 47_152, rows: 200_000, rounds: 5, peers: 'all' };

/** What cannot be run as asked; the message is for the user. */
export class UsageError extends Error {}

/** @param {string[]} args the command line's */
export function readOptions(args) {
  const values = parsed(args);
  const smoke = values.smoke === true;
  const defaults = smoke ? smokeDefaults : fullDefaults;
  const only = list(values.only ?? groups.join(','), [...groups, 'data'], '--only');
  const peers = values.peers ?? defaults.peers;
  return {
    help: values.help === true,
    smoke,
    documents: count(values.documents, defaults.documents, '--documents'),
    features: count(values.features, defaults.features, '--features', 500),
    rows: count(values.rows, defaults.rows, '--rows'),
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

/** @param {string[]} args */
function parsed(args) {
  /** @type {{ type: 'string' }} */
  const text = { type: 'string' };
  /** @type {{ type: 'boolean' }} */
  const flag = { type: 'boolean' };
  try {
    return parseArgs({
      args,
      options: {
        documents: text,
        features: text,
        rows: text,
        rounds: text,
        seed: text,
        only: text,
        peers: text,
        output: text,
        halfspace: text,
        python: text,
        smoke: flag,
        help: flag,
      },
    }).values;
  } catch (error) {
    throw new UsageError(error.message);
  }
}

function count(text, fallback, name, least = 1) {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!(Number.isInteger(value) && value >= least && value < 2 ** 32))
    throw new UsageError(`${name} must be an integer in [${least}, 4294967295]; got "${text}"`);
  return value;
}

function list(text, known, name) {
  const words = text.split(',').filter(Boolean);
  for (const word of words)
    if (!known.includes(word)) throw new UsageError(`${name} must name ${known.join(', ')}; got "${word}"`);
  return words;
}
