import {
  type Explanation,
  encodeModel,
  HalfspaceError,
  type Label,
  type Model,
  type OnlineClassifier,
  type PrequentialResult,
  type RawRow,
} from 'halfspace';
import { quote } from 'halfspace/checks';
import { probabilitiesOf, sizeOf } from 'halfspace/online';
import { encodeGroup } from '../journal/frame.ts';
import { chained } from '../state/chain.ts';
import { changeJson, type ShadowChange, shadowDraft } from '../state/control-record.ts';
import {
  checkId,
  type Draft,
  exampleContent,
  exampleDraft,
  lessonJson,
  type RowJson,
  recordedRow,
  rowJson,
  rowOf,
} from '../state/example-record.ts';
import type { Applied, ModelState } from '../state/model-state.ts';
import { contentOf, recordedId } from '../state/recent-ids.ts';
import type { ShadowReport } from '../state/shadow.ts';
import type { Alarm } from '../watch/alarm.ts';
import type { WatchReport } from '../watch/watcher.ts';
import { Bell } from './bell.ts';
import {
  type Answer,
  type AnswerOptions,
  type Example,
  follows,
  type JournalPart,
  type Learned,
  type LearnerUsage,
  type ModelDescription,
  type ModelPart,
  ModelRefusal,
  type Version,
} from './contract.ts';
import type { InnerModel } from './inner-model.ts';
import { partsOf } from './journal-tail.ts';
import { KeptRows } from './kept-rows.ts';
import type { LearningFiles } from './learning-files.ts';
import { LearningQueue, Outcomes, type Waiting } from './learning-queue.ts';
import { Lookahead } from './lookahead.ts';
import type { Settings } from './settings.ts';
import { unknownOf } from './unknown.ts';

/** An id and the digest of what it stands for. */
interface NamedContent {
  readonly id: string;
  readonly content: string;
}

/**
 * A model that learns durably. Groups commit without a timer: while one group is written and synced, the next one
 * gathers. An example is accepted or refused, then appended, durable, learned, and acknowledged. While a group is
 * written, the group before it is learned.
 */
export class LearningModel implements InnerModel {
  readonly kind = 'learning';
  readonly #name: string;
  readonly #files: LearningFiles;
  readonly #state: ModelState;
  readonly #settings: Settings;
  readonly #listeners = new Set<(alarm: Alarm) => void>();
  /** Rings when records were learned, and at the end. */
  readonly bell = new Bell();
  readonly #queue = new LearningQueue();
  readonly #kept: KeptRows;
  /** Decides what is refused; null: it is made by the next call that learns, when nothing waits. */
  #ahead: Lookahead | null = null;
  /** The loop that writes groups; null: none runs. */
  #running: Promise<void> | null = null;
  #fault: ModelRefusal | null = null;
  #retry: NodeJS.Timeout | null = null;
  #recovering: Promise<void> | null = null;
  #isPaused = false;
  #isClosed = false;
  /** Repairs that must succeed before examples are taken again. */
  readonly #repairs: (() => Promise<void>)[] = [];

  /** @param predictions number of the latest rows that are kept for their labels. */
  constructor(name: string, files: LearningFiles, settings: Settings, predictions: number) {
    this.#name = name;
    this.#files = files;
    this.#state = files.state;
    this.#settings = settings;
    this.#kept = new KeptRows(predictions, settings.budget.keptBytes);
  }

  get version(): Version {
    const { sequence, digest } = this.#state;
    return { sequence, digest };
  }

  get classes(): readonly string[] {
    return this.#state.classifier.classes;
  }

  get description(): ModelDescription {
    const { rule, members, label, columns, notes, examples } = this.#state.classifier;
    return { rule, members, label, columns, notes, examples };
  }

  get metrics(): PrequentialResult {
    return this.#state.classifier.metrics;
  }

  get fault(): Error | null {
    return this.#fault;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  onRead(): void {
    this.#files.onRead();
  }

  get isIdle(): boolean {
    return this.#running === null;
  }

  answer(row: RawRow, { probabilities = false, remember = false }: AnswerOptions = {}): Answer {
    if (remember && this.#settings.writer !== null) throw follows(this.#settings.writer);
    const { classifier, shadow } = this.#state;
    if (shadow === null || shadow.share === 0) return this.#answerOf(classifier, row, probabilities, remember);
    if (shadow.answers(row))
      try {
        const answer = this.#answerOf(shadow.classifier, row, probabilities, remember);
        return { ...answer, learner: 'shadow', classes: shadow.classifier.classes };
      } catch (error) {
        // It may refuse what its model answers.
        if (!(error instanceof HalfspaceError)) throw error;
      }
    return { ...this.#answerOf(classifier, row, probabilities, remember), learner: 'model' };
  }

  #answerOf(classifier: OnlineClassifier, row: RawRow, probabilities: boolean, remember: boolean): Answer {
    const scores = Array.from(classifier.scores(row));
    return {
      class: classifier.predict(row),
      scores,
      probabilities: probabilities ? probabilitiesOf(classifier, row) : undefined,
      id: remember ? this.#kept.add(rowJson(row)) : null,
      unknown: unknownOf(row, classifier),
    };
  }

  explain(row: RawRow, of?: string): Explanation {
    return this.#state.classifier.explain(row, of);
  }

  async learn(examples: readonly Example[]): Promise<Learned[]> {
    this.#checkOpen();
    this.#checkRoom();
    const outcomes = new Outcomes(examples.length);
    for (const [position, example] of examples.entries()) {
      try {
        const { id, row, label, importance } = example;
        const lesson = lessonJson(label, importance);
        const json = rowJson(row);
        const named = id === undefined ? null : { id: checkId(id), content: exampleContent(lesson, json) };
        if (named !== null && this.#isKnown(named, outcomes, position)) continue;
        this.#addExample(named, lesson, json, recordedRow(row, json), label, importance, outcomes, position);
      } catch (error) {
        outcomes.settle(position, { refused: error as Error });
      }
    }
    return outcomes.promise;
  }

  async feedback(id: string, label: Label, importance?: number): Promise<Learned> {
    this.#checkOpen();
    this.#checkRoom();
    const outcomes = new Outcomes(1);
    const lesson = lessonJson(label, importance);
    // A label that comes again finds the id of the example, even when the row is not kept any more.
    if (!this.#isKnown({ id, content: contentOf(lesson) }, outcomes, 0)) {
      const row = this.#kept.get(id);
      try {
        this.#addExample(
          { id, content: exampleContent(lesson, row) },
          lesson,
          row,
          rowOf(row),
          label,
          importance,
          outcomes,
          0,
        );
      } catch (error) {
        outcomes.settle(0, { refused: error as Error });
      }
    }
    return (await outcomes.promise)[0]!;
  }

  snapshot(): Model {
    return this.#state.classifier.model();
  }

  modelFile(): string {
    return encodeModel(this.#state.classifier.model());
  }

  stateFile(): string {
    return this.#state.classifier.save();
  }

  file(part: ModelPart, sequence?: number) {
    return sequence === undefined ? this.#files.part(part) : this.#files.snapshotAt(sequence);
  }

  async journal(after: Version, signal: AbortSignal) {
    return partsOf(await this.#files.tail(after), this, signal);
  }

  append(part: JournalPart): Promise<void> {
    const appended = this.#append(part).finally(() => {
      this.#running = null;
      this.bell.ring();
    });
    this.#running = appended.catch(() => {});
    return appended;
  }

  async #append({ version, records }: JournalPart): Promise<void> {
    this.#checkFault();
    const first = this.#state.sequence + 1;
    const { payloads } = encodeGroup(records, first, 0, 0);
    const digest = payloads.reduce((before, payload) => chained(before, payload), this.#state.digest);
    if (digest !== version.digest)
      throw new ModelRefusal(
        'version-differs',
        `expected records that lead from ${first - 1}-${this.#state.digest} to ${version.sequence}-${version.digest}; got others`,
      );
    try {
      if (this.#files.isSnapshotDue) await this.#rotate();
      for (const payload of await this.#files.append(records, first)) this.#outcomeOf(this.#apply(payload));
    } catch (error) {
      if (this.#fault === null) this.block(error);
      throw this.#fault!;
    }
  }

  #rotate(): Promise<void> {
    return this.#files.rotate((error) => {
      this.#note('warn', `could not write a snapshot (${reasonOf(error)}); the journal stays until the next one`);
    });
  }

  get watch(): WatchReport {
    return this.#state.watcher.report();
  }

  onAlarm(listener: (alarm: Alarm) => void): () => void {
    const own = (alarm: Alarm) => listener(alarm);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  get usage() {
    const { classifier, shadow } = this.#state;
    const learners: LearnerUsage[] = [{ learner: 'model', ...sizeOf(classifier) }];
    if (shadow !== null) learners.push({ learner: 'shadow', ...sizeOf(shadow.classifier) });
    return { learners, keptBytes: this.#kept.bytes };
  }

  get shadow(): ShadowReport | null {
    return this.#state.shadow?.report ?? null;
  }

  async changeShadow(change: ShadowChange, id?: string): Promise<void> {
    this.#checkOpen();
    const outcomes = new Outcomes(1);
    const options = changeJson(change);
    // Each kind of change has ids of its own, which no example has.
    const named = id === undefined ? null : { id: `\x01${change.kind}/${checkId(id)}`, content: contentOf(options) };
    if (named === null || !this.#isKnown(named, outcomes, 0)) {
      const draft = shadowDraft(named && recordedId(named.id, named.content), change, options);
      this.#lookahead().change(change);
      this.#add(named, draft, outcomes, 0);
    }
    await outcomes.promise;
  }

  async pause(): Promise<void> {
    this.#isPaused = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
    await this.#recovering;
    await this.#idle();
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#fault !== null) this.#tryLater();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.bell.ring();
    await this.pause();
    if (this.#fault !== null) return this.#files.abandon();
    await this.#files.close();
  }

  async abandon(): Promise<void> {
    this.#isClosed = true;
    this.bell.ring();
    await this.pause();
    await this.#files.abandon();
  }

  block(cause: unknown, repair: () => Promise<void> = () => this.#files.settle()): void {
    this.#repairs.push(repair);
    const message = `expected to write to the disk; got ${reasonOf(cause)}: the model takes no examples for now`;
    this.#fault = new ModelRefusal('model-read-only', message, { cause });
    this.#note('error', message);
    this.#tryLater();
  }

  #checkOpen(): void {
    if (this.#settings.writer !== null) throw follows(this.#settings.writer);
    this.#checkFault();
  }

  #checkFault(): void {
    if (this.#isClosed) throw new ModelRefusal('model-read-only', 'expected a model in service; got one that ends');
    if (this.#fault !== null) throw this.#fault;
  }

  #checkRoom(): void {
    if (this.#queue.isFull)
      throw new ModelRefusal('busy', 'expected room for examples; got too many that wait for the disk');
  }

  /**
   * Tests if an example has the id of one that was learned or waits. Then it gets the outcome of that one.
   *
   * @param named its content may be the beginning of what is compared.
   * @throws `idempotency-key-reused` if that one was another.
   */
  #isKnown({ id, content }: NamedContent, outcomes: Outcomes, position: number): boolean {
    const used = this.#state.ids.get(id);
    const pending = used === undefined ? this.#queue.pending(id) : undefined;
    if (!(used ?? pending ?? { content }).content.startsWith(content))
      throw new ModelRefusal(
        'idempotency-key-reused',
        'expected what an earlier request with this id or Idempotency-Key had; got something else: give it another one',
      );
    if (used !== undefined) {
      outcomes.settle(position, { sequence: used.sequence, duplicate: true, answer: null });
      return true;
    }
    if (pending === undefined) return false;
    pending.followers ??= [];
    pending.followers.push({ outcomes, position });
    return true;
  }

  #lookahead(): Lookahead {
    this.#ahead ??= new Lookahead(this.#state, this.#settings.budget);
    return this.#ahead;
  }

  /** @throws HalfspaceError for an example that cannot be learned after those that wait. */
  #addExample(
    named: NamedContent | null,
    lesson: string,
    json: RowJson,
    row: RawRow,
    label: Label,
    importance: number | undefined,
    outcomes: Outcomes,
    position: number,
  ): void {
    const draft = exampleDraft(named && recordedId(named.id, named.content), lesson, json);
    this.#lookahead().learn(row, typeof label === 'bigint' ? String(label) : label, importance);
    this.#add(named, draft, outcomes, position);
  }

  #add(named: NamedContent | null, { kind, begin, names, end }: Draft, outcomes: Outcomes, position: number): void {
    const { id, content } = named ?? { id: null, content: '' };
    this.#queue.add({ kind, begin, names, end, id, content, outcomes, position, followers: null });
    this.#running ??= this.#run();
  }

  /** Writes groups until the queue is empty. */
  async #run(): Promise<void> {
    // Examples of calls in the same turn come into one group.
    await null;
    /** A group that is durable and not yet learned. */
    let durable: readonly Waiting[] = [];
    let payloads: readonly Buffer[] = [];
    let writing: readonly Waiting[] = [];
    try {
      while (durable.length > 0 || !this.#queue.isEmpty) {
        if (this.#files.isSnapshotDue) {
          this.#learnGroup(durable, payloads);
          durable = [];
          await this.#rotate();
        }
        writing = this.#queue.take();
        const first = this.#state.sequence + durable.length + 1;
        const written = writing.length === 0 ? null : this.#files.write(writing, first);
        // The rejection is met below, after the group before was learned.
        written?.catch(() => {});
        this.#learnGroup(durable, payloads);
        durable = [];
        if (written !== null) payloads = await written;
        durable = writing;
        writing = [];
      }
    } catch (error) {
      if (this.#fault === null) this.block(error);
      this.#queue.fail([...durable, ...writing], this.#fault!);
      this.#ahead = null;
    } finally {
      this.#running = null;
    }
  }

  #learnGroup(group: readonly Waiting[], payloads: readonly Buffer[]): void {
    for (let k = 0; k < group.length; k++) {
      this.#queue.settle(group[k]!, this.#outcomeOf(this.#apply(payloads[k]!)));
    }
    if (group.length > 0) this.bell.ring();
  }

  #apply(payload: Buffer): Applied {
    try {
      return this.#state.apply(payload);
    } catch (error) {
      // A fault of the program: the state may be half changed, and must never be written.
      this.block(error, () => Promise.reject(error));
      throw error;
    }
  }

  #outcomeOf({ class: name, right, drift, alarms }: Applied) {
    for (const alarm of alarms) this.#tell(alarm);
    return { sequence: this.#state.sequence, duplicate: false, answer: { class: name, right, drift } };
  }

  /** Calls the listeners in a later turn, so that none of them can disturb the learning. */
  #tell(alarm: Alarm): void {
    for (const listener of this.#listeners) queueMicrotask(() => listener(alarm));
  }

  #tryLater(): void {
    if (this.#retry !== null || this.#recovering !== null || this.#isPaused) return;
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.#recovering = this.#recover().finally(() => {
        this.#recovering = null;
        if (this.#fault !== null) this.#tryLater();
      });
    }, this.#settings.retryAfter);
    this.#retry.unref();
  }

  async #idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  async #recover(): Promise<void> {
    await this.#idle();
    try {
      for (; this.#repairs.length > 0; this.#repairs.shift()) await this.#repairs[0]!();
    } catch {
      return;
    }
    this.#fault = null;
    this.#note('info', 'the disk can be written again; the model takes examples');
  }

  #note(level: 'info' | 'warn' | 'error', message: string): void {
    this.#settings.onNote({ level, model: this.#name, message });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : quote(error);
}
