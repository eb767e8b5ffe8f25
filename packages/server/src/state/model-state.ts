import { type DriftEvent, HalfspaceError, OnlineClassifier } from 'halfspace';
import { bodyOf, kindOf } from '../journal/frame.ts';
import { chained, digestOf } from './chain.ts';
import { exampleKind, parseExample } from './example-record.ts';
import { RecentIds } from './recent-ids.ts';
import { decodeSnapshot, encodeSnapshot } from './snapshot-file.ts';

/** Result of a record. */
export type Applied =
  | {
      readonly id: string | null;
      readonly class: string | null;
      readonly right: boolean | null;
      readonly drift: boolean;
    }
  | { readonly id: string | null; readonly refused: HalfspaceError };

/**
 * The state of a learning model: a function of what it began with and of the records since, in order. No clock, no
 * random number and no setting of the service has a part in it.
 */
export class ModelState {
  readonly classifier: OnlineClassifier;
  readonly ids: RecentIds;
  #sequence: number;
  #digest: string;

  private constructor(classifier: OnlineClassifier, ids: RecentIds, sequence: number, digest: string) {
    this.classifier = classifier;
    this.ids = ids;
    this.#sequence = sequence;
    this.#digest = digest;
  }

  /** Begins at sequence number 0. @param ids number of the latest ids that are remembered. */
  static begin(classifier: OnlineClassifier, ids: number): ModelState {
    return new ModelState(classifier, new RecentIds(ids), 0, digestOf(`${ids}\n${classifier.save()}`));
  }

  /**
   * Goes on from the result of {@link snapshot}.
   *
   * @throws HalfspaceError `source-corrupt` if it is damaged, `model-invalid` as `OnlineClassifier.load`.
   */
  static load(bytes: Uint8Array, onDrift?: (event: DriftEvent) => void): ModelState {
    const { sequence, digest, limit, ids, classifier } = decodeSnapshot(bytes);
    const recent = new RecentIds(limit);
    for (const [id, at] of ids) recent.add(id, at);
    return new ModelState(OnlineClassifier.load(classifier, { onDrift }), recent, sequence, digest);
  }

  /** Number of records so far. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Digest of what it began with and of all records. */
  get digest(): string {
    return this.#digest;
  }

  /** Applies the next record. An example that the classifier refuses is counted and changes nothing else. */
  apply(payload: Uint8Array): Applied {
    if (kindOf(payload) !== exampleKind)
      throw new HalfspaceError(
        'source-corrupt',
        `expected a record of kind ${exampleKind}; got kind ${kindOf(payload)}, of a newer version of the service`,
      );
    const { id, label, importance, row } = parseExample(bodyOf(payload));
    const sequence = this.#sequence + 1;
    const digest = chained(this.#digest, payload);
    let applied: Applied;
    try {
      const { class: name, right, drift } = this.classifier.learn(row, label, { importance });
      applied = { id, class: name, right, drift };
      if (id !== null) this.ids.add(id, sequence);
    } catch (error) {
      if (!(error instanceof HalfspaceError)) throw error;
      applied = { id, refused: error };
    }
    this.#sequence = sequence;
    this.#digest = digest;
    return applied;
  }

  /** Returns the whole state as bytes. Equal states give equal bytes. */
  snapshot(): Uint8Array {
    return encodeSnapshot({
      sequence: this.#sequence,
      digest: this.#digest,
      limit: this.ids.limit,
      ids: this.ids.list(),
      classifier: this.classifier.save(),
    });
  }
}
