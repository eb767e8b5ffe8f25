import { BatchView } from '../kernels/batch-view.ts';
import { type Explanation, RowExplainer, type RowExplanationOptions } from './explain-row.ts';
import type { Model } from './model.ts';
import { FeatureList } from './raw-features.ts';

/** Explains the scores of the rows of encoded batches. */
export class BatchExplainer {
  readonly #explainer: RowExplainer;
  readonly #options: RowExplanationOptions;
  readonly #features = new FeatureList();
  #view: BatchView | null = null;

  /** @throws HalfspaceError `option-invalid` for models whose score is no sum over features. */
  constructor(model: Model, options: RowExplanationOptions) {
    this.#explainer = new RowExplainer(model);
    this.#options = options;
  }

  /** Opens a batch after its rows were scored; until the next batch, nothing else may use the kernels. */
  open(batch: ConstructorParameters<typeof BatchView>[0]): void {
    this.#view = new BatchView(batch);
  }

  /** Explains row i. @param given position of its predicted class. */
  explain(i: number, scores: Float64Array, given: number): Omit<Explanation, 'unknown'> {
    const features = this.#features;
    const row = this.#view!.open(i);
    features.count = 0;
    for (let k = 0; k < row.count; k++) features.add(row.feature(k), row.value(k));
    return this.#explainer.explain(features, scores, given, this.#options);
  }
}
