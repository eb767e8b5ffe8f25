import { type Label, OnlineClassifier, type RawRow } from 'halfspace';
import { bareCopy, sizeOf } from 'halfspace/online';
import type { ShadowChange } from '../state/control-record.ts';
import type { ModelState } from '../state/model-state.ts';
import { type ModelBudget, ModelRefusal } from './contract.ts';
import { checkSize } from './limits.ts';

/**
 * The learners as they will be when all records that wait for the disk are learned. A record is refused if it cannot be
 * applied here, or would exceed the budget. So it is decided before the journal has it, and what is refused leaves no
 * trace. Replay knows no budget.
 */
export class Lookahead {
  #classifier: OnlineClassifier;
  #shadow: OnlineClassifier | null;
  readonly #budget: ModelBudget;
  /** The example that the model learns, for the shadow. */
  #row: RawRow = [];
  #label: Label = '';
  #importance = 1;

  /** @param state no record waits for. */
  constructor({ classifier, shadow }: ModelState, budget: ModelBudget) {
    this.#budget = budget;
    this.#classifier = this.#copy(classifier);
    this.#shadow = shadow === null ? null : this.#copy(shadow.classifier);
  }

  #copy(classifier: OnlineClassifier): OnlineClassifier {
    const copy = bareCopy(classifier, (then) => {
      const isModel = copy === this.#classifier;
      checkSize(this.#budget, then, () => sizeOf(copy), isModel ? 'a model' : 'a shadow');
      // Now, so that neither learns what would be too much for the other one.
      if (isModel && this.#shadow !== null) this.#teach(this.#shadow);
    });
    return copy;
  }

  /**
   * @param row as its record holds it.
   * @throws HalfspaceError as `OnlineClassifier.learn`; `model-full`. Nothing is changed then.
   */
  learn(row: RawRow, label: Label, importance = 1): void {
    this.#row = row;
    this.#label = label;
    this.#importance = importance;
    this.#classifier.learn(row, label, { importance });
  }

  #teach(shadow: OnlineClassifier): void {
    try {
      shadow.learn(this.#row, this.#label, { importance: this.#importance });
    } catch (error) {
      // A shadow may refuse what its model learns.
      if (error instanceof ModelRefusal && error.reason === 'model-full') throw error;
    }
  }

  /** @throws `shadow-missing`, `model-full`. */
  change(change: ShadowChange): void {
    if (change.kind === 'start') {
      const shadow = this.#copy(new OnlineClassifier(change.options));
      checkSize(this.#budget, sizeOf(shadow), () => null, 'a shadow');
      this.#shadow = shadow;
    } else if (this.#shadow === null)
      throw new ModelRefusal('shadow-missing', 'expected a shadow; got a model without one');
    else if (change.kind === 'drop') this.#shadow = null;
    else if (change.kind === 'promote') [this.#classifier, this.#shadow] = [this.#shadow, this.#classifier];
  }
}
