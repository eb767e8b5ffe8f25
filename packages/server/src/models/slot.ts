import type { Explanation, Label, Model, PrequentialResult, RawRow } from 'halfspace';
import type { ShadowChange } from '../state/control-record.ts';
import type { ShadowReport } from '../state/shadow.ts';
import type { Alarm } from '../watch/alarm.ts';
import type { WatchReport } from '../watch/watcher.ts';
import {
  type Answer,
  type AnswerOptions,
  type Example,
  type Learned,
  type ModelDescription,
  ModelRefusal,
  type ServedModel,
  type Version,
} from './contract.ts';
import type { InnerModel } from './inner-model.ts';

/** A model by its name. Answers always come from one generation; calls that learn wait while it is replaced. */
export class Slot implements ServedModel {
  readonly name: string;
  #model: InnerModel;
  #isRetired = false;
  /** Resolves when calls that learn may go on; null: they may. */
  #gate: Promise<void> | null = null;
  /** Listeners of alarms, each with what ends it at the present generation. */
  readonly #listeners = new Map<(alarm: Alarm) => void, () => void>();

  constructor(name: string, model: InnerModel) {
    this.name = name;
    this.#model = model;
  }

  get kind(): 'frozen' | 'learning' {
    return this.#model.kind;
  }

  get version(): Version {
    return this.#model.version;
  }

  get classes(): readonly string[] {
    return this.#model.classes;
  }

  get description(): ModelDescription {
    return this.#model.description;
  }

  get metrics(): PrequentialResult | null {
    return this.#model.metrics;
  }

  get fault(): Error | null {
    return this.#model.fault;
  }

  /** The generation in service. */
  get model(): InnerModel {
    return this.#model;
  }

  answer(row: RawRow, options?: AnswerOptions): Answer {
    return this.#model.answer(row, options);
  }

  explain(row: RawRow, of?: string): Explanation {
    return this.#model.explain(row, of);
  }

  learn(examples: readonly Example[]): Promise<Learned[]> {
    return this.#whenOpen(() => this.#model.learn(examples));
  }

  feedback(id: string, label: Label, importance?: number): Promise<Learned> {
    return this.#whenOpen(() => this.#model.feedback(id, label, importance));
  }

  snapshot(): Model {
    return this.#model.snapshot();
  }

  modelFile(): string {
    return this.#model.modelFile();
  }

  stateFile(): string | null {
    return this.#model.stateFile();
  }

  file(...asked: Parameters<ServedModel['file']>): ReturnType<ServedModel['file']> {
    return this.#model.file(...asked);
  }

  async journal(...asked: Parameters<ServedModel['journal']>): ReturnType<ServedModel['journal']> {
    if (this.#model.journal !== undefined) return this.#model.journal(...asked);
    throw new ModelRefusal('model-frozen', 'expected a model that learns; got a frozen one, which has no journal');
  }

  get watch(): WatchReport | null {
    return this.#model.watch;
  }

  get usage(): ServedModel['usage'] {
    return this.#model.usage;
  }

  get shadow(): ShadowReport | null {
    return this.#model.shadow;
  }

  changeShadow(change: ShadowChange, id?: string): Promise<void> {
    return this.#whenOpen(() => this.#model.changeShadow(change, id));
  }

  onAlarm(listener: (alarm: Alarm) => void): () => void {
    const own = (alarm: Alarm) => listener(alarm);
    this.#listeners.set(own, this.#model.onAlarm(own));
    return () => {
      this.#listeners.get(own)?.();
      this.#listeners.delete(own);
    };
  }

  /**
   * Holds calls that learn until `change` ends, and lets those before it end first.
   *
   * @throws `version-differs` if the model is not the expected one then; all that `change` throws.
   */
  async hold(expected: Version | undefined, change: () => Promise<void>): Promise<void> {
    let open = () => {};
    this.#gate = new Promise((resolve) => {
      open = resolve;
    });
    const model = this.#model;
    try {
      await model.pause();
      if (expected !== undefined) checkVersion(this.name, model.version, expected);
      await change();
    } finally {
      if (this.#model === model) model.resume();
      this.#gate = null;
      open();
    }
  }

  /** Brings another generation into service. */
  replace(model: InnerModel): void {
    this.#model = model;
    for (const listener of this.#listeners.keys()) this.#listeners.set(listener, model.onAlarm(listener));
  }

  retire(): void {
    this.#isRetired = true;
  }

  /** Calls in the same turn if it may, so that {@link hold} waits for it. */
  async #whenOpen<T>(call: () => Promise<T>): Promise<T> {
    while (this.#gate !== null) await this.#gate;
    if (this.#isRetired)
      throw new ModelRefusal('model-unknown', `expected a model in service; got "${this.name}", which was retired`);
    return call();
  }
}

/** @throws `version-differs`. */
export function checkVersion(name: string, version: Version, expected: Version | 'none'): void {
  if (expected !== 'none' && version.sequence === expected.sequence && version.digest === expected.digest) return;
  const wanted = expected === 'none' ? 'no model of this name' : `version ${expected.sequence}-${expected.digest}`;
  throw new ModelRefusal(
    'version-differs',
    `expected ${wanted}; got "${name}" with version ${version.sequence}-${version.digest}`,
  );
}
