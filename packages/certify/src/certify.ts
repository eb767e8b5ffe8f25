import type { FeatureEncoding } from 'halfspace';
import { HalfspaceError } from 'halfspace';
import type { SparseBatch } from 'halfspace/rules';
import type {
  CeilingProof,
  Certificate,
  Contradiction,
  ErrorsProof,
  InteriorProof,
  Prediction,
  SeparatorProof,
} from './certificate.ts';
import { changesOf, statedFeatures } from './changes.ts';
import { type CertifyProgress, type Clock, clockUntil, within } from './clock.ts';
import { digestOfBytes, digestOfCertificate } from './digest.ts';
import { ceilingOf } from './exact/ceiling.ts';
import { oppositePairs } from './exact/contradiction.ts';
import { areFew, decideFewRows } from './exact/few-rows.ts';
import { nearestHulls } from './exact/nearest-hulls.ts';
import { separatorOf, WholeExamples, wholeWeights } from './exact/separator.ts';
import type { ExactBatch } from './exact/values.ts';
import { fraction, isBelow, rootOf } from './exact/whole.ts';
import type { FeaturePair } from './products.ts';
import { canonicalPieces, joined } from './rows.ts';
import { Descent, descend } from './search/descent.ts';
import { fewestErrors } from './search/fewest-errors.ts';
import { Frame } from './search/frame.ts';
import { loadHighs } from './search/hull-programme.ts';
import { searchInterior } from './search/interior-contradiction.ts';
import { mostFeatures, searchLarge } from './search/large.ts';
import { LineSearch } from './search/line-search.ts';
import { nearestPoints } from './search/nearest-points.ts';
import { learn } from './search/perceptron.ts';
import { innerScores, positive } from './search/pick.ts';
import { provePredictions } from './search/predictions.ts';
import { type Widest, widestLine } from './search/widest.ts';

export interface CertifyOptions {
  /** Names of the negative and the positive class. */
  readonly classes: readonly [negative: string, positive: string];
  /** The encoding, kept as {@link statedFeatures}, so that a checker can read the data alike. Default: none. */
  readonly features?: FeatureEncoding | undefined;
  /** The pairs of {@link withProducts}, kept in the certificate. Default: none. */
  readonly products?: readonly FeaturePair[] | undefined;
  /** If no line separates the examples, also bound the fewest errors of any line. Default false. */
  readonly errors?: boolean | undefined;
  /**
   * Rows whose class is to be proved: how many errors every line has that calls them otherwise than the best line. Sets
   * `errors`, and leaves half of the time for it. Their labels are not looked at.
   */
  readonly predict?: SparseBatch | undefined;
  /** Time limit in seconds; the search then ends with what is proved. Default 60. */
  readonly seconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: CertifyProgress) => void) | undefined;
}

/**
 * Proves in exact arithmetic that a line separates the examples, or that no line does.
 *
 * A perceptron searches for a separator first; then a linear programme searches for a separator or a contradiction.
 * Their results in floating point are made exact and verified. The verdict is `unknown`, with the lowest ceiling found
 * for the margin, if time runs out, if the search is aborted, or if the data are beyond the solvers.
 *
 * @throws HalfspaceError `interrupted` if the limit, or a second after an abort, is over before all values are read;
 * `label-classes`.
 * @param examples both labels −1 and +1 occur; indices rise within each row; values are finite and not 0 (see
 * `gather`). Their doubles are meant, or with `decimal` the decimals that they stand for.
 */
export async function certify(examples: ExactBatch, options: CertifyOptions): Promise<Certificate> {
  const { classes, features = null, products, predict, seconds = 60 } = options;
  if (predict !== undefined && predict.dimension > examples.dimension)
    throw new RangeError(`expected rows to predict of ${examples.dimension} features; got ${predict.dimension}`);
  const labels = examples.labels.subarray(0, examples.rows);
  if (!labels.includes(1) || !labels.includes(-1))
    throw new HalfspaceError('label-classes', 'expected examples labelled -1 and 1, both; got others');
  const began = performance.now();
  const pieces: Uint8Array[] = [];
  const end = began + 1000 * seconds;
  const ending = clockUntil(end, { ...options, grace });
  for (const piece of canonicalPieces(examples)) {
    pieces.push(piece);
    if (!(await ending.breathe()))
      throw new HalfspaceError('interrupted', 'expected time to read all values, which a certificate names; got less');
  }
  const digest = await digestOfBytes(joined(pieces));
  pieces.length = 0;
  const digested = performance.now();
  const whole = new WholeExamples(examples);
  const largest = whole.largestSquare();
  // Time to prove what is found last: a few times as long as the work on all values so far.
  const reserve = Math.min((1000 * seconds) / 4, 3 * (performance.now() - digested));
  const clock = clockUntil(end - reserve, options);
  const found = await search(
    whole,
    { ...options, errors: options.errors === true || predict !== undefined },
    predict === undefined ? clock : within(clock.left() / 2, clock),
    ending,
  );
  const line = found.separator ?? found.errors;
  const best = line && { weights: line.weights.map(BigInt), bias: BigInt(line.bias) };
  const predictions: Prediction[] = predict === undefined ? [] : await provePredictions(examples, predict, best, clock);
  const body: Omit<Certificate, 'digest'> = {
    format: 'halfspace-certificate',
    version: 2,
    verdict: verdictOf(found),
    data: {
      examples: examples.rows,
      dimension: examples.dimension,
      classes,
      numbers: examples.decimal === undefined ? 'doubles' : 'written',
      changes: changesOf(features),
      digest,
      features: features && statedFeatures(features),
      products,
    },
    radiusSquared: fraction(largest, whole.one ** 2n),
    separator: found.separator,
    ceiling: found.ceiling,
    contradictions: found.contradictions,
    interior: found.interior,
    errors: found.errors,
    predictions,
  };
  // As a reader of the file gets it: JSON leaves out undefined members.
  const plain = JSON.parse(JSON.stringify(body)) as typeof body;
  return { ...plain, digest: await digestOfCertificate(plain) };
}

/** Seconds after an abort in which the proof of what is found last may end. */
const grace = 1;

interface Found {
  readonly separator: SeparatorProof | null;
  readonly ceiling: CeilingProof | null;
  readonly contradictions: readonly Contradiction[];
  readonly interior: InteriorProof | null;
  readonly errors: ErrorsProof | null;
}

function verdictOf({ separator, contradictions, interior }: Found): Certificate['verdict'] {
  if (separator !== null) return 'separable';
  return contradictions.length > 0 || interior !== null ? 'not-separable' : 'unknown';
}

/** @param ending has the time for proofs of what is found last. */
async function search(whole: WholeExamples, options: CertifyOptions, clock: Clock, ending: Clock): Promise<Found> {
  const { examples } = whole;
  const frame = new Frame(examples);
  const pairs = oppositePairs(examples);
  if (pairs.length > 0) return contradicted(pairs.slice(0, 1), pairs);

  const isLarge = frame.used > mostFeatures;
  const run = await learn(frame, clock, isLarge ? 0 : undefined);
  let separator: SeparatorProof | null = null;
  let start = { u: run.u, bias: run.bias };
  if (run.separated) separator = proved(run.u);
  const ceilings = [await ceilingOf(examples, positive(run.mistakes), ending)];
  let interest: ArrayLike<number> = run.mistakes;
  if (separator === null && frame.used >= leastInterior && examples.rows > frame.used) {
    const { interior, line, lambda } = await searchInterior(whole, frame.factors, clock);
    if (interior !== null) return contradicted([], [], interior);
    ceilings.push(await ceilingOf(examples, lambda, ending));
    if (lambda.size > 0) interest = Float64Array.from(run.mistakes, (_, i) => lambda.get(i) ?? 0);
    if (line !== null) separator = proved(line.w.map((w, j) => w / frame.factors[j]!));
  }
  let descent: Descent | null = null;
  if (separator === null && clock.left() > 0) {
    // Where the classes nearly touch, the programme may find no end; few rows are then decided without it.
    const patience = areFew(examples) ? within(clock.left() / 4, clock) : clock;
    const searched = isLarge
      ? await searchLarge(frame, proved, patience)
      : await LineSearch.once(frame, whole, interest, patience);
    if (searched.contradiction !== null) return contradicted([searched.contradiction], []);
    separator = searched.separator;
    if ('descent' in searched) {
      descent = searched.descent;
      ceilings.push(await ceilingOf(examples, searched.lambda, ending));
    } else if (searched.line !== null) start = searched.line;
  }
  if (separator === null && areFew(examples) && clock.left() > 0) {
    const decided = await decideFewRows(whole, clock);
    if (decided.contradiction !== null) return contradicted([decided.contradiction], []);
    separator = decided.separator;
  }
  if (separator !== null && clock.left() > 0) {
    clock.tell('widening', 'looking for the widest margin');
    if (frame.used <= mostProgramme) {
      const widest = await widestLine(await loadHighs(), frame, start, clock);
      if (widest !== null) await take(widest);
    } else if (examples.rows > mostNearest) {
      await take(await descend(descent ?? new Descent(frame), Math.min(8, clock.left() / 5), clock));
    }
    // If columns differ much in size, the programme runs out of digits; a search in the data's own units does not.
    const affordable = frame.used <= mostProgramme || examples.rows <= mostNearest;
    if (affordable && clock.left() > 0 && !isNarrow(separator, lowestOf(ceilings)))
      await take(await nearestPoints(frame, 0.6 * clock.left(), clock));
    if (examples.values.length <= mostExact && clock.left() > 0) await close(lowestOf(ceilings));
  }
  return { separator, ceiling: lowestOf(ceilings), contradictions: [], interior: null, errors: null };

  async function take(widest: Widest): Promise<void> {
    const wider = proved(widest.u);
    if (wider !== null && isBelow(separator!.marginSquared, wider.marginSquared)) separator = wider;
    ceilings.push(await ceilingOf(examples, widest.lambda, ending));
  }

  /** Closes the bounds in whole numbers, if doubles could not or if the numbers stay short. */
  async function close(ceiling: CeilingProof | null): Promise<void> {
    clock.tell('proving', 'closing the bounds of the widest margin');
    const support = (ceiling?.rows ?? []).map((row) => row - 1);
    const closed = await nearestHulls(whole, support, within(Math.min(10, clock.left() / 2), clock));
    const isShort = closed.separator?.weights.every((weight) => weight.length <= mostDigits) === true;
    if (isNarrow(separator!, ceiling) && !isShort) return;
    ceilings.push(closed.ceiling);
    if (closed.separator !== null && !isBelow(closed.separator.marginSquared, separator!.marginSquared))
      separator = closed.separator;
  }

  function proved(u: Float64Array): SeparatorProof | null {
    clock.tell('proving', 'verifying a separator');
    for (const digits of examples.values.length < 1e6 ? [16, 28, 52] : [52]) {
      const weights = wholeWeights(frame.factors, u, digits);
      const proof = weights === null ? null : separatorOf(whole, weights);
      if (proof !== null && (digits === 52 || isTight(proof, frame, u))) return proof;
    }
    return null;
  }

  async function contradicted(
    first: readonly Contradiction[],
    known: readonly Contradiction[],
    interior: InteriorProof | null = null,
  ): Promise<Found> {
    const more =
      options.errors === true ? await fewestErrors(frame, whole, known.length > 0 ? known : first, clock) : null;
    const contradictions = more?.contradictions ?? first;
    return {
      separator: null,
      ceiling: null,
      contradictions,
      interior: contradictions.length > 0 ? null : interior,
      errors: more?.errors ?? null,
    };
  }
}

/** From this number of features on, a contradiction of all examples is searched before one of few examples. */
const leastInterior = 100;

/** Bounds are searched once more if the square of the lower one is a smaller share of the square of the upper one. */
const narrowEnough = '4999999/5000000';

function isNarrow(separator: SeparatorProof, ceiling: CeilingProof | null): boolean {
  return ceiling !== null && !isBelow(separator.marginSquared, ceiling.marginSquared, narrowEnough);
}

function lowestOf(ceilings: readonly (CeilingProof | null)[]): CeilingProof | null {
  return ceilings
    .filter((each) => each !== null)
    .reduce<CeilingProof | null>((a, b) => (a === null || isBelow(b.marginSquared, a.marginSquared) ? b : a), null);
}

/** Tests if rounded weights keep the margin of the line they were rounded from, to nine digits. */
function isTight({ marginSquared }: SeparatorProof, frame: Frame, u: Float64Array): boolean {
  const { lowest, highest } = innerScores(
    frame.examples,
    (i) => frame.examples.labels[i]! * frame.signedScore(i, u, 0),
  );
  const norm = Math.sqrt(u.reduce((sum, each, j) => sum + (each * frame.factors[j]!) ** 2, 0));
  return rootOf(marginSquared) >= ((lowest - highest) / 2 / norm) * (1 - 1e-9);
}

/** Maximum number of features for a quadratic programme. */
const mostProgramme = 1500;

/** Maximum number of examples for the search of the nearest points, with any number of features. */
const mostNearest = 3000;

/** Maximum number of values for the exact search of the nearest points. */
const mostExact = 100_000;

/** Exact weights with more digits are only kept where rounded ones leave the bounds apart. */
const mostDigits = 40;

/** Returns the text of a certificate file: JSON with one member per line. */
export function encodeCertificate(certificate: Certificate): string {
  const lines = Object.entries(certificate).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}
