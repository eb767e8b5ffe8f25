import type { ExampleStore } from '../data/store.ts';
import type { FoldContext } from '../evaluate/candidate.ts';
import { FoldedExamples } from '../evaluate/folded-examples.ts';
import type { Pairs } from '../features/cross/pair-gains.ts';
import type { Bend } from '../features/number/bend.ts';
import type { BentScores, BentTask, PenaltyScore } from '../pool/bent-fold.ts';
import type { FoldPool } from '../pool/fold-pool.ts';
import type { Scored } from '../pool/fold-task.ts';

/**
 * The shape of the score along the numbers of a table: `straight`; `bent`: cut into intervals, with a weight for each;
 * `crossed`: bent, and pairs of columns have weights too. `letters`: straight, and short texts have features of letters
 * beside those of words.
 */
export type Shape = 'straight' | 'bent' | 'crossed' | 'letters';

/** Examples with bent numbers beside the straight ones. */
export interface BentExamples {
  readonly bend: Bend;
  readonly store: ExampleStore;
  readonly context: FoldContext;
  /** 0: none. */
  readonly pairs: Pairs;
}

/** C of the penalties α = 1 / (C·n) for n examples, rising. */
const strengths: readonly number[] = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];
/** Number of examples from which fewer penalties are tried. */
const manyExamples = 5000;

/** The result of a form at its best penalty. */
export interface BentResult {
  readonly crosses: boolean;
  readonly C: number;
  /** One for each fold. */
  readonly folds: readonly Scored[];
}

export interface BentFoldsOptions {
  readonly folds: number;
  readonly judged: number;
  readonly repeats: number;
  readonly examples: number;
  readonly seed: number;
  /** True for accuracy. */
  readonly countsErrors: boolean;
  readonly pool: FoldPool;
  /** Scores by fold of the best straight candidate. After a repetition with no fewer errors the others are left out. */
  readonly straight: readonly Scored[];
}

/**
 * Judges bent numbers, and those with crosses, by cross-validation. After the first fold only the best penalty and its
 * neighbours go on. Only reads the examples.
 */
export async function judgeBent(
  { store, context, pairs, bend: { encoding } }: BentExamples,
  { folds, judged, repeats, examples, seed, countsErrors, pool, straight }: BentFoldsOptions,
): Promise<BentResult[]> {
  // Many examples take much longer, and every second penalty is enough for them.
  const tried = examples >= manyExamples ? strengths.filter((_, k) => k % 2 === 1) : strengths;
  const plain = new Form(tried);
  const crossed = pairs === 0 ? null : new Form(tried);
  const forms = crossed === null ? [plain] : [plain, crossed];
  const add = (scores: BentScores) => {
    plain.add(scores.plain);
    crossed?.add(scores.crossed.length === 0 ? nearest(tried, scores.plain) : scores.crossed);
  };
  for (let repeat = 0; repeat < repeats; repeat++) {
    const dealt = new FoldedExamples(context.kernels, store, { folds, repeat, seed, examples });
    try {
      const numbers = Array.from({ length: judged }, (_, fold) => fold);
      const rounds = repeat === 0 ? [numbers.slice(0, 1), numbers.slice(1)] : [numbers];
      let later = judged * (repeats - repeat);
      for (const round of rounds) {
        const [plainly, crossly] = [plain.live, crossed?.live ?? []];
        const tasks = round.map((fold): BentTask => ({ encoding, fold, plain: plainly, crossed: crossly, pairs }));
        later -= tasks.length;
        await pool.run(dealt, tasks, later, add);
      }
    } finally {
      dealt.free();
    }
    const { length } = plain.folds;
    const isBehind = forms.every((form) => errorsOf(form.folds) >= errorsOf(straight.slice(0, length)));
    if (countsErrors && isBehind && typeof pairs === 'number') break;
  }
  return forms.map((form, k) => ({ crosses: k === 1, C: form.best, folds: form.folds }));
}

/** Penalties of one form and their scores. */
class Form {
  /** By C, rising. */
  readonly #folds: Map<number, PenaltyScore[]>;

  constructor(all: readonly number[]) {
    this.#folds = new Map(all.map((C) => [C, []]));
  }

  /** C of the penalties that were judged on all folds so far, rising. */
  get live(): readonly number[] {
    return [...this.#folds.keys()];
  }

  /** C of the least mean log loss; the first of equal ones. */
  get best(): number {
    const loss = (C: number) => mean(this.#folds.get(C)!.map(({ logLoss }) => logLoss));
    return this.live.reduce((best, C) => (loss(C) < loss(best) ? C : best));
  }

  /** The scores of the best penalty. */
  get folds(): readonly Scored[] {
    return this.#folds.get(this.best)!;
  }

  /** Adds the scores of a fold. Penalties that it lacks, and those that are no neighbours of the best, are left out. */
  add(found: readonly PenaltyScore[]): void {
    for (const C of this.live) {
      const score = found.find((each) => each.C === C);
      if (score === undefined) this.#folds.delete(C);
      else this.#folds.get(C)!.push(score);
    }
    const { live } = this;
    const place = live.indexOf(this.best);
    live.forEach((C, k) => {
      if (Math.abs(k - place) > 1) this.#folds.delete(C);
    });
  }
}

/** Returns scores for other penalties: at the nearest one that is not stronger. */
function nearest(all: readonly number[], scores: readonly PenaltyScore[]): PenaltyScore[] {
  return all.map((C) => ({ ...(scores.find((each) => each.C >= C) ?? scores.at(-1)!), C }));
}

function errorsOf(folds: readonly Scored[]): number {
  return folds.reduce((sum, { errors }) => sum + errors, 0);
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}
