import type { ExampleStore } from '../data/store.ts';
import type { FoldContext } from './candidate.ts';
import { FoldedExamples, type FoldedOptions } from './folded-examples.ts';

export interface CrossValidation extends Omit<FoldedOptions, 'repeat'> {
  /** Number of repetitions. */
  readonly repeats: number;
  /** Number of candidates. */
  readonly candidates: number;
  /** Runs one candidate on one fold. */
  readonly run: (candidate: number, dealt: FoldedExamples, fold: number) => Promise<void>;
  /** Called after every run. */
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

/** Runs all candidates on the same folds of a repeated cross-validation. */
export async function crossValidate(
  store: ExampleStore,
  { kernels, breathe }: FoldContext,
  { repeats, candidates, run, onProgress, ...dealing }: CrossValidation,
): Promise<void> {
  const { folds } = dealing;
  const of = candidates * folds * repeats;
  let done = 0;
  for (let repeat = 0; repeat < repeats; repeat++) {
    const dealt = new FoldedExamples(kernels, store, { ...dealing, repeat });
    try {
      for (let candidate = 0; candidate < candidates; candidate++)
        for (let fold = 0; fold < folds; fold++) {
          await run(candidate, dealt, fold);
          onProgress?.(++done, of);
          await breathe();
        }
    } finally {
      dealt.free();
    }
  }
}
