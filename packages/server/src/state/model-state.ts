import { HalfspaceError, type Label, OnlineClassifier } from 'halfspace';
import { quote } from 'halfspace/checks';
import { fromState, lastLearned, sizeOf, stateOf } from 'halfspace/online';
import { bodyOf, kindOf, payloadHeaderBytes } from '../journal/frame.ts';
import type { Alarm } from '../watch/alarm.ts';
import { Watcher } from '../watch/watcher.ts';
import { chained, digestOf } from './chain.ts';
import { newestKind, parseShadowChange, type ShadowChange } from './control-record.ts';
import {
  exampleKind,
  namedExampleKind,
  parseExample,
  type RecordedExample,
  readNamedExample,
} from './example-record.ts';
import { RecentIds } from './recent-ids.ts';
import { RowNames, type RowNamesState } from './row-names.ts';
import { Shadow, type ShadowState } from './shadow.ts';
import { decodeSnapshot, encodeSnapshot } from './snapshot-file.ts';

/** Result of a record. */
export interface Applied {
  readonly class: Label | null;
  readonly right: boolean | null;
  /** True at an alarm on the errors: of the detector of the option `drift`, or of the watcher without one. */
  readonly drift: boolean;
  readonly alarms: readonly Alarm[];
}

/** A state as plain data, for another thread. */
export interface StateParts extends Pick<ModelState, 'name' | 'sequence' | 'digest'> {
  /** Largest number of ids. */
  readonly limit: number;
  readonly names: RowNamesState;
  readonly ids: readonly (readonly [id: string, sequence: number])[];
  /** State of the watcher. */
  readonly watch: unknown;
  /** Result of `stateOf`. */
  readonly classifier: object;
  /** Null: there is none. */
  readonly shadow: { readonly state: ShadowState; readonly classifier: object } | null;
}

const changed: Applied = { class: null, right: null, drift: false, alarms: [] };

/**
 * The state of a learning model: a function of what it began with and of the records since, in order. No clock, no
 * random number and no setting of the service has a part in it.
 */
export class ModelState {
  /** Name of the model, which its digests have a part of. */
  readonly name: string;
  readonly ids: RecentIds;
  /** Names of the fields of the latest rows. */
  readonly names: RowNames;
  #classifier: OnlineClassifier;
  #watcher: Watcher;
  #shadow: Shadow | null;
  #sequence: number;
  #digest: string;

  private constructor(
    name: string,
    classifier: OnlineClassifier,
    ids: RecentIds,
    names: RowNames,
    watcher: Watcher,
    shadow: Shadow | null,
    sequence: number,
    digest: string,
  ) {
    this.name = name;
    this.#classifier = classifier;
    this.ids = ids;
    this.names = names;
    this.#watcher = watcher;
    this.#shadow = shadow;
    this.#sequence = sequence;
    this.#digest = digest;
  }

  /**
   * Begins at sequence number 0.
   *
   * @param ids number of the latest ids that are remembered.
   * @param state text from which the classifier was loaded.
   */
  static begin(name: string, classifier: OnlineClassifier, ids: number, state = classifier.save()): ModelState {
    const digest = digestOf(`${name}\n${ids}\n${state}`);
    return new ModelState(name, classifier, new RecentIds(ids), new RowNames(), new Watcher(), null, 0, digest);
  }

  /**
   * Goes on from the result of {@link snapshot}.
   *
   * @param name that of the model.
   * @param others takes the snapshot of a model of another name, too. Then the digest becomes one of this name.
   * @throws HalfspaceError `source-corrupt` if it is damaged, or of another model; `model-invalid` as
   *   `OnlineClassifier.load`.
   */
  static load(bytes: Uint8Array, name: string, others: 'taken' | 'refused' = 'refused'): ModelState {
    const parts = decodeSnapshot(bytes);
    const { name: given, digest, classifier, shadow } = parts;
    if (given !== name && others === 'refused') throw ofAnotherModel(name, given);
    const own = { ...parts, name, digest: given === name ? digest : digestOf(`${name}\n${digest}`) };
    const load = (text: string) => OnlineClassifier.load(text);
    return ModelState.#of(
      own,
      load(classifier),
      shadow === null ? null : Shadow.from(shadow.state, load(shadow.classifier)),
    );
  }

  /** Goes on from the result of {@link parts}, which is not checked. */
  static from(parts: StateParts): ModelState {
    const { classifier, shadow } = parts;
    return ModelState.#of(
      parts,
      fromState(classifier),
      shadow === null ? null : Shadow.from(shadow.state, fromState(shadow.classifier)),
    );
  }

  static #of(
    { name, sequence, digest, limit, names, ids, watch }: Omit<StateParts, 'classifier' | 'shadow'>,
    classifier: OnlineClassifier,
    shadow: Shadow | null,
  ): ModelState {
    const recent = new RecentIds(limit);
    for (const [id, at] of ids) recent.add(id, at);
    return new ModelState(
      name,
      classifier,
      recent,
      RowNames.from(names),
      Watcher.from(watch),
      shadow,
      sequence,
      digest,
    );
  }

  /** The learner in service. A promotion replaces it. */
  get classifier(): OnlineClassifier {
    return this.#classifier;
  }

  get watcher(): Watcher {
    return this.#watcher;
  }

  /** Null: there is none. */
  get shadow(): Shadow | null {
    return this.#shadow;
  }

  /** Number of records so far. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Digest of what it began with and of all records. */
  get digest(): string {
    return this.#digest;
  }

  /**
   * Applies the next record.
   *
   * @param bytes the payload of the record is from `from` to `to`.
   * @throws HalfspaceError for a record that does not fit the state, which no journal should have.
   */
  apply(bytes: Buffer, from = 0, to = bytes.length): Applied {
    const kind = kindOf(bytes, from);
    const sequence = this.#sequence + 1;
    let applied: Applied;
    if (kind === namedExampleKind)
      applied = this.#learn(readNamedExample(bytes, from + payloadHeaderBytes, to, this.names), sequence);
    else if (kind === exampleKind) applied = this.#learn(parseExample(bodyOf(bytes, from, to)), sequence);
    else {
      const recorded = parseShadowChange(kind, bodyOf(bytes, from, to));
      if (recorded === null)
        throw new HalfspaceError(
          'source-corrupt',
          `expected a record of kind 1 to ${newestKind}; got kind ${kind}, of a newer version of the service`,
        );
      applied = this.#change(recorded.change, sequence);
      if (recorded.id !== null) this.ids.add(recorded.id, sequence);
    }
    this.#digest = chained(this.#digest, bytes, from, to);
    this.#sequence = sequence;
    return applied;
  }

  #learn({ id, label, importance, row }: RecordedExample, sequence: number): Applied {
    const answer = this.#classifier.learn(row, label, importance === 1 ? undefined : { importance });
    if (id !== null) this.ids.add(id, sequence);
    const { class: name, right } = answer;
    if (importance === 0) return { class: name, right, drift: false, alarms: [] };
    const alarms = this.#watcher.update(lastLearned(this.#classifier)!, answer, sequence);
    this.#shadow?.learn(row, label, importance, right);
    return { class: name, right, drift: alarms.some(({ of }) => of === 'error'), alarms };
  }

  #change(change: ShadowChange, sequence: number): Applied {
    if (change.kind === 'start') this.#shadow = new Shadow(new OnlineClassifier(change.options), sequence);
    else if (change.kind === 'drop') this.#shadow = null;
    else {
      if (this.#shadow === null)
        throw new HalfspaceError('source-corrupt', 'expected a shadow to change; got a model without one');
      if (change.kind === 'share') {
        this.#shadow.share = change.share;
        return changed;
      }
      const { classifier } = this.#shadow;
      this.#shadow = new Shadow(this.#classifier, sequence);
      this.#classifier = classifier;
      this.#watcher = this.#watcher.renewed();
    }
    return changed;
  }

  /** About the number of bytes of {@link snapshot}. */
  get size(): number {
    const learners =
      sizeOf(this.#classifier).bytes + (this.#shadow === null ? 0 : sizeOf(this.#shadow.classifier).bytes);
    return learners + 40 * this.ids.count + 2048 * this.#classifier.columns.length;
  }

  /** Returns the whole state as bytes. Equal states give equal bytes. */
  snapshot(): Uint8Array {
    return encodeSnapshot(this.#partsBy((classifier) => classifier.save()));
  }

  /** Returns the whole state as plain data, which shares no memory with it. */
  parts(): StateParts {
    return this.#partsBy(stateOf);
  }

  #partsBy<C>(partOf: (classifier: OnlineClassifier) => C) {
    const shadow = this.#shadow;
    return {
      name: this.name,
      sequence: this.#sequence,
      digest: this.#digest,
      limit: this.ids.limit,
      names: this.names.state(),
      ids: this.ids.list(),
      watch: this.#watcher.state(),
      classifier: partOf(this.#classifier),
      shadow: shadow === null ? null : { state: shadow.state(), classifier: partOf(shadow.classifier) },
    };
  }
}

/** Makes the refusal of files that were made for a model of another name. */
export function ofAnotherModel(name: string, given: string): HalfspaceError {
  return new HalfspaceError(
    'source-corrupt',
    `expected files of the model ${quote(name)}; got those of ${quote(given)}: rename the folder back, or PUT its snapshot under the new name`,
  );
}
