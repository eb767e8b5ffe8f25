import { type Label, OnlineClassifier, type RawRow } from 'halfspace';
import { bareCopy } from 'halfspace/internal';
import type { ShadowChange } from '../state/control-record.ts';
import type { ModelState } from '../state/model-state.ts';
import { ShadowMissing } from './contract.ts';

/**
 * The learners as they will be when all records that wait for the disk are learned. A record is refused if it cannot be
 * applied here. So it is decided before the journal has it, and what is refused leaves no trace.
 */
export class Lookahead {
  #classifier: OnlineClassifier;
  #shadow: OnlineClassifier | null;

  /** @param state no record waits for. */
  constructor({ classifier, shadow }: ModelState) {
    this.#classifier = bareCopy(classifier);
    this.#shadow = shadow === null ? null : bareCopy(shadow.classifier);
  }

  /** @param row as its record holds it. @throws HalfspaceError as `OnlineClassifier.learn`; nothing is changed then. */
  learn(row: RawRow, label: Label, importance = 1): void {
    this.#classifier.learn(row, label, { importance });
    if (this.#shadow === null || importance === 0) return;
    try {
      this.#shadow.learn(row, label, { importance });
    } catch {
      // A shadow may refuse what its model learns.
    }
  }

  /** @throws ShadowMissing. */
  change(change: ShadowChange): void {
    if (change.kind === 'start') this.#shadow = new OnlineClassifier(change.options);
    else if (this.#shadow === null) throw new ShadowMissing('expected a shadow; got a model without one');
    else if (change.kind === 'drop') this.#shadow = null;
    else [this.#classifier, this.#shadow] = [this.#shadow, this.#classifier];
  }
}
