import { Random } from '../data/random.mjs';
import { writeParts } from '../quality/parts.mjs';
import { cutPublished, findPublished } from '../quality/sets.mjs';

/** The published sets that tell the rules apart, with what is in them. */
const published = {
  spambase: 'mails as 57 numbers',
  adult: 'a census table of numbers and categories',
  sms: 'short messages as text',
  w8a: 'pages as sparse numbers, 3 in 100 positive',
};

const generated = [
  { name: 'noise', what: '20 numbers, a line, every fifth label wrong', rows: 5000, row: noisy },
  { name: 'rings', what: '2 numbers, one class around the other', rows: 2000, row: ringed },
];

/**
 * Returns the sets to measure on, each with a function that writes its files into a folder, and the names of those whose
 * data are absent.
 *
 * @param {string} from the folder with the published data
 */
export function findSets(from) {
  const { here, absent } = findPublished(from);
  const wanted = ({ name }) => name in published;
  return {
    given: [
      ...here
        .filter(wanted)
        .map((set) => ({ what: published[set.name], write: (to) => cutPublished(set, { from, to }) })),
      ...generated.map(({ what, ...set }) => ({ what, write: (to) => writeGenerated(set, to) })),
    ],
    absent: absent.filter(wanted).map(({ name }) => name),
  };
}

function writeGenerated({ name, rows, row }, folder) {
  const random = new Random(1);
  const lines = Array.from({ length: rows }, (_, i) => row(random, i).join(','));
  const header = [
    ...row(random, 0)
      .slice(1)
      .map((_, k) => `x${k}`),
    'label',
  ].join(',');
  const shape = { name, header, format: /** @type {const} */ ('csv'), label: 'label', texts: [], dates: [] };
  return writeParts(folder, shape, lines);
}

const decimals = (value) => Number(value.toFixed(4));

function noisy(random) {
  const x = Array.from({ length: 20 }, () => decimals(2 * random.uniform() - 1));
  const side = x.reduce((sum, value, k) => sum + (k - 9.5) * value, 0) > 0;
  return [...x, side !== random.uniform() < 0.2 ? 'a' : 'b'];
}

function ringed(random, i) {
  const angle = 2 * Math.PI * random.uniform();
  const radius = (i % 2 === 0 ? 1 : 2) + 0.8 * (random.uniform() - 0.5);
  return [decimals(radius * Math.cos(angle)), decimals(radius * Math.sin(angle)), i % 2 === 0 ? 'inside' : 'outside'];
}
