import { parsed, UsageError } from '../options.mjs';

/** Where sets come from. */
const origins = ['published', 'further'];

export const help = `Usage: npm run quality --workspace bench -- [options]

How well halfspace and scikit-learn's linear classifiers do on real tables, each trained on the same rows and judged on the same others,
and how long the choice takes that halfspace makes where nothing is asked for. Prints Markdown; everything goes to a JSON file too.

  --data DIR        the folder with the published data (../shared/data beside this repository); absent sets are left out, and named
  --sets A,B        published, further (published); further are tables of vega-datasets and those that scikit-learn brings
  --only A,B        these sets only, by name
  --rounds N        pairs of training runs to time on every set (3)
  --peers WHAT      sklearn or none (sklearn)
  --output FILE     where the JSON goes (results/quality-DATE.json); relative paths begin in the bench folder
  --halfspace CMD   the command to measure, words separated by blanks (this repository's)
  --python PATH     the Python to look for scikit-learn in (python3); the specification's figures are those of 1.2.1
  --help            this text
`;

/** @param {string[]} args the command line's */
export function readOptions(args) {
  const values = parsed(args, ['data', 'sets', 'only', 'rounds', 'peers', 'output', 'halfspace', 'python']);
  const rounds = Number(values.rounds ?? 3);
  if (!(Number.isInteger(rounds) && rounds >= 1))
    throw new UsageError(`--rounds must be an integer from 1; got "${values.rounds}"`);
  const peers = values.peers ?? 'sklearn';
  if (peers !== 'sklearn' && peers !== 'none') throw new UsageError(`--peers must be sklearn or none; got "${peers}"`);
  const sets = words(values.sets) ?? ['published'];
  for (const word of sets)
    if (!origins.includes(word)) throw new UsageError(`--sets must name ${origins.join(', ')}; got "${word}"`);
  return {
    help: values.help === true,
    data: values.data,
    sets,
    only: words(values.only),
    rounds,
    peers,
    output: values.output,
    halfspace: values.halfspace?.split(' ').filter(Boolean),
    python: values.python ?? 'python3',
  };
}

/** @param {string | undefined} list */
function words(list) {
  return list?.split(',').filter(Boolean);
}
