/**
 * The checker: decides whether a certificate proves its statement about canonical rows. Only this file must be trusted,
 * and for an `interior` the folder of this name, which computes with doubles and bounds on their rounding. So they
 * import nothing else, and nothing of the search. This file reads nothing but two texts, and computes with whole
 * numbers (BigInt) only, which do not round.
 *
 * Canonical rows are lines such as `+1 0:3 2:-25e-1 7:5p-3`: the label, then the nonzero features with rising numbers
 * from 0. A number is a whole number, a decimal (25e-1 is 25/10¹) or a binary fraction (5p-3 is 5/2³). One unit
 * 1/S = 1/(10^a·2^b) serves all numbers of the text: x is replaced by X = S·x, and each claim about x is checked for X.
 */
import type {
  CeilingProof,
  Certificate,
  Contradiction,
  ErrorsProof,
  InteriorProof,
  SeparatorProof,
} from './certificate.ts';
import { doublesOf } from './interior/doubles.ts';
import { interiorFault } from './interior/interior.ts';

/**
 * The result of {@link check}. `about`: the numbers that the statements are about. `proved`: the verified statements as
 * sentences. `reason`: the first claim that is false.
 */
export type CheckResult =
  | { readonly holds: true; readonly about: string; readonly proved: readonly string[] }
  | { readonly holds: false; readonly reason: string };

/**
 * Checks a certificate against its data.
 *
 * @param certificate parsed JSON; every member is checked, and others are refused.
 * @param rows canonical rows in ASCII.
 */
export async function check(certificate: unknown, rows: Uint8Array): Promise<CheckResult> {
  try {
    return await proofs(certificate as Certificate, rows);
  } catch (error) {
    // A missing member, or a value of another type, is a refusal too.
    const refused = error instanceof Refusal || error instanceof TypeError || error instanceof RangeError;
    if (refused) return { holds: false, reason: error.message };
    throw error;
  }
}

class Refusal extends Error {}

function demand(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Refusal(otherwise);
}

const numbersAre: Readonly<Record<string, string>> = {
  written: 'decimal numbers as they are written',
  doubles: 'doubles, which are binary fractions',
};

/** The members of each part of a certificate. */
const members = {
  certificate: 'format version verdict data radiusSquared separator ceiling contradictions interior errors digest',
  data: 'examples dimension classes numbers changes digest features',
  separator: 'weights bias marginSquared absorbedMarginSquared',
  ceiling: 'rows weights marginSquared',
  contradiction: 'rows weights total',
  interior: 'weights leastEigenvalue relations',
  relation: 'features coefficients',
  errors: 'atLeast atMost prices unit weights bias',
};

/** Demands an object with these members, in any order, and no others. */
function only(value: object, name: string, names: string): void {
  demand(typeof value === 'object' && value !== null, `expected an object as ${name}; got another value`);
  const own = Object.keys(value).sort().join(' ');
  demand(own === names.split(' ').sort().join(' '), `${name}: expected the members ${names}; got ${own}`);
}

async function proofs(certificate: Certificate, text: Uint8Array): Promise<CheckResult> {
  const { format, version, verdict, data, radiusSquared, separator, ceiling } = certificate;
  const { contradictions, interior, errors } = certificate;
  demand(format === 'halfspace-certificate' && version === 2, 'expected a certificate of version 2');
  only(certificate, 'certificate', members.certificate);
  only(data, 'data', members.data);
  const [own, ofRows] = [await digestOfCertificate(certificate), await digestOfBytes(text)];
  demand(own === certificate.digest, 'the certificate was changed after it was made: its own digest does not fit');
  demand(ofRows === data.digest, 'the data are not those the certificate is about: their digest differs');
  demand(Object.hasOwn(numbersAre, data.numbers), 'expected numbers as written or doubles; got other ones');
  const rows = new Rows(text, data.dimension);
  demand(data.examples === rows.count, `the certificate is about ${data.examples} rows; these are ${rows.count}`);
  const isMixed = Array.isArray(data.changes) && data.changes.some((each) => /^(dates|weighted)$/.test(each));
  const isMeant = data.numbers === 'written' ? isMixed || rows.places.p === 0 : rows.places.e === 0;
  demand(isMeant, 'the numbers of the rows are not those that the certificate says');
  demand((verdict === 'separable') === (separator !== null), 'a separator belongs to the verdict separable');
  const contradicted = contradictions.length > 0 || interior !== null;
  demand((verdict === 'not-separable') === contradicted, 'contradictions belong to not-separable');
  demand(contradictions.length === 0 || interior === null, 'expected contradictions or an interior; got both');
  demand(verdict === 'not-separable' || errors === null, 'errors belong to the verdict not-separable');
  demand(['separable', 'not-separable', 'unknown'].includes(verdict), 'expected a verdict; got another word');
  let largest = 0n;
  for (let i = 1; i <= rows.count; i++) {
    const square = rows.row(i).features.reduce((sum, [, x]) => sum + x * x, 0n);
    if (square > largest) largest = square;
  }
  demand(isFraction(radiusSquared, largest, rows.one ** 2n), 'radiusSquared is not the largest squared norm');
  const proved = [
    ...(separator === null ? [] : [checkSeparator(separator, rows)]),
    ...contradictions.map((each, k) => checkContradiction(each, rows, `contradiction ${k + 1}`)),
    ...(interior === null ? [] : [await checkInterior(interior, rows)]),
    ...(ceiling === null ? [] : [checkCeiling(ceiling, rows)]),
    ...(errors === null ? [] : [checkErrors(errors, contradictions, rows)]),
  ];
  return { holds: true, about: numbersAre[data.numbers]!, proved };
}

function checkSeparator(proof: SeparatorProof, rows: Rows): string {
  only(proof, 'separator', members.separator);
  const { wrong, least, norm, bias } = rows.judge(proof);
  demand(wrong.length === 0, `row ${wrong[0]} is not on its side of the separator`);
  demand(least !== null && norm > 0n, 'all weights of the separator are 0, or there are no rows');
  const unit = rows.one ** 2n;
  demand(isFraction(proof.marginSquared, least ** 2n, norm * unit), "the separator's marginSquared is not its margin");
  const absorbed = isFraction(proof.absorbedMarginSquared, least ** 2n, (norm + bias * bias) * unit);
  demand(absorbed, "the separator's absorbedMarginSquared is not its margin");
  return `every one of ${rows.count} rows is on its side of the line, with the stated margin`;
}

function checkContradiction(proof: Contradiction, rows: Rows, name: string): string {
  only(proof, name, members.contradiction);
  const { sums, total } = rows.weighted(proof, name);
  for (const [j, sum] of sums) demand(sum === 0n, `${name}: the weighted rows do not meet in feature ${j}`);
  demand(total === whole(proof.total), `${name}: total is not the sum of the weights`);
  return `no line is right on all of rows ${proof.rows.join(', ')}: the two classes meet in one point`;
}

async function checkInterior(proof: InteriorProof, rows: Rows): Promise<string> {
  only(proof, 'interior', members.interior);
  const { weights, leastEigenvalue, relations } = proof;
  const isWhole = weights.length === rows.count && weights.every((n) => Number.isSafeInteger(n) && n >= 0);
  demand(isWhole, 'interior: expected one whole number for each row');
  demand(typeof leastEigenvalue === 'number', 'interior: expected a number as leastEigenvalue');
  const dependent = new Set(relations.map(({ features }) => features[0]!));
  demand(dependent.size === relations.length, 'interior: a feature is first in two relations');
  const terms = new Map<number, { relation: number; coefficient: bigint }[]>();
  relations.forEach((each, relation) => {
    only(each, 'relation', members.relation);
    const { features, coefficients } = each;
    demand(
      features.length > 0 && features.length === coefficients.length && new Set(features).size === features.length,
      'interior: expected one coefficient for each feature of a relation',
    );
    features.forEach((j, k) => {
      demand(Number.isInteger(j) && j >= 0 && j <= rows.dimension, 'interior: expected numbers of features');
      const fits = k === 0 ? j < rows.dimension : !dependent.has(j);
      demand(fits, 'interior: a relation begins with the constant, or has two dependent features');
      const coefficient = whole(coefficients[k]!);
      demand(coefficient !== 0n, 'interior: a coefficient is 0');
      terms.set(j, [...(terms.get(j) ?? []), { relation, coefficient }]);
    });
  });
  for (let i = 1; i <= rows.count && relations.length > 0; i++) {
    if (weights[i - 1] === 0) continue;
    const sums = relations.map(() => 0n);
    for (const [j, x] of [[rows.dimension, rows.one] as const, ...rows.row(i).features])
      for (const { relation, coefficient } of terms.get(j) ?? []) sums[relation]! += coefficient * x;
    const related = sums.every((sum) => sum === 0n);
    demand(related, `interior: a relation of features does not hold in row ${i}`);
  }
  const fault = await interiorFault(proof, doublesOf(rows.lines, rows.dimension), dependent);
  demand(fault === null, `interior: ${fault}`);
  const count = weights.reduce((sum, n) => sum + (n > 0 ? 1 : 0), 0);
  return `no line is right on all of ${count} of the rows: the two classes meet in one point`;
}

function checkCeiling(proof: CeilingProof, rows: Rows): string {
  only(proof, 'ceiling', members.ceiling);
  const { sums, total } = rows.weighted(proof, 'ceiling');
  const norm = [...sums.values()].reduce((sum, each) => sum + each * each, 0n);
  demand(isFraction(proof.marginSquared, norm, (total * rows.one) ** 2n), 'ceiling: marginSquared is not its norm');
  return 'no line has a margin above the stated ceiling';
}

/** A line errs in every contradiction. If the prices of those that a row is in are at most 1, errors ≥ Σ prices. */
function checkErrors(proof: ErrorsProof, contradictions: readonly Contradiction[], rows: Rows): string {
  only(proof, 'errors', members.errors);
  const { atLeast, atMost } = proof;
  const [unit, prices] = [whole(proof.unit), proof.prices.map(whole)];
  demand(prices.length === contradictions.length, 'errors: expected one price for each contradiction');
  const ofRow = new Map<number, bigint>();
  contradictions.forEach((each, k) => {
    for (const row of each.rows) ofRow.set(row, (ofRow.get(row) ?? 0n) + prices[k]!);
  });
  const isPacking = prices.every((price) => price >= 0n) && [...ofRow.values()].every((sum) => sum <= unit);
  demand(isPacking && unit > 0n, 'errors: the prices of a row are above 1, or negative');
  demand(Number.isSafeInteger(atLeast), 'errors: expected whole numbers');
  // Without contradictions there is an interior, of price 1.
  const sum = prices.length === 0 ? unit : prices.reduce((a, b) => a + b, 0n);
  demand(BigInt(atLeast - 1) * unit < sum && sum <= BigInt(atLeast) * unit, 'atLeast is not the sum of the prices');
  const { wrong } = rows.judge(proof);
  demand(wrong.length === atMost, `atMost is ${atMost}, but that line is wrong on ${wrong.length} rows`);
  return `every line is wrong on ${atLeast} rows or more, and one is wrong on ${atMost}`;
}

/** Canonical rows as whole numbers X = S·x; rows count from 1. */
class Rows {
  readonly count: number;
  /** The most places after the point, decimal and binary. */
  readonly places = { e: 0, p: 0 };
  /** S = 10^e·2^p. */
  readonly one: bigint;
  readonly dimension: number;
  readonly lines: string[];
  readonly #known = new Map<string, bigint>();

  constructor(bytes: Uint8Array, dimension: number) {
    const text = new TextDecoder().decode(bytes);
    this.lines = text.split('\n');
    demand(this.lines.pop() === '', 'expected rows that end with a newline');
    for (const [, base, digits] of text.matchAll(/([ep])-(\d+)/g))
      if (Number(digits) > this.places[base as 'e' | 'p']) this.places[base as 'e' | 'p'] = Number(digits);
    demand(this.places.e <= 1100 && this.places.p <= 1100, 'expected at most 1,100 places after the point');
    this.one = 10n ** BigInt(this.places.e) * 2n ** BigInt(this.places.p);
    this.count = this.lines.length;
    this.dimension = dimension;
  }

  /** Returns the least S·y(w·x + b) of a line, the rows where that is not positive, and ‖w‖². */
  judge({ weights, bias }: { readonly weights: readonly string[]; readonly bias: string }) {
    const [w, b] = [weights.map(whole), whole(bias)];
    demand(w.length === this.dimension, 'a line has not one weight for each feature');
    let least: bigint | null = null;
    const wrong: number[] = [];
    for (let i = 1; i <= this.count; i++) {
      const { y, features } = this.row(i);
      const score: bigint = y * features.reduce((sum, [j, x]) => sum + w[j]! * x, b * this.one);
      if (score <= 0n) wrong.push(i);
      if (least === null || score < least) least = score;
    }
    return { least, wrong, bias: b, norm: w.reduce((sum, each) => sum + each * each, 0n) };
  }

  /** Returns Σ S·weightᵢyᵢxᵢ by feature, and Σ weightᵢ. Demands positive weights, rising rows, and Σ weightᵢyᵢ = 0. */
  weighted({ rows, weights }: { readonly rows: readonly number[]; readonly weights: readonly string[] }, name: string) {
    demand(rows.length > 0 && rows.length === weights.length, `${name}: expected one weight for each of its rows`);
    const sums = new Map<number, bigint>();
    let [total, signed] = [0n, 0n];
    rows.forEach((number, k) => {
      const rises = Number.isInteger(number) && number > (k === 0 ? 0 : rows[k - 1]!) && number <= this.count;
      demand(rises, `${name}: expected rising numbers of rows; got ${number}`);
      const weight = whole(weights[k]!);
      demand(weight > 0n, `${name}: a weight is not positive`);
      const { y, features } = this.row(number);
      total += weight;
      signed += y * weight;
      for (const [j, x] of features) sums.set(j, (sums.get(j) ?? 0n) + y * weight * x);
    });
    demand(signed === 0n, `${name}: the classes do not have equal weight`);
    return { sums, total };
  }

  /** Returns the label of a row, and its features with S times their numbers. */
  row(i: number): { readonly y: bigint; readonly features: readonly (readonly [j: number, x: bigint])[] } {
    const [label, ...cells] = this.lines[i - 1]!.split(' ');
    demand(label === '+1' || label === '-1', `row ${i}: expected the label +1 or -1`);
    let before = -1;
    const features = cells.map((cell) => {
      const [, digits, number] = /^(0|[1-9]\d*):(\S+)$/.exec(cell) ?? [];
      const j = Number(digits);
      demand(j > before && j < this.dimension, `row ${i}: expected rising features below ${this.dimension}`);
      before = j;
      return [j, this.#value(number!)] as const;
    });
    return { y: label === '+1' ? 1n : -1n, features };
  }

  /** Returns S times the number in a text. Numbers that occur often are read once. */
  #value(text: string): bigint {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const [, digits, base, places = '0'] = /^(-?[1-9]\d*)(?:([ep])-([1-9]\d*))?$/.exec(text) ?? [];
    demand(digits !== undefined, `expected a number such as 3, -25e-1 or 5p-3; got ${text}`);
    const value = (BigInt(digits) * this.one) / (base === 'e' ? 10n : 2n) ** BigInt(places);
    if (this.#known.size < 65_536) this.#known.set(text, value);
    return value;
  }
}

/** Returns the whole number of a string of digits. Each number has only one valid string. */
function whole(text: string): bigint {
  demand(typeof text === 'string' && /^(0|-?[1-9]\d*)$/.test(text), `expected a whole number; got ${text}`);
  return BigInt(text);
}

/** Tests if a text, such as `3/4` or `2`, is the number a/b in lowest terms, for a ≥ 0 and b > 0. */
function isFraction(text: string, a: bigint, b: bigint): boolean {
  const [numerator = '', denominator, more] = text.split('/');
  const [p, q] = [whole(numerator), denominator === undefined ? 1n : whole(denominator)];
  let [x, y] = [p, q];
  while (y !== 0n) [x, y] = [y, x % y];
  return more === undefined && x === 1n && (denominator === undefined || q > 1n) && p * b === q * a;
}

/** Returns the SHA-256 of a certificate's other members. It detects a changed or cut file; it is not a signature. */
export async function digestOfCertificate(certificate: Omit<Certificate, 'digest'>): Promise<string> {
  const { digest: _, ...body } = certificate as Certificate;
  return digestOfBytes(new TextEncoder().encode(JSON.stringify(body)));
}

/** Returns `sha256:` and the SHA-256 of bytes. */
export async function digestOfBytes(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
