import { type FeatureEncoding, featureNamer } from 'halfspace/internal';
import type { SparseBatch } from 'halfspace/rules';
import { type Certificate, type Contradiction, rootOf } from 'halfspace-certify';
import type { Input } from '../data/opened.ts';
import { count, counted, section } from './format.ts';

/** The result of `certify`. */
export interface Certified {
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
  /** Time from the start of the process. */
  readonly seconds: number;
}

/**
 * Returns the object of `--json`. `margin` and `ceiling` are bounds on the largest margin γ*; `radius` is max‖x‖.
 * `bound` is the maximum number of updates of a perceptron from zero with the constant 1 absorbed: (radius² + 1) /
 * absorbedMargin².
 */
export function certificateJson({ certificate, input, path, kept, interrupted, seconds }: Certified): object {
  const { verdict, separator, ceiling, contradictions, errors, data, radiusSquared } = certificate;
  return {
    separable: verdict === 'unknown' ? null : verdict === 'separable',
    margin: separator === null ? null : rootOf(separator.marginSquared),
    ceiling: ceiling === null ? null : rootOf(ceiling.marginSquared),
    absorbedMargin: separator === null ? null : rootOf(separator.absorbedMarginSquared),
    radius: rootOf(radiusSquared),
    bound: boundOf(certificate),
    contradiction: contradictions[0]?.rows ?? null,
    errors: errors === null ? null : { atLeast: errors.atLeast, atMost: errors.atMost },
    examples: data.examples,
    features: data.dimension,
    classes: data.classes,
    certificate: path,
    rejected: input.rejects.count,
    kept,
    interrupted,
    seconds: { total: seconds },
    notes: input.notes,
  };
}

function boundOf({ separator, radiusSquared }: Certificate): number | null {
  if (separator === null) return null;
  return (rootOf(radiusSquared) ** 2 + 1) / rootOf(separator.absorbedMarginSquared) ** 2;
}

/** Returns the text that `certify` prints. */
export function certificateText(found: Certified): string {
  const { certificate, input, path, data, kept, interrupted, seconds } = found;
  const { verdict, data: about, contradictions, errors } = certificate;
  const [first] = contradictions;
  return [
    section('Read', [`${input.name}: ${counted(about.examples, 'row')}, ${counted(about.dimension, 'feature')}`]),
    section('Verdict', [verdictLine(certificate, interrupted)]),
    verdict === 'separable' ? section('Margin', marginLines(certificate)) : '',
    verdict === 'unknown' && certificate.ceiling !== null
      ? section('Margin', [`no line has a margin above ${shown(rootOf(certificate.ceiling.marginSquared))}`])
      : '',
    first === undefined ? '' : section('Because', explanation(first, found)),
    errors === null
      ? ''
      : section('Errors', [
          `the best line has ${errors.atLeast === errors.atMost ? '' : `between ${count(errors.atLeast)} and `}${counted(errors.atMost, 'error')} on these ${count(about.examples)} rows`,
        ]),
    section('Kept', [
      kept
        ? `the older certificate stays in ${path}`
        : `${path}; to verify it: halfspace check ${path} ${data.join(' ')}`,
    ]),
    section('Took', [`${seconds.toFixed(1)} s`]),
  ].join('');
}

function verdictLine({ verdict, data }: Certificate, interrupted: boolean): string {
  const [negative, positive] = data.classes;
  if (verdict === 'separable') return `separable: a line separates ${positive} from ${negative} without error (proved)`;
  if (verdict === 'not-separable') return `not separable: no line separates ${positive} from ${negative} (proved)`;
  return interrupted
    ? 'unknown: interrupted before separability was decided'
    : 'unknown: neither a separating line nor a contradiction was found in time; --seconds allows more time';
}

function marginLines(certificate: Certificate): string[] {
  const { separator, ceiling, radiusSquared } = certificate;
  const margin = rootOf(separator!.marginSquared);
  const top = ceiling === null ? null : rootOf(ceiling.marginSquared);
  return [
    top === null
      ? `the largest margin is ${shown(margin)} or more (proved)`
      : `the largest margin is between ${shown(margin)} and ${shown(top)} (proved), a gap of ${((top - margin) / top).toExponential(1)}`,
    `radius ${shown(rootOf(radiusSquared))}; a perceptron makes at most ${boundOf(certificate)!.toExponential(3)} updates, (R² + 1)/γ²`,
  ];
}

function shown(value: number): string {
  return String(Number(value.toPrecision(10)));
}

/** Maximum numbers of listed rows, and of listed features of a row. */
const mostRows = 12;
const mostFeatures = 8;

function explanation({ rows }: Contradiction, found: Certified): string[] {
  const lines = rows.slice(0, mostRows).map((row) => `row ${row}: ${found.raw?.(row) ?? encoded(row, found)}`);
  if (rows.length > mostRows) lines.push(`and rows ${rows.slice(mostRows).join(', ')}`);
  const why =
    rows.length === 2
      ? `rows ${rows.join(' and ')} have the same features but different classes:`
      : `these ${rows.length} rows contradict each other: a weighted mean of one class equals a weighted mean of the other`;
  return [why, ...lines];
}

/** Returns the nonzeros of an encoded row. */
function encoded(row: number, { examples, features, certificate }: Certified): string {
  const { offsets, indices, values, labels } = examples;
  const name = featureNamer(features);
  const [from, to] = [offsets[row - 1]!, offsets[row]!];
  const cells = Array.from(indices.subarray(from, to), (j, k) => `${name(j)}=${values[from + k]}`);
  const listed = cells.slice(0, mostFeatures).join(' ') + (cells.length > mostFeatures ? ' …' : '');
  return `${certificate.data.classes[labels[row - 1]! > 0 ? 1 : 0]} ${listed}`;
}
