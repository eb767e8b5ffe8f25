import { putInteger } from './byte-file.mjs';
import { Random } from './random.mjs';

/**
 * A vocabulary with the frequencies of words in news text: the word of rank r is drawn with probability ∝ (r + q)^−s
 * (Zipf's law with Mandelbrot's shift q, which flattens the head as removing stop words does).
 */

/**
 * @typedef {{ size: number, probability: Float64Array, rarity: Float64Array, draw: (random:
 * import('./random.mjs').Random) => number }} Vocabulary
 */

const shift = 35;
const exponent = 1.15;
/** Draws per document, about: turns a word's probability into the share of documents that have it. */
const drawsPerDocument = 80;

/**
 * Words are numbered in the order in which a corpus would first show them, as feature numbers usually arise: frequent
 * words get small numbers, mostly. The first appearance of a word of probability p is exponential with mean 1/p.
 *
 * @param {number} size
 * @param {import('./random.mjs').Random} random
 * @returns {Vocabulary}
 */
function createVocabulary(size, random) {
  const byRank = Float64Array.from({ length: size }, (_, rank) => (rank + 1 + shift) ** -exponent);
  const total = byRank.reduce((sum, p) => sum + p, 0);
  const appearance = byRank.map((p) => -Math.log(1 - random.uniform()) / p);
  const order = Uint32Array.from({ length: size }, (_, rank) => rank).sort((a, b) => appearance[a] - appearance[b]);
  const probability = Float64Array.from(order, (rank) => byRank[rank] / total);
  // idf: minus the logarithm of the share of documents with the word
  const rarity = probability.map((p) => -Math.log(1 - (1 - p) ** drawsPerDocument));
  const { cut, alias } = aliasTable(probability);
  return {
    size,
    probability,
    rarity,
    draw(random) {
      const word = random.below(size);
      return random.uniform() < cut[word] ? word : alias[word];
    },
  };
}

/**
 * Walker's alias method in Vose's form: one draw costs two random numbers, whatever the size.
 *
 * @param {Float64Array} probability sums to 1
 */
function aliasTable(probability) {
  const size = probability.length;
  const cut = new Float64Array(size).fill(1);
  const alias = Uint32Array.from({ length: size }, (_, i) => i);
  const share = probability.map((p) => p * size);
  const small = [];
  const large = [];
  share.forEach((s, i) => {
    (s < 1 ? small : large).push(i);
  });
  while (small.length > 0 && large.length > 0) {
    const poor = small.pop();
    const rich = large[large.length - 1];
    cut[poor] = share[poor];
    alias[poor] = rich;
    share[rich] -= 1 - share[poor];
    if (share[rich] < 1) small.push(large.pop());
  }
  return { cut, alias };
}

/**
 * Documents like those of RCV1: bags of words with tf-idf values of unit length, and two classes.
 *
 * A document has a topic; its words come from the topic's own words or from the whole vocabulary. Its class is the sign
 * of z = topic's lean + w*·x with a hidden sparse w*, after noise that is largest near z = 0, and a few labels are
 * flipped outright. So a linear model can get most labels right and none can get them all.
 */

const zero = 48;
const point = 46;

const topicCount = 48;
const topicWords = 400;
const topicShare = 0.35;
const lengthSpread = 0.65;
/** Shortest and longest document, as shares of the mean. */
const shortest = 8 / 69;
const longest = 400 / 69;
/** Share of words that carry weight in w*, and how strongly w* counts beside the topic's lean. */
const relevantShare = 0.05;
const wordStrength = 0.6;
const noise = 0.2;
const flipped = 0.02;

/** Streams of the seed: the model is shared, train and held-out documents differ. */
const stream = { model: 1, pilot: 2, train: 3, heldout: 4 };

/** @param {{ features: number, seed: number, length?: number }} options `length`: nonzeros of a document, on average */
export function createDocumentModel({ features, seed, length = 69 }) {
  const random = new Random(seed, stream.model);
  const vocabulary = createVocabulary(features, random);
  const topics = Array.from({ length: topicCount }, (_, topic) => ({
    words: Uint32Array.from({ length: topicWords }, () => vocabulary.draw(random)),
    lean: (topic % 2 === 0 ? 1 : -1) * (0.5 + random.uniform()),
  }));
  const hidden = new Float64Array(features).map(() => (random.uniform() < relevantShare ? random.normal() : 0));
  const model = { vocabulary, topics, hidden, meanLength: length, centre: 0, wordScale: 1, spread: 1 };
  calibrate(model, new Random(seed, stream.pilot));
  return {
    /** @param {'train' | 'heldout'} part */
    documents: (part) => documentsOf(model, new Random(seed, stream[part])),
  };
}

/** Puts half of the documents on each side and gives both parts of z comparable weight, whatever the seed. */
function calibrate(model, random) {
  const next = documentsOf(model, random);
  const topicPart = [];
  const wordPart = [];
  for (let i = 0; i < 4000; i++) {
    next();
    topicPart.push(next.topicPart());
    wordPart.push(next.wordPart());
  }
  const middle = mean(wordPart);
  const deviation = Math.sqrt(mean(wordPart.map((v) => (v - middle) ** 2)));
  model.wordScale = wordStrength / deviation;
  const z = topicPart.map((v, i) => v + model.wordScale * wordPart[i]).sort((a, b) => a - b);
  model.centre = z[z.length >> 1];
}

const mean = (values) => values.reduce((sum, v) => sum + v, 0) / values.length;

/**
 * The next document at every call. The returned example is overwritten by the next call: nothing is allocated per
 * document.
 *
 * @returns {(() => import('./sparse-writers.mjs').Example) & { topicPart: () => number, wordPart: () => number }}
 */
function documentsOf(model, random) {
  const { vocabulary, topics, hidden, meanLength } = model;
  const { rarity } = vocabulary;
  const least = Math.max(1, Math.round(shortest * meanLength));
  // Drawing the last few words of a vocabulary would take long.
  const most = Math.min(Math.round(longest * meanLength), Math.floor(0.8 * vocabulary.size));
  const counts = new Uint16Array(vocabulary.size);
  const words = new Uint32Array(most);
  const values = new Float64Array(most);
  const millionths = new Uint32Array(most);
  /** @type {import('./sparse-writers.mjs').Example} */
  const example = {
    length: 0,
    indices: new Uint32Array(most),
    label: 1,
    value: (k) => millionths[k] / 1e6,
    put(bytes, at, k) {
      bytes[at++] = zero;
      bytes[at++] = point;
      return putInteger(bytes, at, millionths[k], 6);
    },
  };
  const logMean = Math.log(meanLength) - lengthSpread ** 2 / 2;
  let topicPart = 0;
  let wordPart = 0;

  const next = () => {
    const topic = topics[random.below(topicCount)];
    const wanted = Math.exp(logMean + lengthSpread * random.normal());
    const length = Math.max(least, Math.min(most, Math.round(wanted)));
    let distinct = 0;
    while (distinct < length) {
      const u = random.uniform();
      // u² prefers the first words of a topic
      const word =
        random.uniform() < topicShare ? topic.words[Math.floor(topicWords * u * u)] : vocabulary.draw(random);
      if (counts[word]++ === 0) words[distinct++] = word;
    }
    words.subarray(0, length).sort();

    let squares = 0;
    for (let k = 0; k < length; k++) {
      const value = (1 + Math.log(counts[words[k]])) * rarity[words[k]];
      counts[words[k]] = 0;
      values[k] = value;
      squares += value * value;
    }
    const scale = 1e6 / Math.sqrt(squares);
    let score = 0;
    for (let k = 0; k < length; k++) {
      // Text and binary files hold the same numbers: millionths.
      millionths[k] = Math.max(1, Math.min(999_999, Math.round(values[k] * scale)));
      example.indices[k] = words[k] + 1;
      score += hidden[words[k]] * millionths[k];
    }
    topicPart = topic.lean;
    wordPart = score / 1e6;
    const z = topicPart + model.wordScale * wordPart - model.centre + noise * random.normal();
    example.label = z > 0 === random.uniform() >= flipped ? 1 : -1;
    example.length = length;
    return example;
  };
  return Object.assign(next, { topicPart: () => topicPart, wordPart: () => wordPart });
}
