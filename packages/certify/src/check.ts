/**
 * The checker: decides whether a certificate proves its statement about canonical rows. Only this file and
 * exact-rows.ts must be trusted, for `cones` the file of this name, and for an `interior` the folder of this name,
 * which computes with doubles and bounds on their rounding. digest.ts and members.ts can refuse a certificate, but
 * never make a statement. Nothing else is imported. The three files read nothing but two texts, and compute with whole
 * numbers (BigInt) only, which do not round: ExactRows replaces each x by X = S·x, and each claim about x is checked
 * for X.
 */
import type {
  CeilingProof,
  Certificate,
  Contradiction,
  ErrorsProof,
  InteriorProof,
  Prediction,
  SeparatorProof,
} from './certificate.ts';
import { errorsOfCones } from './cones.ts';
import { digestOfBytes, digestOfCertificate, parsedCertificate } from './digest.ts';
import { demand, ExactRows, whole } from './exact-rows.ts';
import { doublesOf } from './interior/doubles.ts';
import { interiorFault } from './interior/interior.ts';
import { checkedRelations } from './interior/relations.ts';
import { demandMembers } from './members.ts';

export { digestOfBytes, digestOfCertificate };

/**
 * The result of {@link check}. `about`: the numbers that the statements are about. `proved`: the verified statements as
 * sentences. `reason`: the first claim that is false.
 */
export type CheckResult =
  | { readonly holds: true; readonly about: string; readonly proved: readonly string[] }
  | { readonly holds: false; readonly reason: string };

/**
 * Checks a certificate against its data. Canonical rows have no names: the statements are about rows +1 and −1, and
 * whoever encodes the data must compare `data.classes` and `data.features` with them, as `halfspace check` does.
 *
 * @param certificate its text, the bytes of the text, or its parsed JSON, with members in any order. Every member is
 *   checked, and others are refused.
 * @param rows canonical rows in ASCII.
 */
export async function check(certificate: unknown, rows: Uint8Array): Promise<CheckResult> {
  try {
    return await proofs(parsedCertificate(certificate), rows);
  } catch (error) {
    // A missing member, or a value of another type, is a refusal too.
    if (error instanceof RangeError || error instanceof TypeError) return { holds: false, reason: error.message };
    throw error;
  }
}

const numbersAre = {
  written: 'decimal numbers as they are written',
  doubles: 'doubles, which are binary fractions',
} as const;

async function proofs(certificate: Certificate, text: Uint8Array): Promise<CheckResult> {
  const { format, version, verdict, data, radiusSquared, separator, ceiling } = certificate;
  const { contradictions, interior, errors, predictions } = certificate;
  demand(format === 'halfspace-certificate' && version === 2, 'expected a certificate of version 2');
  demandMembers(certificate);
  const [own, ofRows] = [await digestOfCertificate(certificate), await digestOfBytes(text)];
  demand(own === certificate.digest, 'the certificate was changed after it was made: its own digest does not fit');
  demand(ofRows === data.digest, 'the data are not those the certificate is about: their digest differs');
  const { numbers, changes } = data;
  demand(numbers === 'written' || numbers === 'doubles', 'expected numbers as written or doubles; got other ones');
  const rows = new ExactRows(text, data.dimension);
  demand(data.examples === rows.count, `the certificate is about ${data.examples} rows; these are ${rows.count}`);
  const isMixed = changes.some((each) => each === 'dates' || each === 'weighted');
  const asked = predictions.map(({ row }) => {
    demand(typeof row === 'string' && !row.includes('\n'), 'expected the text of one row as the row of a prediction');
    return new ExactRows(new TextEncoder().encode(`${row}\n`), data.dimension, rows);
  });
  const isMeant = [rows, ...asked].every(({ places }) =>
    numbers === 'written' ? isMixed || places.p === 0 : places.e === 0,
  );
  demand(isMeant, 'the numbers of the rows are not those that the certificate says');
  const contradicted = contradictions.length > 0 || interior !== null ? 'not-separable' : 'unknown';
  const stated = separator === null ? contradicted : 'separable';
  demand(verdict === stated, `the verdict of these proofs is ${stated}; got ${verdict}`);
  demand(contradictions.length === 0 || interior === null, 'expected contradictions or an interior; got both');
  demand(verdict === 'not-separable' || errors === null, 'errors belong to the verdict not-separable');
  const squares = rows.lines.map((_, i) => rows.row(i + 1).features.reduce((sum, [, x]) => sum + x * x, 0n));
  const largest = squares.reduce((most, each) => (each > most ? each : most), 0n);
  demand(radiusSquared === fraction(largest, rows.one ** 2n), 'radiusSquared is not the largest squared norm');
  const proved = [
    ...(separator === null ? [] : [checkSeparator(separator, rows)]),
    ...contradictions.map((each, k) => checkContradiction(each, rows, `contradiction ${k + 1}`)),
    ...(interior === null ? [] : [await checkInterior(interior, rows)]),
    ...(ceiling === null ? [] : [checkCeiling(ceiling, rows)]),
    ...(errors === null ? [] : [checkErrors(errors, contradictions, rows)]),
    ...predictions.map((each, k) => checkPrediction(each, asked[k]!, `prediction ${k + 1}`)),
  ];
  return { holds: true, about: numbersAre[numbers], proved };
}

function checkSeparator(proof: SeparatorProof, rows: ExactRows): string {
  const { wrong, least, norm, bias } = judge(proof, rows);
  demand(wrong.length === 0, `row ${wrong[0]} is not on its side of the separator`);
  demand(least !== null && norm > 0n, 'all weights of the separator are 0, or there are no rows');
  const unit = rows.one ** 2n;
  demand(proof.marginSquared === fraction(least ** 2n, norm * unit), "the separator's marginSquared is not its margin");
  const absorbed = fraction(least ** 2n, (norm + bias * bias) * unit);
  demand(proof.absorbedMarginSquared === absorbed, "the separator's absorbedMarginSquared is not its margin");
  return `every one of ${rows.count} rows is on its side of the line, with the stated margin`;
}

function checkContradiction(proof: Contradiction, rows: ExactRows, name: string): string {
  const { sums, total } = weighted(proof, rows, name);
  for (const [j, sum] of sums) demand(sum === 0n, `${name}: the weighted rows do not meet in feature ${j}`);
  demand(total === whole(proof.total), `${name}: total is not the sum of the weights`);
  return `no line is right on all of rows ${proof.rows.join(', ')}: the two classes meet in one point`;
}

async function checkInterior(proof: InteriorProof, rows: ExactRows): Promise<string> {
  const dependent = checkedRelations(proof, rows);
  const fault = await interiorFault(proof, doublesOf(rows.lines, rows.dimension), dependent);
  demand(fault === null, `interior: ${fault}`);
  const count = proof.weights.filter((n) => n > 0).length;
  return `no line is right on all of ${count} of the rows: the two classes meet in one point`;
}

function checkCeiling(proof: CeilingProof, rows: ExactRows): string {
  const { sums, total } = weighted(proof, rows, 'ceiling');
  const norm = [...sums.values()].reduce((sum, each) => sum + each * each, 0n);
  demand(proof.marginSquared === fraction(norm, (total * rows.one) ** 2n), 'ceiling: marginSquared is not its norm');
  return 'no line has a margin above the stated ceiling';
}

/** A line errs in every contradiction. If the prices of those that a row is in are at most 1, errors ≥ Σ prices. */
function checkErrors(proof: ErrorsProof, contradictions: readonly Contradiction[], rows: ExactRows): string {
  const { atLeast, atMost, cones } = proof;
  const [unit, prices] = [whole(proof.unit), proof.prices.map(whole)];
  const priced = cones === null ? contradictions : [];
  demand(prices.length === priced.length, 'errors: expected one price for each contradiction, or none with cones');
  const ofRow = new Map<number, bigint>();
  priced.forEach((each, k) => {
    for (const row of each.rows) ofRow.set(row, (ofRow.get(row) ?? 0n) + prices[k]!);
  });
  const isPacking = prices.every((price) => price >= 0n) && [...ofRow.values()].every((sum) => sum <= unit);
  demand(isPacking && unit > 0n, 'errors: the prices of a row are above 1, or negative');
  // Without contradictions there is an interior, of price 1.
  const sum = prices.length === 0 ? unit : prices.reduce((a, b) => a + b, 0n);
  const least = cones === null ? (sum + unit - 1n) / unit : errorsOfCones(cones, rows);
  demand(atLeast === Number(least), 'errors: atLeast is not what the prices or cones prove');
  const { wrong } = judge(proof, rows);
  demand(wrong.length === atMost, `atMost is ${atMost}, but that line is wrong on ${wrong.length} rows`);
  return `every line is wrong on ${atLeast} rows or more, and one is wrong on ${atMost}`;
}

/** @param rows those of the data, and the row of the prediction. */
function checkPrediction({ row, atLeast, contradictions, cones }: Prediction, rows: ExactRows, name: string): string {
  const { y } = rows.row(rows.count);
  const taken = new Set<number>();
  contradictions.forEach((each, k) => {
    checkContradiction(each, rows, `${name}: contradiction ${k + 1}`);
    for (const number of each.rows) {
      demand(!taken.has(number), `${name}: row ${number} is in two contradictions`);
      if (number < rows.count) taken.add(number);
    }
  });
  demand(cones === null || contradictions.length === 0, `${name}: expected contradictions or cones; got both`);
  const least = cones === null ? contradictions.length : errorsOfCones(cones, rows, rows.count);
  demand(atLeast === least, `${name}: atLeast is not what the contradictions or cones prove`);
  if (atLeast === 0) return `${name}: nothing is proved about the row (${row.slice(3)})`;
  return `every line that is wrong on fewer than ${atLeast} rows calls the row (${row.slice(3)}) ${y > 0n ? -1 : '+1'}`;
}

/** Returns the least S·y(w·x + b) of a line, the rows where that is not positive, and ‖w‖². */
function judge(line: { readonly weights: readonly string[]; readonly bias: string }, rows: ExactRows) {
  const [w, bias] = [line.weights.map(whole), whole(line.bias)];
  demand(w.length === rows.dimension, 'a line has not one weight for each feature');
  let least: bigint | null = null;
  const wrong: number[] = [];
  for (let i = 1; i <= rows.count; i++) {
    const { y, features } = rows.row(i);
    const score: bigint = y * features.reduce((sum, [j, x]) => sum + w[j]! * x, bias * rows.one);
    if (score <= 0n) wrong.push(i);
    if (least === null || score < least) least = score;
  }
  return { least, wrong, bias, norm: w.reduce((sum, each) => sum + each * each, 0n) };
}

/** Returns Σ S·weightᵢyᵢxᵢ by feature, and Σ weightᵢ. Demands positive weights, rising rows, and Σ weightᵢyᵢ = 0. */
function weighted({ rows: numbers, weights }: CeilingProof | Contradiction, rows: ExactRows, name: string) {
  demand(numbers.length > 0 && numbers.length === weights.length, `${name}: expected one weight for each of its rows`);
  const sums = new Map<number, bigint>();
  let [total, signed, before] = [0n, 0n, 0];
  numbers.forEach((number, k) => {
    const rises = Number.isInteger(number) && number > before && number <= rows.count;
    demand(rises, `${name}: expected rising numbers of rows; got ${number}`);
    before = number;
    const weight = whole(weights[k]!);
    demand(weight > 0n, `${name}: a weight is not positive`);
    const { y, features } = rows.row(number);
    total += weight;
    signed += y * weight;
    for (const [j, x] of features) sums.set(j, (sums.get(j) ?? 0n) + y * weight * x);
  });
  demand(signed === 0n, `${name}: the classes do not have equal weight`);
  return { sums, total };
}

/** Returns the only valid text of a/b, such as `3/4` or `2`: in lowest terms. a ≥ 0 and b > 0. */
function fraction(a: bigint, b: bigint): string {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return b === x ? `${a / x}` : `${a / x}/${b / x}`;
}
