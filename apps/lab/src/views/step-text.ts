import { activationGain, leadTime } from 'halfspace/margins';
import type { Algorithm } from '../algorithm/algorithm.ts';
import { answersByMean, perceptronSteps, updateCondition, variantOf } from '../algorithm/variant.ts';
import { type Examples, shownAt, vectorAt } from '../engine/examples.ts';
import { classOf, countUpTo, type Line, type Recording, scoreOf, squaredNorm } from '../engine/recording.ts';
import { countText } from '../picture/numbers.ts';
import { amountText } from '../picture/shares.ts';
import type { Scene } from './view.ts';

/** A step in words and numbers, one line for each member; null: no line. */
interface StepText {
  /** The example: `Example 5: y = +1` */
  readonly example: string;
  /** `y·(w·x + b) = −1 · (0.5·2 + 1·3 + 0.5) = −4.5` */
  readonly score: string | null;
  /** The decision: `≤ 0: an update` */
  readonly decision: string;
  /** `w ← w + y·x = (0.5, 1) − (2, 3) = (−1.5, −2)` */
  readonly update: string | null;
  /** The growth of y·a: enough to correct the example, or not. */
  readonly gain: string | null;
  /** Maximum number of updates in a row that the example can make. */
  readonly lead: string | null;
  /** The reason why numbers are missing. */
  readonly note: string | null;
}

/** The symbols of a source. */
interface Names {
  readonly weights: string;
  readonly bias: string;
  readonly score: string;
}

function namesOf({ as, rule }: Algorithm): Names {
  if (as === 'blog') return { weights: 'θ', bias: 'θ₀', score: 'θ·x + θ₀' };
  if (as !== null && as !== 'slides') return { weights: 'w', bias: 'w₀', score: 'w·x' };
  if (rule === 'arow') return { weights: 'μ', bias: 'μ₀', score: 'μ·x' };
  return { weights: 'w', bias: 'b', score: 'w·x + b' };
}

/** Returns the text of the scene's step; null at the start. */
export function stepText(scene: Scene): StepText | null {
  const { algorithm, examples, recording, moment } = scene;
  if (moment.step === 0) return null;
  const silent = { score: null, update: null, gain: null, lead: null, note: null };
  if (moment.row < 0) {
    const { examples: more, updates } = recording.skipped ?? { examples: 0, updates: 0 };
    return {
      ...silent,
      example: 'The end of the run',
      decision: `${countText(more)} more examples, ${countText(updates)} updates`,
      note: 'A run of this length is not recorded to its end.',
    };
  }
  const label = examples.labels[moment.row]!;
  const named = scene.dataset.kind === 'table' ? ` (${examples.classes[label > 0 ? 1 : 0]})` : '';
  const example = `Example ${countText(moment.row + 1)}: y = ${label > 0 ? '+1' : '−1'}${named}`;
  const decision = decisionOf(algorithm, moment.updated);
  const position = shownAt(examples, moment.row);
  const note = noteOf(scene, position);
  if (note !== null) return { ...silent, example, decision, note };
  const x = vectorAt(examples, position);
  const names = namesOf(algorithm);
  const before = label * scoreOf(moment.before!, x, recording);
  const after = label * scoreOf(moment.present!, x, recording);
  const score = names.score.includes('+') ? `(${names.score})` : names.score;
  return {
    ...silent,
    example,
    score: `y·${score} = ${signed(label)} · (${termsOf(moment.before!, x, recording)}) ${equals(before)}`,
    decision,
    update: moment.updated ? updateOf(scene, names, x, { label, before, after }) : null,
    gain: moment.updated ? gainOf(algorithm, recording, x, { before, after, label }) : null,
    lead: leadOf(algorithm, recording, x, { before, label }),
  };
}

/** Returns the reason why a step's numbers cannot be written out; null: they can. */
function noteOf({ algorithm, recording, moment }: Scene, position: number): string | null {
  if (moment.before === null || moment.present === null)
    return 'This rule keeps the examples it was wrong on, not weights, so there are no weights to show.';
  if (position < 0) return 'This example is not drawn, so its numbers are not available here.';
  if (!recording.complete) return 'A run of this length does not keep all weights, so the numbers are missing.';
  if (algorithm.rule === 'sgd' && recording.answer === null && answersByMean(algorithm))
    return 'This run keeps only the mean of the weights.';
  return null;
}

function decisionOf(algorithm: Algorithm, updated: boolean): string {
  const { as, rule } = algorithm;
  if (as === 'lecture-9-algorithm-2')
    return updated ? 'sgn(w·x) ≠ y: half the difference is ±1' : 'sgn(w·x) = y: the difference is 0, nothing changes';
  if (rule === 'sgd') return updated ? 'the loss has a slope here: one step down' : 'the loss is flat here: no step';
  const limit = updateCondition(algorithm);
  if (updated) return `${limit}: an update`;
  return `not ${limit}: nothing changes`;
}

/**
 * Writes w·x + b term by term: all terms of few features, the largest terms of many. An absorbed bias is component 0.
 */
function termsOf({ weights, bias }: Line, x: Float64Array, { divisor, biasConstant, absorbed }: Recording): string {
  const few = weights.length <= mostTerms;
  const terms: { readonly text: string; readonly size: number }[] = [];
  for (let j = 0; j < weights.length; j++) {
    const [w, part] = [weights[j]!, x[j]! / divisor];
    if (few || (w !== 0 && part !== 0))
      terms.push({ text: `${numberText(w)}·${bracketed(part)}`, size: Math.abs(w * part) });
  }
  const shown = few || terms.length <= 3 ? terms : [...terms].sort((a, b) => b.size - a.size).slice(0, 3);
  const features = shown.map(({ text }) => text);
  const own =
    biasConstant === 0
      ? []
      : [absorbed || biasConstant !== 1 ? `${numberText(bias)}·${numberText(biasConstant)}` : numberText(bias)];
  const sum = summed(absorbed ? [...own, ...features] : [...features, ...own]);
  return shown.length < terms.length ? `${sum} + … ${countText(terms.length - shown.length)} more` : sum;
}

/**
 * Writes an update: `w ← w + y·x = (0, 1) − (2, 3) = (−2, −2), b ← b + y = 0 − 1 = −1`. Of rules other than the
 * perceptron it writes only the result.
 */
function updateOf(
  scene: Scene,
  { weights: w, bias: b }: Names,
  x: Float64Array,
  { label, before: was, after }: Scores,
): string {
  const { algorithm, recording, moment } = scene;
  const { absorbed, biasConstant, divisor } = recording;
  const [before, present] = [moment.before!, moment.present!];
  const parts = x.map((value) => value / divisor);
  const vector = (own: number, of: Float64Array) => {
    const all = absorbed ? [own, ...of.subarray(0, mostTerms)] : [...of.subarray(0, mostTerms)];
    return `(${all.map(numberText).join(', ')}${of.length > mostTerms ? ', …' : ''})`;
  };
  const sign = label > 0 ? '+' : '−';
  const [from, to] = [vector(before.bias, before.weights), vector(present.bias, present.weights)];
  if (!perceptronSteps.includes(algorithm.rule)) {
    const came = `${to}, ${b} ← ${numberText(present.bias)}`;
    if (algorithm.rule !== 'passive-aggressive') return `${w} ← ${came}`;
    const tau = (after - was) / activationGain(squaredNorm(x, recording), biasConstant);
    return `τ = ${numberText(tau)}, ${w} ← ${w} + τ·y·x = ${came}`;
  }
  const moved = `${w} ← ${w} + y·x = ${from} ${sign} ${vector(biasConstant, parts)} = ${to}`;
  if (absorbed || biasConstant === 0) return moved;
  const constant = biasConstant === 1 ? '' : `·${numberText(biasConstant)}`;
  return `${moved}, ${b} ← ${b} + y${constant} = ${numberText(before.bias)} ${sign} ${numberText(biasConstant)} = ${numberText(present.bias)}`;
}

/** y·a before and after an update, and the example's label. */
interface Scores {
  readonly before: number;
  readonly after: number;
  readonly label: number;
}

function gainOf(algorithm: Algorithm, recording: Recording, x: Float64Array, { before, after, label }: Scores): string {
  const right = classOf(label * after, recording.tie) === label;
  const end = `to ${numberText(after)}: ${right ? 'right now' : 'still wrong'}`;
  if (!perceptronSteps.includes(algorithm.rule)) return `y·a rose by ${numberText(after - before)} ${end}`;
  const { biasConstant } = recording;
  return `y·a rose by ${normText(recording)} = ${numberText(activationGain(squaredNorm(x, recording), biasConstant))} ${end}`;
}

/** Writes ‖x‖² with the constant, which is a part of x where the bias is absorbed. */
function normText({ absorbed, biasConstant }: Recording): string {
  return absorbed || biasConstant === 0 ? '‖x‖²' : `‖x‖² + ${biasConstant === 1 ? '1' : numberText(biasConstant ** 2)}`;
}

/** Writes the maximum number of updates in a row if the example were shown again and again. */
function leadOf(
  algorithm: Algorithm,
  recording: Recording,
  x: Float64Array,
  { before, label }: { readonly before: number; readonly label: number },
): string | null {
  if (!perceptronSteps.includes(algorithm.rule)) return null;
  const most = updatesInARow(
    algorithm,
    before,
    activationGain(squaredNorm(x, recording), recording.biasConstant),
    label,
  );
  if (most === 0) return null;
  if (most === Infinity) return 'x = 0: no update can make it right';
  const rest = algorithm.rule === 'margin' ? '(τ − y·a)' : '−y·a';
  const norm = normText(recording);
  const quotient = `${rest} / ${norm.includes('+') ? `(${norm})` : norm}`;
  const bound = rightAtZero(algorithm, label) ? `⌈${quotient}⌉` : `⌊${quotient}⌋ + 1`;
  return `If only this example is shown, it makes at most ${amountText(most, 'update')} in a row: ${bound}`;
}

/** Tests if a score of 0 makes no update: with FODA's strict condition, and for positive examples in algorithm 2. */
function rightAtZero(algorithm: Algorithm, label: number): boolean {
  if (algorithm.rule === 'margin') return false;
  const { updateWhen } = variantOf(algorithm);
  return updateWhen === 'below-zero' || (updateWhen === 'sign-differs' && label > 0);
}

/**
 * Returns the number of updates in a row of an example that is shown alone, from y·a before the first of them.
 * @returns a whole number, or ∞.
 */
export function updatesInARow(algorithm: Algorithm, signedScore: number, gain: number, label: number): number {
  if (algorithm.rule === 'margin') return leadTime(signedScore - Number(algorithm.options.margin ?? 1), gain);
  if (!rightAtZero(algorithm, label)) return leadTime(signedScore, gain);
  if (signedScore >= 0) return 0;
  return gain === 0 ? Infinity : Math.ceil(-signedScore / gain);
}

/**
 * The drawn examples whose class an update changed, by their numbers in the data: `fixed` became right, `broken`
 * wrong.
 */
export interface ClassChanges {
  readonly fixed: readonly number[];
  readonly broken: readonly number[];
}

/**
 * Returns the examples whose class the scene's update changed; null: it was no update, or its weights were not kept.
 */
export function classChanges({
  examples,
  recording,
  moment,
}: Pick<Scene, 'examples' | 'recording' | 'moment'>): ClassChanges | null {
  const { before, present, updated, step } = moment;
  if (!updated || before === null || present === null) return null;
  if (!recording.complete && countUpTo(recording.changes, step) === countUpTo(recording.changes, step - 1)) return null;
  const fixed: number[] = [];
  const broken: number[] = [];
  for (const row of examples.shown) {
    const [was, is] = [isRight(before, row, recording, examples), isRight(present, row, recording, examples)];
    if (was !== is) (is ? fixed : broken).push(row);
  }
  return { fixed, broken };
}

/** Tests if weights classify a drawn example correctly. */
export function isRight(line: Line, row: number, recording: Recording, examples: Examples): boolean {
  const score = scoreOf(line, vectorAt(examples, shownAt(examples, row)), recording);
  return classOf(score, recording.tie) === examples.labels[row];
}

const signed = (value: number) => (value > 0 ? '(+1)' : '(−1)');

/** Maximum number of written components of a vector; of more, the largest terms are written. */
const mostTerms = 4;
/** Number of significant digits. */
const digits = 4;

export function numberText(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text =
    size >= 1e6 || size < 1e-3
      ? value.toExponential(digits - 1).replace(/\.?0*e\+?/, 'e')
      : String(Number(value.toPrecision(digits)));
  return text.replaceAll('-', '−');
}

/** `= 2`, or `≈ 2.667` where digits were left out. */
function equals(value: number): string {
  return `${Number(value.toPrecision(digits)) === value ? '=' : '≈'} ${numberText(value)}`;
}

function bracketed(value: number): string {
  return value < 0 ? `(${numberText(value)})` : numberText(value);
}

/** Joins terms with +, or with − where a term begins with it. */
function summed(terms: readonly string[]): string {
  return terms.reduce((sum, term) => (term.startsWith('−') ? `${sum} − ${term.slice(1)}` : `${sum} + ${term}`));
}
