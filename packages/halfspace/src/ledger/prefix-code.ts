/** A prefix code. DEFLATE writes code words lowest bit first, so they are stored reversed. */
export interface PrefixCode {
  /** Number of bits of each symbol; 0 for unused symbols. */
  readonly lengths: Uint8Array;
  readonly codes: Uint16Array;
}

/**
 * Returns the lengths of an optimal prefix code (Huffman, 1952) with lengths of at most `longest`. Until the code fits,
 * all counts are halved, which costs little. A code of one symbol has one bit, as in DEFLATE.
 *
 * @param counts number of occurrences of each symbol.
 */
export function codeLengths(counts: Uint32Array, longest: number): Uint8Array {
  const lengths = new Uint8Array(counts.length);
  const symbols = Array.from(counts.keys()).filter((symbol) => counts[symbol]! > 0);
  if (symbols.length === 1) lengths[symbols[0]!] = 1;
  if (symbols.length < 2) return lengths;
  let weights = symbols.map((symbol) => counts[symbol]!);
  for (;;) {
    const depths = huffmanDepths(weights);
    if (depths.every((depth) => depth <= longest)) {
      for (const [k, symbol] of symbols.entries()) lengths[symbol] = depths[k]!;
      return lengths;
    }
    weights = weights.map((weight) => (weight + 1) >> 1);
  }
}

/** Returns the depths of the leaves of a Huffman tree, by two queues: sorted leaves, and inner nodes as created. */
function huffmanDepths(weights: readonly number[]): number[] {
  const count = weights.length;
  const order = Array.from(weights.keys()).sort((a, b) => weights[a]! - weights[b]! || a - b);
  const weight = order.map((leaf) => weights[leaf]!);
  const parent: number[] = [];
  let leaf = 0;
  let node = count;
  const lightest = (next: number) =>
    leaf < count && (node >= next || weight[leaf]! <= weight[node]!) ? leaf++ : node++;
  for (let next = count; next < 2 * count - 1; next++) {
    const [a, b] = [lightest(next), lightest(next)];
    weight[next] = weight[a]! + weight[b]!;
    parent[a] = next;
    parent[b] = next;
  }
  const depth: number[] = [];
  depth[2 * count - 2] = 0;
  for (let each = 2 * count - 3; each >= 0; each--) depth[each] = depth[parent[each]!]! + 1;
  const depths: number[] = [];
  for (const [k, leaf] of order.entries()) depths[leaf] = depth[k]!;
  return depths;
}

/** Returns the canonical code of given lengths. RFC 1951, 3.2.2. */
export function prefixCode(lengths: Uint8Array): PrefixCode {
  const codes = new Uint16Array(lengths.length);
  let code = 0;
  for (let length = 1; length <= 15; length++, code <<= 1)
    for (let symbol = 0; symbol < lengths.length; symbol++)
      if (lengths[symbol] === length) codes[symbol] = reversed(code++, length);
  return { lengths, codes };
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let k = 0; k < length; k++) result = (result << 1) | ((code >> k) & 1);
  return result;
}
