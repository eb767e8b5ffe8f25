import type { FeatureEncoding } from 'halfspace';
import { featureNamer } from 'halfspace/models';
import { printable } from 'halfspace/printable';
import type { SparseBatch } from 'halfspace/rules';
import {
  type Certificate,
  type Contradiction,
  type ErrorsProof,
  type InteriorProof,
  mostUpdates,
  type Prediction,
  rootAbove,
  rootBelow,
} from 'halfspace-certify';
import type { Input } from '../data/opened.ts';
import type { Meaning } from '../data/written-numbers.ts';
import { above, below, count, counted, section } from './format.ts';

/** The result of `certify`. */
interface Certified {
  readonly certificate: Certificate;
  readonly examples: SparseBatch;
  readonly features: FeatureEncoding;
  readonly input: Input;
  /** Path of the certificate file. */
  readonly path: string;
  readonly data: readonly string[];
  /** Returns the text of a row in the file, by number from 1; null if rows and lines may differ. */
  readonly raw: ((row: number) => string) | null;
  /** True if the older certificate stays in the file. */
  readonly kept: boolean;
  readonly interrupted: boolean;
  /** True if the search ended before its time was over, so that more time changes nothing. */
  readonly early: boolean;
  /** The numbers that were meant. */
  readonly meaning: Meaning;
  /** Time from the start of the process. */
  readonly seconds: number;
}

/**
 * Returns the object of `--json`. `margin` and `ceiling` are bounds on the largest margin γ*; `radius` is max‖x‖.
 * `bound` is the maximum number of updates of a perceptron from zero with the constant 1 absorbed: (radius² + 1) /
 * absorbedMargin². `contradicting` is the number of rows of an interior contradiction. Each is rounded to the
 * side on which it stays true.
 */
export function certificateJson({ certificate, input, path, kept, interrupted, seconds }: Certified): object {
  const { verdict, separator, ceiling, contradictions, errors, data, radiusSquared } = certificate;
  const bound = mostUpdates(certificate);
  return {
    separable: verdict === 'unknown' ? null : verdict === 'separable',
    margin: separator === null ? null : rootBelow(separator.marginSquared),
    ceiling: ceiling === null ? null : rootAbove(ceiling.marginSquared),
    absorbedMargin: separator === null ? null : rootBelow(separator.absorbedMarginSquared),
    radius: rootAbove(radiusSquared),
    bound: bound === null ? null : doubleAbove(bound),
    contradiction: contradictions[0]?.rows ?? null,
    contradicting: certificate.interior === null ? null : certificate.interior.weights.filter((n) => n > 0).length,
    errors: errors === null ? null : { atLeast: errors.atLeast, atMost: errors.atMost },
    predictions: certificate.predictions.map((each) => ({ class: classOf(each, certificate), ...each })),
    examples: data.examples,
    features: data.dimension,
    classes: data.classes,
    numbers: data.numbers,
    changes: data.changes,
    certificate: path,
    rejected: input.rejects.count,
    kept,
    interrupted,
    seconds: { total: seconds },
    notes: input.notes,
  };
}

/** The result of `certify` if the time is over before all rows are read: nothing can be proved about them. */
interface Unread {
  readonly data: readonly string[];
  /** The limit, and the time from the start of the process, in seconds. */
  readonly limit: number;
  readonly seconds: number;
}

/** Returns the object of `--json`, with the members of {@link certificateJson} that exist. */
export function unreadJson({ seconds }: Unread): object {
  return { separable: null, certificate: null, kept: false, interrupted: false, seconds: { total: seconds } };
}

/** Returns the text that `certify` prints. */
export function unreadText({ data, limit, seconds }: Unread): string {
  return [
    section('Verdict', [
      `unknown: ${data.join(' ')} was not read to its end within ${counted(limit, 'second')}; --seconds allows more time`,
    ]),
    section('Took', [`${seconds.toFixed(1)} s`]),
  ].join('');
}

/** Returns the text that `certify` prints. */
export function certificateText(found: Certified): string {
  const { certificate, input, path, data, kept, seconds } = found;
  const { verdict, data: about, contradictions, interior, errors } = certificate;
  const [first] = contradictions;
  return [
    section('Read', [`${input.name}: ${counted(about.examples, 'row')}, ${counted(about.dimension, 'feature')}`]),
    section('Numbers', numbersLines(certificate, found.meaning)),
    section('Verdict', [verdictLine(found)]),
    verdict === 'separable' ? section('Margin', marginLines(certificate)) : '',
    verdict === 'unknown' && certificate.ceiling !== null
      ? section('Margin', [`no line has a margin above ${above(rootAbove(certificate.ceiling.marginSquared), 10)}`])
      : '',
    first === undefined ? '' : section('Because', explanation(first, found)),
    interior === null ? '' : section('Because', meeting(interior, found)),
    errors === null ? '' : section('Errors', errorsLines(errors, about.examples)),
    certificate.predictions.length === 0 ? '' : section('Predicted', predictedLines(certificate)),
    section('Kept', [
      kept
        ? `the older certificate stays in ${path}`
        : `${path}; to verify it: halfspace check ${path} ${data.join(' ')}`,
    ]),
    section('Took', [`${seconds.toFixed(1)} s`]),
  ].join('');
}

/** Says which bound is proved for every line, and which one line was found. */
function errorsLines({ atLeast, atMost }: ErrorsProof, rows: number): string[] {
  return atLeast === atMost
    ? [`the best line has ${counted(atMost, 'error')} on these ${count(rows)} rows (proved)`]
    : [
        `every line has ${count(atLeast)} or more of these ${count(rows)} rows wrong (proved); the best one found has ${count(atMost)}`,
      ];
}

/** Returns the class that every line with fewest errors gives a row; null if that is not proved. */
function classOf({ row, atLeast }: Prediction, { data }: Certificate): string | null {
  return atLeast === 0 ? null : data.classes[row.startsWith('-') ? 1 : 0];
}

/**
 * Says how many rows have a proved class, and for each how many labels must be wrong before a line with fewest errors
 * calls it otherwise: t wrong labels change the errors of each line by at most t.
 */
function predictedLines(certificate: Certificate): string[] {
  const { predictions, errors } = certificate;
  const proved = predictions.filter(({ atLeast }) => atLeast > 0).length;
  const lines = predictions.slice(0, mostRows).map((each, k) => {
    const name = classOf(each, certificate);
    const labels = Math.ceil((each.atLeast - (errors?.atMost ?? 0)) / 2);
    return name === null
      ? `row ${k + 1}: open`
      : `row ${k + 1}: ${printable(name)}; at least ${counted(labels, 'label')} must be wrong before such a line calls it otherwise`;
  });
  const rest = predictions.length - lines.length;
  return [
    `every line with fewest errors gives ${count(proved)} of ${counted(predictions.length, 'row')} the same class (proved)`,
    ...lines,
    ...(rest > 0 ? [`and ${counted(rest, 'more row')}; --json has them`] : []),
  ];
}

/** Returns the features of a lifted space: at most eight, and the products. */
function spaceOf({ certificate: { data }, features }: Certified): string[] {
  const products = data.products!.map((pair) => pair.join('·'));
  const own = data.dimension - products.length;
  const names = Array.from({ length: Math.min(own, mostFeatures) }, (_, j) => featureNamer(features)(j));
  return [...names, ...(own > names.length ? ['…'] : []), ...products].map(printable);
}

function verdictLine(found: Certified): string {
  const { certificate, interrupted, early } = found;
  const { verdict, data } = certificate;
  const [negative, positive] = data.classes;
  const within = data.products === undefined ? '' : ` in ${spaceOf(found).join(', ')}`;
  if (verdict === 'separable')
    return `separable${within}: a line separates ${positive} from ${negative} without error (proved)`;
  if (verdict === 'not-separable')
    return `not separable${within}: no line separates ${positive} from ${negative} (proved)`;
  if (interrupted) return 'unknown: interrupted before separability was decided';
  return early
    ? 'unknown: the search found neither a separating line nor a contradiction; more time would not help'
    : 'unknown: neither a separating line nor a contradiction was found in time; --seconds allows more time';
}

/** Returns which numbers the verdict is about. */
export function numbersLines({ data: { numbers, changes, products } }: Certificate, because?: Meaning): string[] {
  const reason = because?.because ? `: ${because.because}` : '';
  const meant = numbers === 'written' ? 'decimals as written: 0.1 is 1/10' : `doubles, as binary fractions${reason}`;
  const words = changes.map((change) => changeWords[change]);
  const lifted = products === undefined ? [] : ['products of features are doubles too'];
  return [meant, ...(words.length === 0 ? [] : [words.join('; ')]), ...lifted];
}

const changeWords: Readonly<Record<Certificate['data']['changes'][number], string>> = {
  crossed: 'pairs of columns are features of 0 and 1',
  dates: 'dates are days since 1970',
  filled: 'missing numbers are replaced by the mean',
  intervals: 'numbers are cut into intervals',
  levels: 'words are features of 0 and 1',
  standardised: 'columns were standardised in floating point',
  weighted: 'words have weights in floating point',
};

function marginLines(certificate: Certificate): string[] {
  const { separator, ceiling, radiusSquared } = certificate;
  const margin = rootBelow(separator!.marginSquared);
  const absorbed = below(rootBelow(separator!.absorbedMarginSquared), 4);
  const updates = mostUpdates(certificate)!;
  return [
    bracketLine(margin, separator!.marginSquared, ceiling?.marginSquared ?? null),
    `radius R ${above(rootAbove(radiusSquared), 10)}; with the bias as a coordinate, this line's margin is γ′ ${absorbed},`,
    `so a perceptron makes at most ${updates < 1e9 ? count(Number(updates)) : above(doubleAbove(updates), 4)} updates, (R² + 1)/γ′²`,
  ];
}

/** @param square, ceiling of the margin, of its upper bound, exactly; null if there is none. */
function bracketLine(margin: number, square: string, ceiling: string | null): string {
  const least = below(margin, 10);
  if (ceiling === null) return `the largest margin is ${least} or more (proved)`;
  const top = rootAbove(ceiling);
  const most = above(top, 10);
  if (square === ceiling)
    return `the largest margin is known exactly: ${least === most ? least : `${least} to ${most}`} (proved)`;
  return `the largest margin is between ${least} and ${most} (proved), a gap of ${above((top - margin) / top, 2)}`;
}

/** Returns a double that is not below a whole number ≥ 0. */
function doubleAbove(value: bigint): number {
  const nearest = Number(value);
  return nearest === Infinity || BigInt(nearest) >= value ? nearest : nearest * (1 + Number.EPSILON);
}

/** Maximum numbers of listed rows, of listed features of a row, and of characters of a row as it is in the file. */
const mostRows = 12;
const mostFeatures = 8;
const mostCharacters = 120;

function explanation({ rows }: Contradiction, found: Certified): string[] {
  const lines = rows.slice(0, mostRows).map((row) => `row ${row}: ${shownRow(row, found)}`);
  if (rows.length > mostRows)
    lines.push(`and ${counted(rows.length - mostRows, 'more row')}; --json has their numbers`);
  const why =
    rows.length === 2
      ? `rows ${rows.join(' and ')} have the same features but different classes:`
      : `these ${rows.length} rows contradict each other: a weighted mean of one class equals a weighted mean of the other`;
  return [why, ...lines];
}

function meeting({ weights }: InteriorProof, { certificate: { data }, examples }: Certified): string[] {
  const rows = [0, 0];
  weights.forEach((weight, i) => {
    if (weight > 0) rows[examples.labels[i]! > 0 ? 1 : 0]!++;
  });
  return [
    `a weighted mean of ${counted(rows[0]!, 'row')} of ${data.classes[0]} equals one of ${counted(rows[1]!, 'row')} of ${data.classes[1]};`,
    'the certificate has weights, all positive, and proves that exact ones are near them',
  ];
}

/** Returns a row as it is in the file, without the middle of a long one, or its features. */
function shownRow(row: number, found: Certified): string {
  const text = found.raw?.(row);
  if (text === undefined) return encoded(row, found);
  if (text.length <= mostCharacters) return text;
  // A class can stand at either end.
  const [start, end] = [text.slice(0, (mostCharacters * 2) / 3), text.slice(-mostCharacters / 6)];
  return `${start} … ${count(text.length - start.length - end.length)} characters left out … ${end}`;
}

/** Returns the first nonzeros of an encoded row, and how many there are. */
function encoded(row: number, { examples, features, certificate }: Certified): string {
  const { offsets, indices, values, labels } = examples;
  const own = featureNamer(features);
  const { dimension, products = [] } = certificate.data;
  const name = (j: number) => products[j - dimension + products.length]?.join('·') ?? own(j);
  const [from, to] = [offsets[row - 1]!, offsets[row]!];
  const cells = Array.from(
    indices.subarray(from, Math.min(to, from + mostFeatures)),
    (j, k) => `${name(j)}=${values[from + k]}`,
  );
  const rest = to - from - cells.length;
  const more = rest > 0 ? ` … and ${counted(rest, 'more feature')}` : '';
  return `${certificate.data.classes[labels[row - 1]! > 0 ? 1 : 0]} ${cells.join(' ')}${more}`;
}
