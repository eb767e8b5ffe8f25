import { activationGain, leadTime, lossOf } from 'halfspace';
import type { Dataset } from '../data/dataset.ts';
import type { LearningPoint } from '../engine/engine.ts';
import { type Examples, shownAt, vectorAt } from '../engine/examples.ts';
import { countUpTo, type Line, momentAt, type Recording, scoreOf, snapshot, squaredNorm } from '../engine/recording.ts';
import type { Verdict } from '../engine/verdict.ts';
import { bestHeldOut } from '../views/learning/learning.ts';
import { directionOfStar } from '../views/proof/quantities.ts';
import { isRight } from '../views/step-text.ts';
import { effectOf } from './find-step.ts';

/** What a claim is about: a run, and the moment of it that its scene shows. */
export interface Facts {
  readonly dataset: Dataset;
  readonly examples: Examples;
  readonly recording: Recording;
  /** Null until it is known. */
  readonly verdict: Verdict | null;
  /** Null until it is known. */
  readonly curve: readonly LearningPoint[] | null;
  /** Null: the run has no such moment. */
  readonly step: number | null;
}

/** NaN where there is no such thing. `index`: an example by its number in the data, or a component of w, both from 0. */
type Quantity = (facts: Facts, index: number) => number;

/**
 * What claims and answers may name. Norms, margins and radii are those of x as the run learned from it, lifted: with the constant as a
 * component, because the lectures' proofs speak of these.
 */
export const quantities: Readonly<Record<string, Quantity>> = {
  /** Examples, features; those learned from. */
  examples: ({ examples }) => examples.rows,
  features: ({ examples }) => examples.dimension,
  positives: ({ examples }) => examples.labels.filter((label) => label > 0).length,
  negatives: ({ examples }) => examples.labels.filter((label) => label < 0).length,
  /** The class of a score of 0. */
  tie: ({ recording }) => recording.tie,
  /** 1: some hyperplane through the origin of x, without a constant, separates; of one or two features. */
  throughorigin: ({ examples }) => separableThroughOrigin(examples),
  learned: ({ recording }) => recording.report.examples,
  /** Of the whole run. */
  updates: ({ recording }) => recording.updates.length,
  steps: ({ recording }) => recording.steps,
  passes: ({ recording }) => recording.report.passes,
  lastpassupdates: ({ recording }) => recording.report.updatesPerPass.at(-1) ?? Number.NaN,
  /** 1: nothing was left to update and every example has its class. */
  separated: ({ recording }) => (recording.report.stop === 'separated' ? 1 : 0),
  /** 1: the passes that were allowed are spent. */
  spent: ({ recording }) => (recording.report.stop === 'budget' ? 1 : 0),
  /** 1: separable, 0: proved not to be. */
  separable: ({ verdict }) =>
    verdict === null || verdict.kind === 'undecided' ? Number.NaN : verdict.kind === 'separable' ? 1 : 0,
  radius: ({ examples, recording }) =>
    Math.sqrt(examples.shown.reduce((most, row) => Math.max(most, gainOf(row, recording, examples)), 0)),
  /** γ*: the largest margin. */
  margin: (facts) => largestMargin(facts),
  /** ⌊(R/γ)²⌋: the most updates that the theorem allows. */
  bound: (facts) => {
    const { radius, margin } = quantities as Record<'radius' | 'margin', Quantity>;
    return Math.floor((radius(facts, 0) / margin(facts, 0)) ** 2 * (1 - 1e-5));
  },
  /** At the moment of the scene. */
  step: ({ step }) => step ?? Number.NaN,
  sofar: ({ recording, step }) => (step === null ? Number.NaN : countUpTo(recording.updates, step)),
  /** Examples shown since the last update of the run. */
  quiet: ({ recording: { steps, updates } }) => steps - (updates.at(-1) ?? 0),
  /** The example just shown, by its number, and its class. */
  row: ({ recording, step }) => (step === null ? Number.NaN : momentAt(recording, step).row),
  shownlabel: ({ examples, recording, step }) =>
    step === null || step === 0 ? Number.NaN : examples.labels[momentAt(recording, step).row]!,
  updated: ({ recording, step }) => (step === null ? Number.NaN : Number(momentAt(recording, step).updated)),
  /** Drawn examples that the present weights give the wrong class. */
  wrong: (facts) => ofLine(facts, (line) => wrongOnes(line, facts)),
  /** The same before the example was shown. */
  wrongbefore: (facts) =>
    facts.step === null ? Number.NaN : quantities.wrong!({ ...facts, step: Math.max(0, facts.step - 1) }, 0),
  /** After an update, counted from 1. */
  wrongafter: (facts, update) => quantities.wrong!({ ...facts, step: facts.recording.updates[update - 1] ?? null }, 0),
  /** At the end of the run. */
  wrongatend: (facts) => ofLine({ ...facts, step: facts.recording.steps }, (line) => wrongOnes(line, facts)),
  /** y·a of the example just shown, before and after. */
  before: (facts) => signedScore(facts, 'before'),
  after: (facts) => signedScore(facts, 'present'),
  /** ‖x‖² of the example just shown, the constant included. */
  gain: ({ examples, recording, step }) =>
    step === null || step === 0 ? Number.NaN : gainOf(momentAt(recording, step).row, recording, examples),
  /** ‖x‖² of an example, the constant included; without it. */
  norm: ({ examples, recording }, row) => gainOf(row, recording, examples),
  label: ({ examples }, row) => examples.labels[row] ?? Number.NaN,
  /** 1: the update made its own example right. */
  right: (facts) => ofUpdate(facts, ({ right }) => Number(right)),
  mended: (facts) => ofUpdate(facts, ({ fixed }) => fixed.length),
  broken: (facts) => ofUpdate(facts, ({ broken }) => broken.length),
  /** y·a of an example at the moment of the scene, and its signed distance (x alone, a bias of its own). */
  score: (facts, row) => ofLine(facts, (line) => facts.examples.labels[row]! * scoreFor(line, row, facts)),
  distance: (facts, row) =>
    ofLine(facts, (line) => (facts.examples.labels[row]! * scoreFor(line, row, facts)) / normOf(line.weights)),
  /** Components of w, from 0, and the bias, at the moment of the scene. */
  weight: (facts, index) => ofLine(facts, ({ weights }) => weights[index] ?? Number.NaN),
  bias: (facts) => ofLine(facts, ({ bias }) => bias),
  /** ‖w‖, the bias included. */
  length: (facts) => ofLine(facts, (line) => liftedNorm(line)),
  /** The answer's ‖w‖: of what the run returns. */
  returned: ({ recording: { model, biasConstant } }) =>
    model.kind === 'linear' ? Math.hypot(...model.weights, biasConstant === 0 ? 0 : model.bias) : Number.NaN,
  /** The answer's weights, the bias left out: what a penalty looks at. */
  answerlength: ({ recording: { model } }) => (model.kind === 'linear' ? Math.hypot(...model.weights) : Number.NaN),
  /** Margin of the present weights: the least y·a/‖w‖, the bias in ‖w‖. */
  marginnow: (facts) =>
    ofLine(facts, (line) => {
      const { examples } = facts;
      const scores = Array.from(examples.shown, (row) => examples.labels[row]! * scoreFor(line, row, facts));
      return Math.min(...scores) / liftedNorm(line);
    }),
  /** ⟨w, w*⟩ and the cosine, w* of length 1, at the moment of the scene. */
  progress: (facts) => ofLine(facts, (line) => alongStar(line, facts)),
  cosine: (facts) => ofLine(facts, (line) => alongStar(line, facts) / liftedNorm(line)),
  /** Least and greatest gain in ⟨w, w*⟩ and in ‖w‖² of any update of the run. */
  leastprogress: (facts) => gains(facts).progress,
  mostgrowth: (facts) => gains(facts).growth,
  /** nᵢ: updates on an example in the whole run; how many examples made any; the most that one made. */
  mistakes: ({ recording }, row) => mistakesOf(recording)[row] ?? 0,
  makers: ({ recording }) => mistakesOf(recording).filter((count) => count > 0).length,
  mostmistakes: ({ recording }) => Math.max(0, ...mistakesOf(recording).filter(() => true)),
  /** The largest difference between Σ nᵢyᵢxᵢ and the weights that the run ends with. */
  dualgap: (facts) => dualGap(facts),
  /** How often the example may be wrong in a row, from the moment of the scene: ⌊−y w·x/‖x‖²⌋ + 1. */
  lead: (facts, row) => leadTime(quantities.score!(facts, row), quantities.norm!(facts, row)),
  /** The most updates that the run made on one example in a row. */
  longestrow: ({ recording: { rows, updates } }) => {
    let [longest, length] = [0, 0];
    updates.forEach((step, k) => {
      const same = k > 0 && updates[k - 1] === step - 1 && rows[step - 1] === rows[step - 2];
      length = same ? length + 1 : 1;
      longest = Math.max(longest, length);
    });
    return longest;
  },
  /** Mean losses over the drawn examples, of y·a at the moment of the scene. */
  zeroone: (facts) => quantities.wrong!(facts, 0) / facts.examples.shown.length,
  perceptronloss: (facts) => meanLoss(facts, lossOf.perceptron),
  hingeloss: (facts) => meanLoss(facts, lossOf.hinge),
  logisticloss: (facts) => meanLoss(facts, lossOf.logistic),
  /** Accuracies of the answer, in percent, as the report has them. */
  trained: ({ recording }) => percent(recording.report.train?.accuracy),
  heldout: ({ recording }) => percent(recording.report.holdout?.accuracy),
  /** Held-out accuracy at its best and when first, in percent and steps, and train accuracy there. */
  bestheldout: ({ curve }) => percent(bestHeldOut(curve ?? [])?.holdout),
  bestat: ({ curve }) => bestHeldOut(curve ?? [])?.step ?? Number.NaN,
  firstheldout: ({ curve }) => percent(curve?.[0]?.holdout),
  lastheldout: ({ curve }) => percent(curve?.at(-1)?.holdout),
  lasttrained: ({ curve }) => percent(curve?.at(-1)?.train),
  /** Of a tree: 1. */
  istree: ({ recording }) => Number(recording.model.kind === 'tree'),
};

/** What the names of an expression mean for a scene. @throws Error for a name that means nothing. */
export function lookUp(facts: Facts | null, name: string, index: number | null): number {
  const quantity = quantities[name];
  if (quantity === undefined) throw new Error(`expected a quantity; got “${name}”`);
  return facts === null ? Number.NaN : quantity(facts, index ?? 0);
}

const percent = (accuracy: number | null | undefined) =>
  accuracy === null || accuracy === undefined ? Number.NaN : 100 * accuracy;
const normOf = (weights: Float64Array) => Math.hypot(...weights);

/** ‖x‖² as learned from, with the constant: by how much an update raises y·a. */
function gainOf(row: number, recording: Recording, examples: Examples): number {
  const at = shownAt(examples, row);
  return at < 0 ? Number.NaN : activationGain(squaredNorm(vectorAt(examples, at), recording), recording.biasConstant);
}

function liftedNorm({ weights, bias }: Line): number {
  return Math.hypot(...weights, bias);
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

/** The vectors y·x must lie within less than half a turn of each other, none of them 0. */
function separableThroughOrigin({ dimension, vectors, labels, shown }: Examples): number {
  if (dimension > 2 || shown.length < labels.length) return Number.NaN;
  const turned = Array.from(shown, (row, k) => {
    const [x, y] = [vectors[k * dimension]!, dimension === 2 ? vectors[k * 2 + 1]! : 0];
    return [labels[row]! * x, labels[row]! * y] as const;
  });
  if (turned.some(([x, y]) => x === 0 && y === 0)) return 0;
  // One of them is the outermost clockwise: all others are less than half a turn from it the other way.
  const isOutermost = ([x, y]: readonly [number, number]) =>
    turned.every(([u, v]) => {
      const cross = x * v - y * u;
      return cross > 0 || (cross === 0 && x * u + y * v > 0);
    });
  return Number(turned.some(isOutermost));
}

/** In the geometry of the run: the verdict speaks of x undivided with the constant 1, and a run divides both alike. */
function largestMargin({ verdict, recording }: Facts): number {
  return verdict?.kind === 'separable' ? verdict.lifted.lower / recording.divisor : Number.NaN;
}

/** ⟨w, w*⟩, w* of length 1. */
function alongStar({ weights, bias }: Line, { verdict, recording }: Facts): number {
  const star = directionOfStar(verdict, recording);
  if (star === null) return Number.NaN;
  return weights.reduce((sum, w, j) => sum + w * star[j + 1]!, bias * star[0]!) / Math.hypot(...star);
}

function gains(facts: Facts): { readonly progress: number; readonly growth: number } {
  const { recording } = facts;
  let [progress, growth] = [Infinity, -Infinity];
  if (!recording.complete || recording.present.length === 0) return { progress: Number.NaN, growth: Number.NaN };
  for (let k = 1; k <= recording.changes.length; k++) {
    const [from, to] = [snapshot(recording, recording.present, k - 1), snapshot(recording, recording.present, k)];
    progress = Math.min(progress, alongStar(to, facts) - alongStar(from, facts));
    growth = Math.max(growth, liftedNorm(to) ** 2 - liftedNorm(from) ** 2);
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
