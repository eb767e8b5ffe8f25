import { activationGain, leadTime } from 'halfspace/margins';
import { lossOf } from 'halfspace/rules';
import type { Algorithm } from '../algorithm/algorithm.ts';
import type { Dataset } from '../data/dataset.ts';
import { type Examples, shownAt, vectorAt } from '../engine/examples.ts';
import {
  countUpTo,
  type LearningPoint,
  type Line,
  momentAt,
  type Recording,
  scoreOf,
  snapshot,
  squaredNorm,
} from '../engine/recording.ts';
import type { Verdict } from '../engine/verdict.ts';
import { bestHeldOut } from '../views/learning/learning.ts';
import { type Bound, boundOf, type Space, type Star } from '../views/proof/bound.ts';
import { isRight } from '../views/step-text.ts';
import { effectOf } from './find-step.ts';

/** The subject of a claim: a run, and the step of it that its scene shows. */
export interface Facts {
  readonly dataset: Dataset;
  readonly algorithm: Algorithm;
  readonly examples: Examples;
  readonly recording: Recording;
  /** Null: not known yet. */
  readonly verdict: Verdict | null;
  /** Null: not known yet. */
  readonly curve: readonly LearningPoint[] | null;
  /** Null: the run has no such step. */
  readonly step: number | null;
  /** The space of R, γ, w* and the lengths of w. */
  readonly space: Space;
}

/**
 * Returns NaN for what does not exist. `index`: an example by its number in the data, or a component of w, both from
 * 0.
 */
type Quantity = (facts: Facts, index: number) => number;

/**
 * The quantities that claims and answers may name. x is as the run sees it. Those in {@link ofSpace} depend on the
 * place of the bias (`views/proof/bound.ts`): as a coordinate they are of (x, c) and (w, b), apart they are of x and w.
 */
export const quantities: Readonly<Record<string, Quantity>> = {
  /** Number of examples, of features, and of examples of each class. */
  examples: ({ examples }) => examples.rows,
  features: ({ examples }) => examples.dimension,
  positives: ({ examples }) => examples.labels.filter((label) => label > 0).length,
  negatives: ({ examples }) => examples.labels.filter((label) => label < 0).length,
  /** The class of a score of 0. */
  tie: ({ recording }) => recording.tie,
  /** 1: a hyperplane through the origin of x, without a constant, separates. For one or two features. */
  throughorigin: ({ examples }) => separableThroughOrigin(examples),
  learned: ({ recording }) => recording.report.examples,
  /** Number of updates and of steps of the whole run. */
  updates: ({ recording }) => recording.updates.length,
  steps: ({ recording }) => recording.steps,
  passes: ({ recording }) => recording.report.passes,
  lastpassupdates: ({ recording }) => recording.report.updatesPerPass.at(-1) ?? Number.NaN,
  /** 1: the last pass was clean, and every example is right. */
  separated: ({ recording }) => (recording.report.stop === 'separated' ? 1 : 0),
  /** 1: the run ended because its passes were used up. */
  spent: ({ recording }) => (recording.report.stop === 'budget' ? 1 : 0),
  /** 1: separable, 0: proved not to be. */
  separable: ({ verdict }) =>
    verdict === null || verdict.kind === 'undecided' ? Number.NaN : verdict.kind === 'separable' ? 1 : 0,
  radius: (facts) => boundOfFacts(facts).radius,
  /** γ*: the largest margin. */
  margin: (facts) => provedBound(facts)?.star?.margin ?? Number.NaN,
  /** The largest number of updates that the theorem allows: ⌊(R/γ)²⌋, less 1 where the run starts at an example. */
  bound: (facts) => provedBound(facts)?.updates ?? Number.NaN,
  /** The step of the scene, and the updates up to it. */
  step: ({ step }) => step ?? Number.NaN,
  sofar: ({ recording, step }) => (step === null ? Number.NaN : countUpTo(recording.updates, step)),
  /** Number of examples after the last update of the run. */
  quiet: ({ recording: { steps, updates } }) => steps - (updates.at(-1) ?? 0),
  /** The example just shown, by its number in the data, and its class. */
  row: ({ recording, step }) => (step === null ? Number.NaN : momentAt(recording, step).row),
  shownlabel: ({ examples, recording, step }) =>
    step === null || step === 0 ? Number.NaN : examples.labels[momentAt(recording, step).row]!,
  updated: ({ recording, step }) => (step === null ? Number.NaN : Number(momentAt(recording, step).updated)),
  /** Number of drawn examples that the present weights get wrong. */
  wrong: (facts) => ofLine(facts, (line) => wrongOnes(line, facts)),
  /** The same before the example was shown. */
  wrongbefore: (facts) =>
    facts.step === null ? Number.NaN : quantities.wrong!({ ...facts, step: Math.max(0, facts.step - 1) }, 0),
  /** The same after the k-th update. */
  wrongafter: (facts, update) => quantities.wrong!({ ...facts, step: facts.recording.updates[update - 1] ?? null }, 0),
  /** The same at the end of the run. */
  wrongatend: (facts) => ofLine({ ...facts, step: facts.recording.steps }, (line) => wrongOnes(line, facts)),
  /** y·a of the example just shown, before and after. */
  before: (facts) => signedScore(facts, 'before'),
  after: (facts) => signedScore(facts, 'present'),
  /** ‖x‖² of the example just shown, including the constant. */
  gain: ({ examples, recording, step }) =>
    step === null || step === 0 ? Number.NaN : gainOf(momentAt(recording, step).row, recording, examples),
  /** ‖x‖² of an example, including the constant, and its label. */
  norm: ({ examples, recording }, row) => gainOf(row, recording, examples),
  label: ({ examples }, row) => examples.labels[row] ?? Number.NaN,
  /** 1: the example of the update is right after it. */
  right: (facts) => ofUpdate(facts, ({ right }) => Number(right)),
  broken: (facts) => ofUpdate(facts, ({ broken }) => broken.length),
  /** y·a of an example at the scene's step, and its signed distance to the line (of x alone, with a separate bias). */
  score: (facts, row) => ofLine(facts, (line) => facts.examples.labels[row]! * scoreFor(line, row, facts)),
  distance: (facts, row) =>
    ofLine(facts, (line) => (facts.examples.labels[row]! * scoreFor(line, row, facts)) / normOf(line.weights)),
  /** Components of w (from 0) and the bias, at the scene's step. */
  weight: (facts, index) => ofLine(facts, ({ weights }) => weights[index] ?? Number.NaN),
  bias: (facts) => ofLine(facts, ({ bias }) => bias),
  /** ‖w‖, with the bias where it is a coordinate. */
  length: (facts) => ofLine(facts, (line) => normIn(line, facts)),
  /** ‖w‖ of the weights that the run returns. */
  returned: ({ recording: { model, biasConstant } }) =>
    model.kind === 'linear' ? Math.hypot(...model.weights, biasConstant === 0 ? 0 : model.bias) : Number.NaN,
  /** ‖w‖ of the weights that the run returns, without the bias: the norm in a penalty. */
  answerlength: ({ recording: { model } }) => (model.kind === 'linear' ? Math.hypot(...model.weights) : Number.NaN),
  /** Margin of the present weights: the smallest y·a/‖w‖, with the bias in ‖w‖ where it is a coordinate. */
  marginnow: (facts) =>
    ofLine(facts, (line) => {
      const { examples } = facts;
      const scores = Array.from(examples.shown, (row) => examples.labels[row]! * scoreFor(line, row, facts));
      return Math.min(...scores) / normIn(line, facts);
    }),
  /** ⟨w, w*⟩ with b·b*, and the cosine of (w, b) and (w*, b*), at the scene's step. */
  progress: (facts) => ofLine(facts, (line) => alongStar(line, starOf(facts))),
  cosine: (facts) => ofLine(facts, (line) => alongStar(line, starOf(facts)) / proofNorm(line, starOf(facts))),
  /** The smallest growth of ⟨w, w*⟩, and the largest of ‖w‖² (apart: of ‖v‖²‖v*‖²), in an update of the run. */
  leastprogress: (facts) => gains(facts).progress,
  mostgrowth: (facts) => gains(facts).growth,
  /** nᵢ, the updates on an example in the whole run; the number of examples with updates. */
  mistakes: ({ recording }, row) => mistakesOf(recording)[row] ?? 0,
  makers: ({ recording }) => mistakesOf(recording).filter((count) => count > 0).length,
  /** The largest difference between Σ nᵢyᵢxᵢ and the final weights. */
  dualgap: (facts) => dualGap(facts),
  /** Maximum number of updates in a row on an example, from the scene's step: ⌊−y w·x/‖x‖²⌋ + 1. */
  lead: (facts, row) => leadTime(quantities.score!(facts, row), quantities.norm!(facts, row)),
  /** Mean losses of the drawn examples at the scene's step. */
  zeroone: (facts) => quantities.wrong!(facts, 0) / facts.examples.shown.length,
  perceptronloss: (facts) => meanLoss(facts, lossOf.perceptron),
  hingeloss: (facts) => meanLoss(facts, lossOf.hinge),
  logisticloss: (facts) => meanLoss(facts, lossOf.logistic),
  /** Accuracies of the model in per cent, as in the report. */
  trained: ({ recording }) => percent(recording.report.train?.accuracy),
  heldout: ({ recording }) => percent(recording.report.holdout?.accuracy),
  /** The best and the last held-out accuracy of the learning curve, in per cent. */
  bestheldout: ({ curve }) => percent(bestHeldOut(curve ?? [])?.holdout),
  lastheldout: ({ curve }) => percent(curve?.at(-1)?.holdout),
  /** 1: the model is a tree. */
  istree: ({ recording }) => Number(recording.model.kind === 'tree'),
};

/** Names of the quantities whose values depend on the place of the bias. */
export const ofSpace: readonly string[] = [
  'radius',
  'margin',
  'bound',
  'length',
  'marginnow',
  'progress',
  'cosine',
  'leastprogress',
  'mostgrowth',
];

/** Returns the value of a name for a scene. @throws Error for an unknown name. */
export function lookUp(facts: Facts | null, name: string, index: number | null): number {
  const quantity = quantities[name];
  if (quantity === undefined) throw new Error(`expected a quantity; got “${name}”`);
  return facts === null ? Number.NaN : quantity(facts, index ?? 0);
}

const percent = (accuracy: number | null | undefined) =>
  accuracy === null || accuracy === undefined ? Number.NaN : 100 * accuracy;
const normOf = (weights: Float64Array) => Math.hypot(...weights);

/** Returns ‖x‖² as learned from, including the constant: the growth of y·a in an update. */
function gainOf(row: number, recording: Recording, examples: Examples): number {
  const at = shownAt(examples, row);
  return at < 0 ? Number.NaN : activationGain(squaredNorm(vectorAt(examples, at), recording), recording.biasConstant);
}

/** Returns ‖w‖, with the bias where it is a coordinate. */
function normIn({ weights, bias }: Line, { space }: Facts): number {
  return space === 'apart' ? normOf(weights) : Math.hypot(...weights, bias);
}

/** Returns ‖(w, b)‖‖(w*, b*)‖, which bounds the progress in the proof; ‖(w, b)‖ without w*. */
function proofNorm({ weights, bias }: Line, star: Star | null): number {
  return Math.hypot(...weights, bias) * (star?.length ?? 1);
}

function lineAt({ recording, step }: Facts): Line | null {
  return step === null ? null : momentAt(recording, step).present;
}

function ofLine(facts: Facts, of: (line: Line) => number): number {
  const line = lineAt(facts);
  return line === null ? Number.NaN : of(line);
}

function ofUpdate(facts: Facts, of: (effect: ReturnType<typeof effectOf>) => number): number {
  const { recording, examples, step } = facts;
  if (step === null || !momentAt(recording, step).updated || recording.present.length === 0) return Number.NaN;
  return of(effectOf(step, recording, examples));
}

function scoreFor(line: Line, row: number, { recording, examples }: Facts): number {
  const at = shownAt(examples, row);
  return at < 0 ? Number.NaN : scoreOf(line, vectorAt(examples, at), recording);
}

function signedScore(facts: Facts, which: 'before' | 'present'): number {
  if (facts.step === null || facts.step === 0) return Number.NaN;
  const { row, [which]: line } = momentAt(facts.recording, facts.step);
  return line === null ? Number.NaN : facts.examples.labels[row]! * scoreFor(line, row, facts);
}

function wrongOnes(line: Line, { recording, examples }: Facts): number {
  return examples.shown.filter((row) => !isRight(line, row, recording, examples)).length;
}

/** Returns 1 if the vectors y·x are nonzero and lie in an open half-plane, else 0; NaN if that is not known. */
function separableThroughOrigin({ dimension, vectors, labels, shown }: Examples): number {
  if (dimension > 2 || shown.length < labels.length) return Number.NaN;
  const turned = Array.from(shown, (row, k) => {
    const [x, y] = [vectors[k * dimension]!, dimension === 2 ? vectors[k * 2 + 1]! : 0];
    return [labels[row]! * x, labels[row]! * y] as const;
  });
  if (turned.some(([x, y]) => x === 0 && y === 0)) return 0;
  // One of them is the first clockwise: all others are less than half a turn from it counterclockwise.
  const isOutermost = ([x, y]: readonly [number, number]) =>
    turned.every(([u, v]) => {
      const cross = x * v - y * u;
      return cross > 0 || (cross === 0 && x * u + y * v > 0);
    });
  return Number(turned.some(isOutermost));
}

const boundOfFacts = (facts: Facts): Bound => boundOf(facts, facts.space);

/** Returns the bound of the widest separator; null: none is proved. */
const provedBound = (facts: Facts): Bound | null => (facts.verdict?.kind === 'separable' ? boundOfFacts(facts) : null);

/** Returns ⟨w, w*⟩ + b·b*; NaN without w*. */
function alongStar({ weights, bias }: Line, star: Star | null): number {
  if (star === null) return Number.NaN;
  return weights.reduce((sum, w, j) => sum + w * star.vector[j + 1]!, bias * star.vector[0]!);
}

const starOf = (facts: Facts): Star | null => provedBound(facts)?.star ?? null;

function gains(facts: Facts): { readonly progress: number; readonly growth: number } {
  const { recording } = facts;
  const star = starOf(facts);
  let [progress, growth] = [Infinity, -Infinity];
  if (!recording.complete || recording.present.length === 0) return { progress: Number.NaN, growth: Number.NaN };
  for (let k = 1; k <= recording.changes.length; k++) {
    const [from, to] = [snapshot(recording, recording.present, k - 1), snapshot(recording, recording.present, k)];
    progress = Math.min(progress, alongStar(to, star) - alongStar(from, star));
    growth = Math.max(growth, proofNorm(to, star) ** 2 - proofNorm(from, star) ** 2);
  }
  return { progress, growth };
}

function mistakesOf({ rows, updates }: Recording): number[] {
  const counts: number[] = [];
  for (const step of updates) {
    const row = rows[step - 1]!;
    counts[row] = (counts[row] ?? 0) + 1;
  }
  return Array.from(counts, (count) => count ?? 0);
}

function dualGap(facts: Facts): number {
  const { recording, examples } = facts;
  const end = momentAt(recording, recording.steps).present;
  if (end === null) return Number.NaN;
  const sum = new Float64Array(examples.dimension);
  mistakesOf(recording).forEach((count, row) => {
    if (count === 0) return;
    const x = vectorAt(examples, shownAt(examples, row));
    for (let j = 0; j < sum.length; j++) sum[j]! += (count * examples.labels[row]! * x[j]!) / recording.divisor;
  });
  return sum.reduce((most, value, j) => Math.max(most, Math.abs(value - end.weights[j]!)), 0);
}

function meanLoss(facts: Facts, loss: (margin: number) => number): number {
  const { examples } = facts;
  return ofLine(facts, (line) =>
    Array.from(examples.shown, (row) => loss(examples.labels[row]! * scoreFor(line, row, facts))).reduce(
      (sum, value) => sum + value / examples.shown.length,
      0,
    ),
  );
}
