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
export function createVocabulary(size, random) {
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
