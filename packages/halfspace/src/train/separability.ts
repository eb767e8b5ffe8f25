import type { SparseBatch } from '../batch.ts';
import type { Breathe } from '../data/breathe.ts';
import { relabelled } from '../data/relabelled.ts';
import type { ReadableStore } from '../data/store.ts';
import { BatchView, forEachNonzero } from '../kernels/batch-view.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { hyperplaneBracket, type MarginBracket, narrowed } from '../margin/bracket.ts';
import { MarginSearch } from '../margin/maximum-margin.ts';
import { measureRadius } from '../margin/radius.ts';
import type { ContradictionTest } from './contradiction.ts';
import type { ClassBracket, MarginReport } from './report.ts';
import type { RunExamples } from './run-examples.ts';

/**
 * Number of values, and of weights, above which separability is not decided, since that would take longer than many
 * runs.
 */
const mostValues = 2 ** 20;

/** The same for three or more classes: number of values times classes. */
const mostValuesOfMany = 2 ** 18;

/** Number of values of Kesler's vectors above which weights of all classes together are not decided. */
const mostTogether = 2 ** 15;

/** Number of classes above which they are not decided: nobody reads so many verdicts. */
const mostClasses = 20;

/** Limits of a search. */
const [mostPasses, mostSupport] = [24, 128];

/** The relative gap at which a search ends. */
const closeEnough = 0.01;

/** A hull this near to the origin, as a share of the radius, may hold it. */
const nearOrigin = 1e-8;

/** Settings that decisions share. */
interface Deciding {
  readonly kernels: Kernels;
  /** The constant feature; 0 without a bias. */
  readonly constant: number;
  readonly contradict: ContradictionTest | null;
  readonly breathe: Breathe;
}

/** Searches for the largest margin in the geometry of the run. Narrows the bracket by that of x with the constant. */
export async function searchMargins(
  { plan, intake, kernels, biasConstant }: RunExamples,
  bracket: MarginBracket | null,
  breathe: Breathe,
): Promise<{ maximumMargin: MarginReport; bracket: MarginBracket | null }> {
  const { bias } = plan.variant;
  const search = async (kind: typeof bias): Promise<MarginReport> => {
    const one = new MarginSearch(intake.store, kernels, { bias: kind, biasConstant, gap: plan.marginGap! });
    try {
      while (one.step()) await breathe();
      const { weights: _, bias: __, nearest: ___, ...found } = one.result();
      return found;
    } finally {
      one.free();
    }
  };
  const maximumMargin = await search(bias);
  const lifted = bracket === null || bias !== 'separate' ? maximumMargin : await search('absorbed');
  return { maximumMargin, bracket: bracket === null ? null : narrowed(bracket, lifted) };
}

/**
 * Narrows the bracket of a run until it says if a hyperplane separates the examples, where that costs less than most
 * runs. Same examples, same bracket: what ends the search is its work, not its time.
 *
 * @param bracket of the run; null if it has none.
 * @param separability true: contradictions are not looked for.
 */
export async function decideClasses(
  { intake, kernels, biasConstant, classes }: RunExamples,
  bracket: MarginBracket | null,
  separability: true | ContradictionTest,
  breathe: Breathe,
): Promise<{
  bracket: MarginBracket | null;
  classBrackets: readonly ClassBracket[] | null;
  multiclassBracket: MarginBracket | null;
}> {
  const { store } = intake;
  const { length } = classes;
  const isSmall = intake.many
    ? length <= mostClasses && length * intake.nonzeros <= mostValuesOfMany && length * store.dimension <= mostValues
    : intake.nonzeros <= mostValues && store.dimension <= mostValues;
  if (!intake.complete || !isSmall) return { bracket, classBrackets: null, multiclassBracket: null };
  const contradict = separability === true ? null : separability;
  const deciding = { kernels, constant: biasConstant, contradict, breathe };
  if (!intake.many)
    return { bracket: await decide(store, bracket, deciding), classBrackets: null, multiclassBracket: null };
  const classBrackets: ClassBracket[] = [];
  for (const [k, name] of classes.entries())
    classBrackets.push({ class: name, ...(await decide(oneAgainstRest(store, k), null, deciding)) });
  const together = keslerView(store, classes.length, biasConstant);
  const multiclassBracket =
    together.stored > mostTogether
      ? null
      : { ...(await decide(together, null, { ...deciding, constant: 0 })), constant: biasConstant };
  return { bracket, classBrackets, multiclassBracket };
}

async function decide(
  store: ReadableStore,
  known: MarginBracket | null,
  { kernels, constant, contradict, breathe }: Deciding,
): Promise<MarginBracket> {
  const terms = store.dimension + 1;
  const bracket =
    known ??
    hyperplaneBracket({ terms, radius: measureRadius(store, kernels, constant), constant, least: 0, leastNorm: 0 });
  // The weights of a perceptron bound the margin from above too; those of other rules do not.
  if (bracket.upper === 0 || (bracket.lower > 0 && bracket.updates !== null)) return bracket;
  const search = new MarginSearch(store, kernels, {
    bias: constant === 0 ? 'none' : 'absorbed',
    biasConstant: constant,
    gap: closeEnough,
    passes: mostPasses,
    support: mostSupport,
  });
  try {
    while (search.step()) await breathe();
    const found = search.result();
    const decided = narrowed(bracket, found);
    const mayContradict = found.separable === null && found.upper <= nearOrigin * bracket.radius;
    if (contradict === null || !mayContradict || found.support > mostSupport) return decided;
    const near = found.nearest.examples;
    const contradicts =
      constant === 0
        ? await contradict(unbalanced(store, near), [...near.keys(), near.length])
        : await contradict(copied(store), [...near]);
    return contradicts ? narrowed(decided, { lower: 0, upper: 0 }) : decided;
  } finally {
    search.free();
  }
}

/** Returns copies of all examples of a store. */
function copied(store: ReadableStore): SparseBatch {
  const { chunks, dimension, rows, stored } = store;
  const [offsets, labels] = [new Uint32Array(rows + 1), new Float64Array(rows)];
  const [indices, values] = [new Uint32Array(stored), new Float64Array(stored)];
  let [row, at] = [0, 0];
  for (let c = 0; c < chunks; c++) {
    const batch = store.load(c);
    for (let i = 0; i < batch.rows; i++) {
      forEachNonzero(batch, i, (j, x) => {
        indices[at] = j;
        values[at++] = x;
      });
      labels[row++] = batch.labels[i]!;
      offsets[row] = at;
    }
  }
  return {
    kind: 'sparse',
    rows,
    dimension,
    labels,
    importance: null,
    offsets,
    indices: indices.subarray(0, at),
    values: values.subarray(0, at),
  };
}

/**
 * Returns the vectors yx of some examples, all with the label +1, and as the last one 0 with the label −1. They
 * contradict each other if Σ nᵢyᵢxᵢ = 0 for the examples: a contradiction without a bias, so labels need not balance.
 */
function unbalanced(store: ReadableStore, rows: Uint32Array): SparseBatch {
  const { dimension, labels, offsets, indices, values } = copied(store);
  const [starts, at, signed]: [number[], number[], number[]] = [[0], [], []];
  for (const row of rows) {
    for (let k = offsets[row]!; k < offsets[row + 1]!; k++) {
      at.push(indices[k]!);
      signed.push(labels[row]! * values[k]!);
    }
    starts.push(at.length);
  }
  return {
    kind: 'sparse',
    rows: rows.length + 1,
    dimension,
    labels: new Float64Array(rows.length + 1).fill(1).fill(-1, rows.length),
    importance: null,
    offsets: Uint32Array.from([...starts, at.length]),
    indices: Uint32Array.from(at),
    values: Float64Array.from(signed),
  };
}

/** Returns a view of the examples with the label +1 for class k, and −1 for all others. */
function oneAgainstRest(store: ReadableStore, k: number): ReadableStore {
  return {
    chunks: store.chunks,
    dimension: store.dimension,
    rows: store.rows,
    stored: store.stored,
    load(chunk) {
      const batch = store.load(chunk);
      return relabelled(
        batch,
        Float64Array.from({ length: batch.rows }, (_, i) => (batch.labels[i] === k ? 1 : -1)),
      );
    },
  };
}

/**
 * Kesler's construction: a linear model of K classes has weights W = (w₁, …, w_K) and is right on a row (x, y) if
 * (w_y − wₖ)·(x, c) > 0 for every other class k. So it is right on all rows if W separates the vectors
 * z = (e_y − eₖ) ⊗ (x, c) from the origin. The margin of W is min W·z/‖W‖. Source: Duda & Hart 1973, section 5.12.
 */

/**
 * Returns a view of examples as the vectors z, all with the label +1: K − 1 for each example, in the order of the
 * classes. They have K·(d + 1) components; the constant is component d of each class.
 *
 * @param store labels are the numbers of classes, from 0.
 * @param constant c; 0: none.
 */
function keslerView(store: ReadableStore, classes: number, constant: number): ReadableStore {
  const others = classes - 1;
  const width = store.dimension + 1;
  const terms = store.stored + (constant === 0 ? 0 : store.rows);
  return {
    chunks: store.chunks,
    dimension: classes * width,
    rows: others * store.rows,
    stored: 2 * others * terms,
    load(chunk): SparseBatch {
      const batch = store.load(chunk);
      const view = new BatchView(batch);
      const rows = others * batch.rows;
      const offsets = new Uint32Array(rows + 1);
      const indices: number[] = [];
      const values: number[] = [];
      let at = 0;
      for (let i = 0; i < batch.rows; i++) {
        const own = batch.labels[i]!;
        for (let other = 0; other < classes; other++) {
          if (other === own) continue;
          for (const k of own < other ? [own, other] : [other, own]) {
            const sign = k === own ? 1 : -1;
            forEachNonzero(view, i, (j, x) => {
              indices.push(k * width + j);
              values.push(sign * x);
            });
            if (constant === 0) continue;
            indices.push(k * width + store.dimension);
            values.push(sign * constant);
          }
          offsets[++at] = indices.length;
        }
      }
      return {
        kind: 'sparse',
        rows,
        dimension: classes * width,
        labels: new Float64Array(rows).fill(1),
        importance: null,
        offsets,
        indices: Uint32Array.from(indices),
        values: Float64Array.from(values),
      };
    },
  };
}
