/**
 * The checker: decides whether a certificate proves its statement about these examples. Only this file must be trusted.
 * So it imports nothing, shares no code with the search, and computes with whole numbers (BigInt) only, which do not
 * round.
 *
 * Every double is a whole number divided by a power of two. One power, 2^k, serves all values of the data. So x is
 * replaced by X = 2^k·x, and each claim about x is checked for X.
 */
import type { SparseBatch } from 'halfspace/rules';
import type { CeilingProof, Certificate, Contradiction, ErrorsProof, SeparatorProof } from './certificate.ts';

/**
 * The result of {@link check}. `proved`: the verified statements as sentences. `reason`: the first claim that is false.
 */
export type CheckResult =
  | { readonly holds: true; readonly proved: readonly string[] }
  | { readonly holds: false; readonly reason: string };

/**
 * Checks a certificate against its data.
 *
 * @param certificate parsed JSON; every member is checked.
 * @param examples labels −1 and +1; indices rise within each row; values are finite and not 0 (as `gather` returns
 * them).
 */
export async function check(certificate: unknown, examples: SparseBatch): Promise<CheckResult> {
  try {
    return { holds: true, proved: await proofs(certificate as Certificate, examples) };
  } catch (error) {
    // A missing member, or a value of another type, is a refusal too.
    const refused = error instanceof Refusal || error instanceof TypeError || error instanceof RangeError;
    if (refused) return { holds: false, reason: error.message };
    throw error;
  }
}

/**
 * Returns examples in memory in the form that {@link check} takes.
 *
 * @param rows n rows of the same length: one number for each feature of the certificate, in its order.
 * @param labels n labels: −1 and +1, or names of the classes.
 * @param classes the certificate's `data.classes`, for labels that are names.
 * @throws RangeError for any other input.
 */
export function examplesOf(
  rows: readonly ArrayLike<number>[],
  labels: ArrayLike<number | string>,
  classes: readonly [negative: string, positive: string] = ['-1', '1'],
): SparseBatch {
  const dimension = rows[0]?.length ?? 0;
  if (labels.length !== rows.length)
    throw new RangeError(`expected ${rows.length} labels, as many as rows; got ${labels.length}`);
  const cells: (readonly [j: number, value: number])[] = [];
  const offsets = new Uint32Array(rows.length + 1);
  rows.forEach((row, i) => {
    const { length } = row;
    if (length !== dimension) throw new RangeError(`expected ${dimension} numbers in row ${i + 1}; got ${length}`);
    for (let j = 0; j < dimension; j++) {
      const value = row[j]!;
      if (!Number.isFinite(value)) throw new RangeError(`expected finite numbers in row ${i + 1}; got ${value}`);
      if (value !== 0) cells.push([j, value]);
    }
    offsets[i + 1] = cells.length;
  });
  const signs = Float64Array.from(labels as ArrayLike<unknown>, (label, i) => {
    const place = classes.indexOf(String(label));
    if (place < 0) throw new RangeError(`expected ${classes.join(' or ')} as label ${i + 1}; got ${label}`);
    return place === 1 ? 1 : -1;
  });
  const indices = Uint32Array.from(cells, ([j]) => j);
  const values = Float64Array.from(cells, ([, value]) => value);
  return { kind: 'sparse', rows: rows.length, dimension, offsets, indices, values, labels: signs, importance: null };
}

class Refusal extends Error {}

function demand(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Refusal(otherwise);
}

async function proofs(certificate: Certificate, examples: SparseBatch): Promise<string[]> {
  demand(typeof certificate === 'object' && certificate !== null, 'expected a certificate; got another value');
  const { format, version, verdict, data, separator, ceiling, contradictions, errors } = certificate;
  demand(format === 'halfspace-certificate', 'expected a certificate; got other JSON');
  demand(version === 1, `expected a certificate of version 1; got version ${version}`);
  demand(
    (await digestOfCertificate(certificate)) === certificate.digest,
    'the certificate was changed after it was made: its own digest does not fit',
  );
  demand(
    data.examples === examples.rows && data.dimension === examples.dimension,
    `the certificate is about ${data.examples} examples of ${data.dimension} features; these are ${examples.rows} of ${examples.dimension}`,
  );
  demand(
    (await digestOfExamples(examples)) === data.digest,
    'the data are not those the certificate is about: their digest differs',
  );

  const numbers = new Numbers(examples);
  demand(
    isFraction(certificate.radiusSquared, numbers.largestSquare(), numbers.one ** 2n),
    'radiusSquared is not the largest squared norm',
  );
  demand((verdict === 'separable') === (separator !== null), 'a separator belongs to the verdict separable');
  demand((verdict === 'not-separable') === contradictions.length > 0, 'contradictions belong to not-separable');
  demand(verdict === 'not-separable' || errors === null, 'errors belong to the verdict not-separable');
  demand(['separable', 'not-separable', 'unknown'].includes(verdict), 'expected a verdict; got another word');

  const proved: string[] = [];
  if (separator !== null) proved.push(checkSeparator(separator, numbers));
  const used = new Set<number>();
  contradictions.forEach((each, k) => {
    proved.push(checkContradiction(each, numbers, `contradiction ${k + 1}`));
    for (const row of each.rows) demand(!used.has(row), `row ${row} is in two contradictions`);
    for (const row of each.rows) used.add(row);
  });
  if (ceiling !== null) proved.push(checkCeiling(ceiling, numbers));
  if (errors !== null) proved.push(checkErrors(errors, contradictions.length, numbers));
  return proved;
}

function checkSeparator(proof: SeparatorProof, numbers: Numbers): string {
  const weights = proof.weights.map(whole);
  const bias = whole(proof.bias);
  demand(weights.length === numbers.examples.dimension, 'the separator has not one weight for each feature');
  let least: bigint | null = null;
  for (let i = 0; i < numbers.examples.rows; i++) {
    const signed = numbers.signedScore(i, weights, bias);
    demand(signed > 0n, `row ${i + 1} is not on its side of the separator`);
    if (least === null || signed < least) least = signed;
  }
  demand(least !== null, 'there are no examples');
  const norm = weights.reduce((sum, w) => sum + w * w, 0n);
  demand(norm > 0n, 'all weights of the separator are 0');
  const square = least * least;
  const unit = numbers.one ** 2n;
  demand(isFraction(proof.marginSquared, square, norm * unit), "the separator's marginSquared is not its margin");
  demand(
    isFraction(proof.absorbedMarginSquared, square, (norm + bias * bias) * unit),
    "the separator's absorbedMarginSquared is not its margin",
  );
  return `every one of ${numbers.examples.rows} examples is on its side of the line, with the stated margin`;
}

function checkContradiction({ rows, weights, total }: Contradiction, numbers: Numbers, name: string): string {
  const parts = positive(rows, weights, numbers, name);
  const { features, constant } = numbers.signedSum(rows, parts);
  demand(constant === 0n, `${name}: the classes do not have equal weight`);
  for (const [j, sum] of features) demand(sum === 0n, `${name}: the weighted examples do not meet in feature ${j}`);
  demand(parts.reduce((sum, part) => sum + part, 0n) === whole(total), `${name}: total is not the sum of the weights`);
  return `no line is right on all of rows ${rows.join(', ')}: the two classes meet in one point`;
}

function checkCeiling({ rows, weights, marginSquared }: CeilingProof, numbers: Numbers): string {
  const parts = positive(rows, weights, numbers, 'ceiling');
  const { features, constant } = numbers.signedSum(rows, parts);
  demand(constant === 0n, 'ceiling: the classes do not have equal weight');
  const total = parts.reduce((sum, part) => sum + part, 0n);
  let norm = 0n;
  for (const sum of features.values()) norm += sum * sum;
  demand(isFraction(marginSquared, norm, (total * numbers.one) ** 2n), 'ceiling: marginSquared is not its norm');
  return 'no line has a margin above the stated ceiling';
}

function checkErrors({ atLeast, atMost, weights, bias }: ErrorsProof, disjoint: number, numbers: Numbers): string {
  demand(atLeast === disjoint, 'atLeast is not the number of disjoint contradictions');
  const w = weights.map(whole);
  demand(w.length === numbers.examples.dimension, 'errors: there is not one weight for each feature');
  let wrong = 0;
  for (let i = 0; i < numbers.examples.rows; i++) if (numbers.signedScore(i, w, whole(bias)) <= 0n) wrong++;
  demand(wrong === atMost, `atMost is ${atMost}, but that line is wrong on ${wrong} examples`);
  return `every line is wrong on ${atLeast} examples or more, and one is wrong on ${atMost}`;
}

/** Returns the weights of some rows. Demands positive whole numbers, and existing rows in rising order. */
function positive(rows: readonly number[], weights: readonly string[], numbers: Numbers, name: string): bigint[] {
  demand(rows.length > 0 && rows.length === weights.length, `${name}: expected one weight for each of its rows`);
  rows.forEach((row, k) => {
    const inOrder = Number.isInteger(row) && row > (k === 0 ? 0 : rows[k - 1]!) && row <= numbers.examples.rows;
    demand(inOrder, `${name}: expected rising numbers of rows; got ${row}`);
  });
  const parts = weights.map(whole);
  demand(
    parts.every((part) => part > 0n),
    `${name}: a weight is not positive`,
  );
  return parts;
}

/** The examples as whole numbers X = x·2^k, with a constant feature of 2^k. */
class Numbers {
  readonly examples: SparseBatch;
  readonly #k: number;
  /** 2^k. */
  readonly one: bigint;

  constructor(examples: SparseBatch) {
    this.examples = examples;
    let k = 0;
    for (const value of examples.values) if (!Number.isInteger(value * 2 ** k)) k = Math.max(k, places(value));
    this.#k = k;
    this.one = 1n << BigInt(k);
  }

  #value(at: number): bigint {
    const value = this.examples.values[at]!;
    const scaled = value * 2 ** this.#k;
    // Multiplying by a power of two does not round, unless the product or the power is too large for a double.
    if (Number.isFinite(scaled)) return BigInt(scaled);
    const { mantissa, exponent } = parts(value);
    const shift = BigInt(exponent + this.#k);
    return shift >= 0n ? mantissa << shift : mantissa >> -shift;
  }

  /** Returns 2^k·yᵢ(w·xᵢ + b). */
  signedScore(i: number, weights: readonly bigint[], bias: bigint): bigint {
    const { offsets, indices, labels } = this.examples;
    let score = bias * this.one;
    for (let at = offsets[i]!; at < offsets[i + 1]!; at++) score += weights[indices[at]!]! * this.#value(at);
    return labels[i]! > 0 ? score : -score;
  }

  /** Returns Σ weightsᵢyᵢ of the rows, and 2^k·Σ weightsᵢyᵢxᵢ by feature. */
  signedSum(rows: readonly number[], weights: readonly bigint[]): { features: Map<number, bigint>; constant: bigint } {
    const { offsets, indices, labels } = this.examples;
    const features = new Map<number, bigint>();
    let constant = 0n;
    rows.forEach((row, k) => {
      const weight = labels[row - 1]! > 0 ? weights[k]! : -weights[k]!;
      constant += weight;
      for (let at = offsets[row - 1]!; at < offsets[row]!; at++)
        features.set(indices[at]!, (features.get(indices[at]!) ?? 0n) + weight * this.#value(at));
    });
    return { features, constant };
  }

  /** Returns 4^k·max‖xᵢ‖². */
  largestSquare(): bigint {
    const { offsets, rows } = this.examples;
    let largest = 0n;
    for (let i = 0; i < rows; i++) {
      let square = 0n;
      for (let at = offsets[i]!; at < offsets[i + 1]!; at++) square += this.#value(at) ** 2n;
      if (square > largest) largest = square;
    }
    return largest;
  }
}

/** Returns a finite double as mantissa·2^exponent, two whole numbers, as IEEE 754 stores it. */
function parts(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const stored = Number((bits >> 52n) & 0x7ffn);
  const mantissa = (bits & 0xf_ffff_ffff_ffffn) | (stored === 0 ? 0n : 1n << 52n);
  return { mantissa: value < 0 ? -mantissa : mantissa, exponent: Math.max(stored, 1) - 1075 };
}

/** Returns the least k ≥ 0 for which value·2^k is whole. */
function places(value: number): number {
  let { mantissa, exponent } = parts(value);
  for (; mantissa % 2n === 0n && exponent < 0; exponent++) mantissa /= 2n;
  return Math.max(0, -exponent);
}

/** Returns the whole number of a string of digits. Each number has only one valid string. */
function whole(text: string): bigint {
  demand(typeof text === 'string' && /^(0|-?[1-9]\d*)$/.test(text), `expected a whole number; got ${text}`);
  return BigInt(text);
}

/** Tests if a text, such as `3/4` or `2`, is the number a/b, for b > 0. */
function isFraction(text: string, a: bigint, b: bigint): boolean {
  demand(typeof text === 'string', `expected a quotient of whole numbers; got ${text}`);
  const [numerator = '', denominator = '1', more] = text.split('/');
  return more === undefined && whole(numerator) * b === whole(denominator) * a && whole(denominator) > 0n;
}

/**
 * Returns the SHA-256 of the encoded examples, little-endian. For each example: its label and its number of nonzeros as
 * 32-bit whole numbers, then their indices as 32-bit whole numbers in rising order, then their values as doubles.
 */
export async function digestOfExamples({ rows, offsets, indices, values, labels }: SparseBatch): Promise<string> {
  const bytes = new Uint8Array(8 * rows + 12 * (offsets[rows]! - offsets[0]!));
  const view = new DataView(bytes.buffer);
  let end = 0;
  for (let i = 0; i < rows; i++) {
    const from = offsets[i]!;
    const to = offsets[i + 1]!;
    view.setInt32(end, labels[i]!, true);
    view.setUint32(end + 4, to - from, true);
    end += 8;
    for (let at = from; at < to; at++, end += 4) view.setUint32(end, indices[at]!, true);
    for (let at = from; at < to; at++, end += 8) view.setFloat64(end, values[at]!, true);
  }
  return sha256(bytes);
}

/** Returns the SHA-256 of a certificate's other members. It detects a changed or cut file; it is not a signature. */
export async function digestOfCertificate(certificate: Omit<Certificate, 'digest'>): Promise<string> {
  const { digest: _, ...body } = certificate as Certificate;
  return sha256(new TextEncoder().encode(JSON.stringify(body)));
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
