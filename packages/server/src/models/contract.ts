import type { Explanation, Label, Model, OnlineMember, OnlineOptions, PrequentialResult, RawRow } from 'halfspace';
import type { NewRecord } from '../journal/frame.ts';
import type { ShadowChange } from '../state/control-record.ts';
import type { ShadowReport } from '../state/shadow.ts';
import type { Alarm } from '../watch/alarm.ts';
import type { WatchReport } from '../watch/watcher.ts';

/**
 * The models, as the protocols see them. The code of HTTP uses nothing else of the models, and no model uses HTTP.
 *
 * A learning model is a deterministic machine: its state is a function of what it began with and of the records in its
 * journal, in order. A crash loses no record that was acknowledged, so it loses no state.
 */

/** The state of a model that gave an answer. */
export interface Version {
  /** Number of records in the journal so far; 0 for a frozen model. */
  readonly sequence: number;
  /**
   * 32 hexadecimal digits. For a frozen model: the beginning of the SHA-256 of its file. For a learning model: of a
   * chain of SHA-256 over what it began with and each record since. Equal versions give equal bits.
   */
  readonly digest: string;
}

/** Parts of an answer besides the class and the scores. */
export interface AnswerOptions {
  /** Adds the probabilities of the classes. Default false. */
  readonly probabilities?: boolean | undefined;
  /** Keeps the row, so that its label may follow by {@link ServedModel.feedback}. Default false. */
  readonly remember?: boolean | undefined;
}

export interface Answer {
  /** Name of the prediction, for its label; null if the row was not kept. */
  readonly id: string | null;
  /** The predicted class, of the type of the labels; null before a learning model knows a class. */
  readonly class: Label | null;
  /** As of `Predictor.scores`. */
  readonly scores: readonly number[];
  /** In the order of `classes`; null before a model that calibrates has learned enough; absent if not asked for. */
  readonly probabilities?: readonly number[] | null | undefined;
  /** The learner that answered, where a shadow gives a share of the answers; absent: the model. */
  readonly learner?: 'model' | 'shadow' | undefined;
  /** Of an answer by the shadow: the names of its classes, in the order of the scores. */
  readonly classes?: readonly string[] | undefined;
  /** Fields of the row that the model does not know; null if the row has fields and the model knows all. */
  readonly unknown: readonly string[] | null;
}

/** A row with its label. */
export interface Example {
  readonly row: RawRow;
  readonly label: Label;
  /** In [0, 2⁵³). Default 1. */
  readonly importance?: number | undefined;
  /** Name of the example, up to 128 characters: of the latest examples, one with the same id is not learned twice. */
  readonly id?: string | undefined;
}

/** Outcome of an example. All but a refusal is durable. */
export type Learned =
  | {
      /** Position of the example in the journal, from 1. */
      readonly sequence: number;
      /** True if an earlier example had this id: nothing was learned now, and `sequence` is that of the earlier one. */
      readonly duplicate: boolean;
      /** The answer before it was learned; null for a duplicate. */
      readonly answer: {
        readonly class: Label | null;
        readonly right: boolean | null;
        /** True if a detector gave an alarm on the errors. */
        readonly drift: boolean;
      } | null;
    }
  /** The example cannot be learned: its row, label or importance is wrong. The model is unchanged. */
  | { readonly refused: Error };

/** The content of a model: a frozen model, a new learner, or a learner that goes on. */
export type ModelContent =
  /** The text of a model file, and its model if it has been decoded. */
  | { readonly kind: 'frozen'; readonly file: string; readonly model?: Model | undefined }
  /** Options of a new `OnlineClassifier`. */
  | {
      readonly kind: 'learning';
      readonly options: OnlineOptions;
      readonly limits?: Partial<LearningLimits> | undefined;
    }
  /** The text that `OnlineClassifier.save` returned. */
  | { readonly kind: 'learned'; readonly state: string; readonly limits?: Partial<LearningLimits> | undefined }
  /** A {@link ModelPart} `snapshot`, which goes on: under the same name with the same version. */
  | { readonly kind: 'snapshot'; readonly bytes: Uint8Array; readonly limits?: Partial<LearningLimits> | undefined };

/** A content, or one that has been read. */
export type PutContent = ModelContent | ReadContent;

/** A state or a snapshot that another thread has read, under the name that it gets; see `readContent`. */
export interface ReadContent {
  readonly kind: 'read';
  /** As of `ModelState.parts`. */
  readonly parts: object;
  readonly snapshot: Uint8Array;
  readonly limits?: undefined;
}

/**
 * A file of a model: a model file; the state from which `OnlineClassifier.load` goes on; or all, with the ids, the
 * watcher and the shadow.
 */
export type ModelPart = 'model' | 'state' | 'snapshot';

/** Bounds of the memory of a learning model, besides those in its options (`maxFeatures`, `maxFields`). */
export interface LearningLimits {
  /** Number of the latest ids that are remembered. Default 100,000. */
  readonly ids: number;
  /** Number of the latest predictions that wait for their labels. Default 10,000. */
  readonly predictions: number;
}

/** Bounds of the memory of each model that learns. An example that would exceed one is refused. */
export interface ModelBudget {
  /**
   * Bytes of weights, names and kept values, counted from above. A shadow has as many of its own. The learners are in
   * memory twice, so that what is refused leaves no trace, and a third time while a thread makes a file of them.
   * Default 256 MiB.
   */
  readonly bytes: number;
  /** Number of features: numbers, levels, words, and marks of missing values. Default 2²⁰. */
  readonly features: number;
  /** Number of classes that are told apart. Default 1000. */
  readonly classes: number;
  /** Bytes of the rows that wait for their labels. The oldest ones go first. Default 32 MiB. */
  readonly keptBytes: number;
}

/** Memory of a learner, counted as its {@link ModelBudget} does. */
export interface LearnerUsage extends Pick<ModelBudget, 'bytes' | 'features' | 'classes'> {
  readonly learner: 'model' | 'shadow';
}

/** A model that is asked and, unless it is frozen, taught. Calls that do not return a promise see one whole state. */
export interface ServedModel {
  readonly name: string;
  readonly kind: 'frozen' | 'learning';
  readonly version: Version;
  /** Names of the classes so far, in the order of scores. */
  readonly classes: readonly string[];
  /** Plain data about the model: rule, label, columns, counts. */
  readonly description: ModelDescription;
  /** Figures of the answers before learning; null for a frozen model. */
  readonly metrics: PrequentialResult | null;
  /** Tells why the model takes no examples for now; null if it does, or is frozen. */
  readonly fault: Error | null;
  /** @throws HalfspaceError as `Predictor`. */
  answer(row: RawRow, options?: AnswerOptions): Answer;
  /** @throws HalfspaceError as `Predictor.explain`. */
  explain(row: RawRow, of?: string): Explanation;
  /**
   * Learns from examples, in order. The promise resolves when all that were not refused are durable and learned.
   *
   * @throws `model-frozen`; `model-read-only` after a write failed: no example of this call is acknowledged.
   */
  learn(examples: readonly Example[]): Promise<Learned[]>;
  /**
   * Learns from an answered row, by the id of the answer.
   *
   * @throws `prediction-unknown` if the row is not kept any more, and as {@link learn}.
   */
  feedback(id: string, label: Label, importance?: number): Promise<Learned>;
  /** Returns the model as of now, which must not be changed. @throws HalfspaceError as `OnlineClassifier.model`. */
  snapshot(): Model;
  /** Returns the text of a model file of the present state. @throws HalfspaceError as `OnlineClassifier.model`. */
  modelFile(): string;
  /** Returns the text from which `OnlineClassifier.load` goes on; null for a frozen model. */
  stateFile(): string | null;
  /**
   * Returns a file of the present state. If it is large it is made from the files of the model by a thread, so that
   * answers go on; null for a part that a frozen model does not have.
   *
   * @param sequence number of an earlier record, for a `snapshot` as of then. Default: now.
   * @throws HalfspaceError as {@link modelFile}; `version-unknown` for a record before the last snapshot, or after now.
   */
  file(part: ModelPart, sequence?: number): Promise<{ readonly version: Version; readonly bytes: Uint8Array } | null>;
  /**
   * Finds the records behind a version, and yields them as they come. It ends with the model, or when the signal is
   * aborted and nothing is being written.
   *
   * @throws `model-frozen`; `version-differs` if the files do not reach back to the version, or the model never had it.
   */
  journal(after: Version, signal: AbortSignal): Promise<AsyncIterable<JournalPart>>;
  /** Figures of the stream of examples, with the latest alarms; null for a frozen model. */
  readonly watch: WatchReport | null;
  /** Calls a listener at each alarm, after its example was learned, until the returned function is called. */
  onAlarm(listener: (alarm: Alarm) => void): () => void;
  /** Memory of the model and of its shadow, and bytes of the kept rows; null for a frozen model. */
  readonly usage: { readonly learners: readonly LearnerUsage[]; readonly keptBytes: number } | null;
  /** The second learner beside this one; null: there is none. */
  readonly shadow: ShadowReport | null;
  /**
   * Begins, promotes or drops a shadow, or sets its share of the answers. The promise resolves when that is durable and
   * done.
   *
   * @param id of the change, among those of its kind: one with the id of an earlier one does nothing. A promotion that
   *   is tried again without an id brings the model before back.
   * @throws `model-frozen`; `model-read-only`; `shadow-missing`; `idempotency-key-reused` for another change of the
   *   same id; HalfspaceError `option-invalid` for options of a new shadow.
   */
  changeShadow(change: ShadowChange, id?: string): Promise<void>;
}

export interface ModelDescription {
  readonly rule: string;
  /** The rules that the rule `follow-the-leader` compares; none for another rule. */
  readonly members: readonly OnlineMember[];
  readonly label: string | null;
  /** Columns that a row may have, with the kind of each; of a learning model, those seen so far. */
  readonly columns: readonly { readonly name: string; readonly kind: string; readonly decided: boolean }[];
  /** Notes on columns whose kind may not be what was meant. */
  readonly notes: readonly string[];
  /** Number of rows that the model learned from. */
  readonly examples: number;
}

/** Records of a journal that follow each other. */
export interface JournalPart {
  /** The version behind them. */
  readonly version: Version;
  /** Number of records in the journal. */
  readonly head: number;
  readonly records: readonly NewRecord[];
}

/** A generation of a model that is not in service any more, and whose files are kept. */
export interface KeptVersion {
  /** Its number, as 8 digits. */
  readonly generation: string;
  readonly kind: 'frozen' | 'learning';
  /** Number of the record of its last snapshot; 0 for a frozen model. Records behind it are kept, too. */
  readonly sequence: number;
  /** Size of its files. */
  readonly bytes: number;
}

/**
 * The models of a service, by name. A name has 1 to 64 of the characters a–z, 0–9, `.`, `_` and `-`, and begins with a
 * letter or a digit.
 */
export interface Models {
  /** Lists the models by name. */
  list(): readonly ServedModel[];
  get(name: string): ServedModel | null;
  /**
   * Models that are not served, because their files could not be read at the start, with the reasons. Nothing of their
   * files is changed. {@link retire} moves them to the folder `retired`; until then no model can have these names.
   */
  readonly setAside: ReadonlyMap<string, Error>;
  /** Calls a listener at each alarm of any model, as {@link ServedModel.onAlarm} does. */
  onAlarm(listener: (model: string, alarm: Alarm) => void): () => void;
  /**
   * Creates or replaces a model. Until it returns, answers come from the model before; calls of `learn` that run on it
   * end first, later ones wait for the new model.
   *
   * @param expected the version that is replaced; `none`: a model of this name must not exist; undefined: whatever is
   *   there.
   * @throws `version-differs`; HalfspaceError for a content that cannot be used, `write-failed` if the disk fails or
   *   is full: nothing changes.
   */
  put(name: string, content: PutContent, expected?: Version | 'none'): Promise<ServedModel>;
  /** Takes a model out of service. Its files move to the folder `retired`. @throws as {@link put}. */
  retire(name: string, expected?: Version): Promise<void>;
  /** Lists what was retired or replaced under a name, the latest last. A replacement removes all but the latest 8. */
  kept(name: string): Promise<readonly KeptVersion[]>;
  /**
   * Brings a kept generation into service as it was, in place of the present model, which is kept in turn.
   *
   * @throws `version-unknown`; as {@link put}.
   */
  restore(name: string, generation: string, expected?: Version | 'none'): Promise<ServedModel>;
  /** Removes the files of a kept generation. @throws `version-unknown`. */
  purge(name: string, generation: string): Promise<void>;
  /**
   * Ends: examples that were taken are learned, every state is written, the folder is unlocked.
   *
   * @throws HalfspaceError `write-failed`, at the end, if the files of a model could not be written.
   */
  close(): Promise<void>;
}

/** Reasons for which the models do not do what was asked. */
export type RefusalReason =
  /** A frozen model was to learn. */
  | 'model-frozen'
  /** A model takes no examples for now, because its disk failed or is full. Answers go on. */
  | 'model-read-only'
  /** Too many examples wait to be learned. None of the call was taken. */
  | 'busy'
  /** An example, or a learner, would exceed the budget of a model. */
  | 'model-full'
  /** A row is not kept any more: too many were answered since, or the service started anew. */
  | 'prediction-unknown'
  /** A model is not the one that the caller wanted to replace. */
  | 'version-differs'
  /** No files of a generation are kept. */
  | 'version-unknown'
  /** A model was retired while the call waited. */
  | 'model-unknown'
  /** An id was used for something else. */
  | 'idempotency-key-reused'
  /** The files of a model could not be read at the start. */
  | 'model-set-aside'
  /** A change was sent to a service that follows another one. */
  | 'model-follows'
  /** A model has no shadow. */
  | 'shadow-missing';

/** A refusal by the models, with the reason. */
export class ModelRefusal extends Error {
  override readonly name = 'ModelRefusal';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** The models of a service that follows another one, the writer: it answers, and learns what the writer learned. */
export interface FollowingModels extends Models {
  /** Creates or replaces a model. @throws as {@link Models.put}. */
  take(name: string, content: ModelContent): Promise<ServedModel>;
  /** Takes a model out of service, or one that was set aside. @throws as {@link Models.retire}. */
  drop(name: string): Promise<void>;
  /**
   * Makes records of the writer durable, and learns them.
   *
   * @throws `version-differs` if they do not lead from the version of the model to that of the part, and nothing is
   *   changed; `model-read-only`.
   */
  append(name: string, part: JournalPart): Promise<void>;
}

/** The lag of a service that follows another one. */
export interface Following {
  /** URL of the writer. */
  readonly writer: string;
  /** Seconds since the writer sent something; null: it never did. */
  readonly contactSeconds: number | null;
  /** Number of the writer's models that are not served yet. */
  readonly missing: number;
  /** Returns how many records of a model are not here yet, as far as the writer told; null: nothing is known of it. */
  behind(name: string): number | null;
}

/** Makes the refusal of a change by a service that follows another one. */
export function follows(writer: string): ModelRefusal {
  return new ModelRefusal('model-follows', `expected changes at the writer, ${writer}; got one at a follower of it`);
}

/** Makes the refusal of a name that was set aside. The place of the fault is in the log only. */
export function isSetAside(name: string): ModelRefusal {
  return new ModelRefusal(
    'model-set-aside',
    `expected a model in service; got "${name}", whose files could not be read at the start (the log tells why): ` +
      `repair them and start again, or DELETE /v1/models/${name}, which moves them to the folder retired`,
  );
}
