import { decodeModel, type Explanation, type Model, Predictor, type RawRow } from 'halfspace';
import { digestOf } from '../state/chain.ts';
import {
  type Answer,
  type AnswerOptions,
  type Learned,
  type ModelDescription,
  type ModelPart,
  ModelRefusal,
} from './contract.ts';
import type { InnerModel } from './inner-model.ts';
import { unknownOf } from './unknown.ts';

/** A model file, which does not learn. */
export class FrozenModel implements InnerModel {
  readonly kind = 'frozen';
  readonly version: { readonly sequence: 0; readonly digest: string };
  readonly metrics = null;
  readonly watch = null;
  readonly shadow = null;
  readonly fault = null;
  readonly usage = null;
  readonly description: ModelDescription;
  readonly #file: string;
  readonly #predictor: Predictor;

  /**
   * @param model that of the file, if it has been decoded.
   * @throws HalfspaceError `model-invalid`; `option-invalid` for a model of hashed text.
   */
  constructor(file: string, model = decodeModel(file)) {
    this.#file = file;
    this.#predictor = new Predictor(model);
    this.version = { sequence: 0, digest: digestOf(file) };
    const { features, rule, training } = model;
    const isTable = features.kind === 'table';
    this.description = {
      rule,
      members: [],
      label: isTable ? (features.label?.column ?? null) : null,
      columns: isTable ? features.columns.map(({ name, kind }) => ({ name, kind, decided: true })) : [],
      notes: [],
      examples: training.examples,
    };
  }

  get classes(): readonly string[] {
    return this.#predictor.model.classes;
  }

  answer(row: RawRow, { probabilities = false }: AnswerOptions = {}): Answer {
    const predictor = this.#predictor;
    return {
      id: null,
      class: predictor.predict(row),
      scores: Array.from(predictor.scores(row)),
      probabilities: probabilities ? predictor.probabilities(row) : undefined,
      unknown: unknownOf(row, predictor),
    };
  }

  explain(row: RawRow, of?: string): Explanation {
    return this.#predictor.explain(row, of);
  }

  async learn(): Promise<Learned[]> {
    throw frozen();
  }

  async feedback(): Promise<Learned> {
    throw frozen();
  }

  snapshot(): Model {
    return this.#predictor.model;
  }

  modelFile(): string {
    return this.#file;
  }

  async file(part: ModelPart) {
    return part === 'model' ? { version: this.version, bytes: Buffer.from(this.#file) } : null;
  }

  stateFile(): null {
    return null;
  }

  onAlarm(): () => void {
    return () => {};
  }

  async changeShadow(): Promise<void> {
    throw frozen();
  }

  async pause(): Promise<void> {}

  resume(): void {}

  /** Its file is not written again, so nothing can be in doubt. */
  block(_cause: unknown, _repair?: () => Promise<void>): void {}

  async close(): Promise<void> {}

  async abandon(): Promise<void> {}
}

function frozen(): ModelRefusal {
  return new ModelRefusal(
    'model-frozen',
    'expected a model that learns; got a frozen one: replace it by a learning model',
  );
}
