import { createHash } from 'node:crypto';
import { decodeModel, encodeModel, OnlineClassifier, type OnlineOptions, Predictor } from 'halfspace';
import {
  type Answer,
  type Example,
  type Learned,
  type ModelPart,
  ModelRefusal,
  type Models,
  type ServedModel,
  type Version,
} from '../../src/models/contract.ts';

/*
 * Models without files, for tests of HTTP: a naive learner, whose disk can be made to fail.
 */

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

export class NaiveModel implements ServedModel {
  readonly name: string;
  readonly kind;
  fault: Error | null = null;
  readonly usage = null;
  readonly #file: string | null;
  readonly #asked: Predictor | null;
  readonly #learner: OnlineClassifier | null;
  readonly #ids = new Map<string, number>();
  readonly #kept = new Map<string, Example['row']>();
  #sequence = 0;
  #digest: string;

  constructor(name: string, content: { file: string } | { options: OnlineOptions } | { state: string }) {
    this.name = name;
    this.kind = 'file' in content ? ('frozen' as const) : ('learning' as const);
    this.#file = 'file' in content ? content.file : null;
    this.#asked = 'file' in content ? new Predictor(decodeModel(content.file)) : null;
    this.#learner =
      'options' in content
        ? new OnlineClassifier(content.options)
        : 'state' in content
          ? OnlineClassifier.load(content.state)
          : null;
    this.#digest = digest(JSON.stringify(content));
  }

  get version(): Version {
    return { sequence: this.#sequence, digest: this.#digest };
  }

  get classes() {
    return this.#asked?.model.classes ?? this.#learner!.classes;
  }

  get description() {
    const features = this.#asked?.model.features;
    const columns =
      features?.kind === 'table' ? features.columns.map(({ name, kind }) => ({ name, kind, decided: true })) : [];
    const label = features?.kind === 'table' ? features.label.column : null;
    const examples = this.#asked?.model.training.examples ?? this.#learner!.examples;
    const rule = this.#asked?.model.rule ?? this.#learner!.rule;
    return { rule, members: this.#learner?.members ?? [], label, columns, notes: [], examples };
  }

  journal(): never {
    throw new ModelRefusal('model-frozen', 'expected a model with a journal; got a naive one');
  }

  get metrics() {
    return this.#learner?.metrics ?? null;
  }

  answer(row: Example['row'], { probabilities = false, remember = false } = {}): Answer {
    const asked = (this.#asked ?? this.#learner)!;
    const id = remember ? `p${this.#kept.size}` : null;
    const unknown = asked.unknownFields(row);
    const answer = {
      id,
      class: asked.predict(row),
      scores: Array.from(asked.scores(row)),
      probabilities: probabilities ? asked.probabilities(row) : undefined,
      unknown: unknown.length > 0 || Object.keys(row).length === 0 ? unknown : null,
    };
    if (id !== null) this.#kept.set(id, row);
    return answer;
  }

  explain(row: Example['row'], of?: string) {
    return (this.#asked ?? this.#learner)!.explain(row, of);
  }

  async learn(examples: readonly Example[]): Promise<Learned[]> {
    if (this.#learner === null)
      throw new ModelRefusal('model-frozen', 'expected a model that learns; got a frozen one');
    await new Promise(setImmediate);
    if (this.fault !== null) throw new ModelRefusal('model-read-only', this.fault.message);
    return examples.map((example) => this.#learn(example));
  }

  #learn({ row, label, importance, id }: Example): Learned {
    const before = id === undefined ? undefined : this.#ids.get(id);
    if (before !== undefined) return { sequence: before, duplicate: true, answer: null };
    try {
      const { class: name, right, drift } = this.#learner!.learn(row, label, { importance });
      this.#sequence++;
      this.#digest = digest(this.#digest + JSON.stringify([row, label, importance, id]));
      if (id !== undefined) this.#ids.set(id, this.#sequence);
      return { sequence: this.#sequence, duplicate: false, answer: { class: name, right, drift } };
    } catch (error) {
      return { refused: error as Error };
    }
  }

  async feedback(id: string, label: Example['label'], importance?: number): Promise<Learned> {
    const row = this.#kept.get(id);
    if (row === undefined) throw new ModelRefusal('prediction-unknown', 'expected the id of a kept row; got another');
    const [learned] = await this.learn([{ row, label, importance, id: `feedback/${id}` }]);
    return learned!;
  }

  snapshot() {
    return this.#asked?.model ?? this.#learner!.model();
  }

  modelFile(): string {
    return this.#file ?? encodeModel(this.#learner!.model());
  }

  async file(part: ModelPart) {
    const text = part === 'model' ? this.modelFile() : part === 'state' ? this.stateFile() : null;
    return text === null ? null : { version: this.version, bytes: Buffer.from(text) };
  }

  stateFile() {
    return this.#learner?.save() ?? null;
  }

  readonly watch = null;
  readonly shadow = null;

  onAlarm() {
    return () => {};
  }

  async changeShadow() {}
}

/** Makes models without files. */
export function naiveModels(): Models & { readonly all: Map<string, NaiveModel>; readonly isClosed: boolean } {
  const all = new Map<string, NaiveModel>();
  let isClosed = false;
  const check = (name: string, expected: Version | 'none' | undefined) => {
    const model = all.get(name);
    if (expected === undefined || (expected === 'none' && model === undefined)) return;
    if (expected === 'none' || JSON.stringify(model?.version) !== JSON.stringify(expected))
      throw new ModelRefusal('version-differs', 'expected another version');
  };
  return {
    all,
    get isClosed() {
      return isClosed;
    },
    list: () => [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    get: (name) => all.get(name) ?? null,
    onAlarm: () => () => {},
    setAside: new Map(),
    put: async (name, content, expected) => {
      check(name, expected);
      if (content.kind === 'snapshot' || content.kind === 'read') throw new Error('expected no snapshot; got one');
      const model = new NaiveModel(name, content);
      all.set(name, model);
      return model;
    },
    retire: async (name, expected) => {
      check(name, expected);
      all.delete(name);
    },
    kept: async () => [],
    restore: () => Promise.reject(new ModelRefusal('version-unknown', 'expected a kept version; got another')),
    purge: () => Promise.reject(new ModelRefusal('version-unknown', 'expected a kept version; got another')),
    close: async () => {
      isClosed = true;
    },
  };
}
