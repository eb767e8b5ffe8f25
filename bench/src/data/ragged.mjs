import { Random } from './random.mjs';

/**
 * Documents of another kind than documents.mjs makes, so that nothing is tuned to one: their lengths differ a
 * hundredfold, values have as many digits as `%.4g` prints (trailing zeros trimmed, now and then an exponent), some
 * features are counts, frequent features lie scattered over the whole range of indices, and three documents in ten are
 * positive.
 *
 * The feature of rank r is drawn with probability ∝ about 1/r: r = ⌊features^u⌋ for a uniform u, which needs no table,
 * so that there may be millions. Its index, its size and what it says of the class are made from the seed and r.
 */

const lengthSpread = 1;
/** Longest document, as a multiple of the mean. */
const longest = 40;
const countShare = 0.06;
/** Share of features so small that their text needs an exponent. */
const tinyShare = 0.02;
/** Only the most frequent ranks say something of the class. */
const telling = 500;
const tellingShare = 0.4;
const noise = 0.1;
const flipped = 0.02;
const positiveShare = 0.3;

const stream = { model: 1, pilot: 2, train: 3, heldout: 4 };

/** @param {{ features: number, seed: number, length?: number }} options `length`: draws for a document, on average */
export function createRaggedModel({ features, seed, length = 69 }) {
  const random = new Random(seed, stream.model);
  const sizes = new Float64Array(features).map(() => {
    const u = random.uniform();
    if (u < countShare) return 0;
    return 10 ** (0.4 * random.normal() - (u < countShare + tinyShare ? 5 : 0.5));
  });
  const hidden = new Float64Array(Math.min(features, telling)).map((_, r) =>
    random.uniform() < tellingShare && sizes[r] > 1e-3 ? random.normal() : 0,
  );
  const model = { features, length, sizes, hidden, indexOf: scattering(features, random), centre: 0, spread: 1 };
  calibrate(model, new Random(seed, stream.pilot));
  return {
    /** @param {'train' | 'heldout'} part */
    documents: (part) => documentsOf(model, new Random(seed, stream[part])),
  };
}

/**
 * A permutation of 0 … features − 1 that leaves no two neighbours together: start + r · step mod features, step prime
 * to it.
 */
function scattering(features, random) {
  const divisor = (a, b) => (b === 0 ? a : divisor(b, a % b));
  let step = Math.floor(features * (0.55 + 0.1 * random.uniform()));
  while (divisor(features, step) !== 1) step++;
  const start = random.below(features);
  return (rank) => (start + rank * step) % features;
}

/** Puts the share of positives where it belongs, and gives z a standard deviation of 1, whatever the seed. */
function calibrate(model, random) {
  const next = documentsOf(model, random);
  const z = Float64Array.from({ length: 4000 }, () => {
    next();
    return next.evidence();
  }).sort();
  model.centre = z[Math.floor((1 - positiveShare) * z.length)];
  model.spread = (z[Math.floor(0.84 * z.length)] - z[Math.floor(0.16 * z.length)]) / 2;
}

/**
 * The next document at every call, overwritten by the next: nothing but short texts is allocated.
 *
 * @returns {(() => import('./sparse-writers.mjs').Example) & { evidence: () => number }}
 */
function documentsOf({ features, length, sizes, hidden, indexOf, ...model }, random) {
  const most = longest * length;
  const counts = new Uint16Array(features);
  const places = new Float64Array(most); // index · 2²⁶ + rank: sorts by index
  const texts = [];
  /** @type {import('./sparse-writers.mjs').Example} */
  const example = {
    length: 0,
    indices: new Uint32Array(most),
    label: 1,
    value: (k) => Number(texts[k]),
    put: (bytes, at, k) => at + bytes.write(texts[k], at, 'latin1'),
  };
  const logMean = Math.log(length) - lengthSpread ** 2 / 2;
  let evidence = 0;

  const next = () => {
    const draws = Math.max(1, Math.min(most, Math.round(Math.exp(logMean + lengthSpread * random.normal()))));
    let distinct = 0;
    for (let d = 0; d < draws; d++) {
      const rank = Math.min(features - 1, Math.floor(features ** random.uniform()) - 1);
      if (counts[rank]++ === 0) places[distinct++] = indexOf(rank) * 2 ** 26 + rank;
    }
    places.subarray(0, distinct).sort();
    evidence = 0;
    for (let k = 0; k < distinct; k++) {
      const rank = places[k] % 2 ** 26;
      const count = counts[rank];
      counts[rank] = 0;
      const value = sizes[rank] === 0 ? count : sizes[rank] * Math.sqrt(count) * Math.exp(0.3 * random.normal());
      texts[k] = fourDigits(value);
      example.indices[k] = (places[k] - rank) / 2 ** 26 + 1;
      if (rank < hidden.length) evidence += hidden[rank] * Number(texts[k]);
    }
    const z = (evidence - model.centre) / model.spread + noise * random.normal();
    example.label = z > 0 === random.uniform() >= flipped ? 1 : -1;
    example.length = distinct;
    return example;
  };
  return Object.assign(next, { evidence: () => evidence });
}

/**
 * As C's `%.4g` prints it: four significant digits without trailing zeros; an exponent of two digits below 10⁻⁴ and
 * from 10⁴ on.
 */
export function fourDigits(value) {
  const rounded = Number(value.toPrecision(4));
  if (rounded === 0 || (rounded >= 1e-4 && rounded < 1e4)) return String(rounded);
  const [digits, exponent] = rounded.toExponential().split('e');
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}
