import type { Model, TrainingReport, TrainStep } from 'halfspace';
import { encodeModel } from 'halfspace';
import { tieOf } from 'halfspace/models';
import type { LearnedFunction, Learner, LinearParameters } from 'halfspace/rules';
import type { Algorithm } from '../algorithm/algorithm.ts';
import { Growing } from './growing.ts';
import type { Recording } from './recording.ts';

/** Maximum number of weights that are kept, of each kind. */
const mostNumbers = 1_000_000;
/** Maximum number of steps that are kept; after them the run goes on without recording. */
export const mostSteps = 500_000;

interface RecorderOptions {
  /** Number of features, without the constant. */
  readonly dimension: number;
  /** True if the rule predicts with other weights than those that it updates. */
  readonly answers: boolean;
  /** Default {@link mostSteps}. */
  readonly mostSteps?: number;
}

/** The result of a run, and the start weights and kind of bias of its variant. */
interface RunEnd {
  readonly result: { readonly model: Model; readonly report: TrainingReport };
  readonly absorbed: boolean;
  /** The weights before the first example, of x as the run divided it; null: 0. */
  readonly start: LinearParameters | null;
}

/** A learner that may predict with other weights than those that it updates. */
type WithLatest = Learner & { latest?(): LinearParameters };

/** Records one run. */
export class Recorder {
  readonly #width: number;
  readonly #answers: boolean;
  readonly #mostSteps: number;
  readonly #rows = new Growing(new Uint32Array(1024));
  readonly #updates = new Growing(new Uint32Array(1024));
  readonly #passes = new Growing(new Uint32Array(16));
  readonly #changes = new Growing(new Uint32Array(1024));
  readonly #present = new Growing(new Float64Array(4096));
  readonly #answer = new Growing(new Float64Array(0));
  #every = 1;
  #changed = 0;
  #learner: WithLatest | null = null;
  /** Examples and updates after the last recorded step, and the weights then. */
  #beyond: { examples: number; updates: number; present: Float64Array | null } | null = null;

  constructor({ dimension, answers, mostSteps: most = mostSteps }: RecorderOptions) {
    this.#width = dimension + 1;
    this.#answers = answers;
    this.#mostSteps = most;
  }

  /** The `onStep` callback of `train`. */
  readonly step = ({ position, row, updated, learner }: TrainStep): boolean => {
    this.#learner = learner;
    if (position === 0) this.#passes.push(this.#rows.length);
    this.#rows.push(row);
    const step = this.#rows.length;
    if (updated) this.#updates.push(step);
    if (updated || learner.rule === 'sgd') this.#change(step, learner, false);
    // The pocket changes at examples that are no updates.
    else if (learner.rule === 'pocket') this.#change(step, learner, true);
    return step < this.#mostSteps;
  };

  /** The `onProgress` callback of `train`; it follows a run that is no longer recorded. */
  readonly progress = (): void => {
    if (this.#learner === null || this.#rows.length < this.#mostSteps) return;
    const { examples, updates } = this.#learner.progress;
    if (examples === this.#rows.length) return;
    const { present } = this.#functionsOf(this.#learner);
    this.#beyond = {
      examples: examples - this.#rows.length,
      updates: updates - this.#updates.length,
      present: present === null ? null : this.#numbersOf(present),
    };
  };

  #change(step: number, learner: WithLatest, onlyIfDifferent: boolean): void {
    if (onlyIfDifferent) {
      const [answer] = learner.functions() as readonly LinearParameters[];
      if (this.#isLastAnswer(answer!)) return;
    }
    this.#changed++;
    if (this.#changed % this.#every !== 0) return;
    const { present, answer } = this.#functionsOf(learner);
    if (present === null) return;
    this.#changes.push(step);
    this.#present.append(this.#numbersOf(present));
    if (answer !== null) this.#answer.append(this.#numbersOf(answer));
    if (this.#present.length > mostNumbers) this.#thin();
  }

  #functionsOf(learner: WithLatest): { present: LinearParameters | null; answer: LinearParameters | null } {
    const [first] = learner.functions() as readonly LearnedFunction[];
    if (first === undefined || 'kernel' in first) return { present: null, answer: null };
    if (!this.#answers) return { present: first, answer: null };
    const present = learner.latest?.() ?? (learner.presentFunctions?.()?.[0] as LinearParameters | undefined);
    return { present: present ?? first, answer: first };
  }

  #isLastAnswer({ weights, bias }: LinearParameters): boolean {
    if (this.#answer.length === 0) return bias === 0 && weights.every((weight) => weight === 0);
    const last = this.#answer.last(this.#width);
    return last[0] === bias && weights.every((weight, j) => weight === last[j + 1]);
  }

  /** Drops every second snapshot. */
  #thin(): void {
    this.#changes.thin(1);
    this.#present.thin(this.#width);
    this.#answer.thin(this.#width);
    this.#every *= 2;
  }

  #numbersOf({ weights, bias }: LinearParameters): Float64Array {
    const numbers = new Float64Array(this.#width);
    numbers[0] = bias;
    numbers.set(weights.subarray(0, this.#width - 1), 1);
    return numbers;
  }

  /** Returns y·x of the first example, as the run divided it: the start of FODA. */
  startOf(
    example: (row: number) => { readonly x: Float64Array; readonly y: number },
    model: Model,
  ): LinearParameters | null {
    if (model.kind !== 'linear' || this.#rows.length === 0) return null;
    const { x, y } = example(this.#rows.at(0));
    return { weights: x.map((each) => y * (each / model.divisor)), bias: y * model.biasConstant };
  }

  finish({ result, absorbed, start: given }: RunEnd): Recording {
    const { model, report } = result;
    const linear = model.kind === 'linear' ? model : null;
    // A run without steps shows its end.
    const start = report.stop === 'minimum' ? linear : given;
    const width = linear === null ? 0 : this.#width;
    const first = start === null ? new Float64Array(width) : this.#numbersOf(start);
    const answers = linear !== null && this.#answers;
    const beyond = this.#beyond;
    if (beyond !== null) {
      this.#rows.push(0);
      if (linear !== null) {
        this.#changes.push(this.#rows.length);
        this.#present.append(beyond.present!);
        if (answers) this.#answer.append(this.#numbersOf(linear));
      }
    }
    return {
      rows: this.#rows.toArray(),
      steps: this.#rows.length,
      updates: this.#updates.toArray(),
      changes: linear === null ? new Uint32Array(0) : this.#changes.toArray(),
      complete: this.#every === 1 && beyond === null,
      skipped: beyond === null ? null : { examples: beyond.examples, updates: beyond.updates },
      passes: this.#passes.toArray(),
      width,
      present: linear === null ? new Float64Array(0) : behind(first, this.#present.toArray()),
      answer: answers ? behind(first, this.#answer.toArray()) : null,
      divisor: linear?.divisor ?? 1,
      biasConstant: linear?.biasConstant ?? 1,
      absorbed,
      tie: tieOf(model),
      model,
      modelText: encodeModel(model),
      report,
    };
  }
}

/** Tests if a rule predicts with other weights than those that it updates: with their mean, or with the best. */
export function hasAnswerWeights({ rule, options }: Algorithm): boolean {
  if (rule === 'averaged' || rule === 'pocket') return true;
  return rule === 'sgd' ? options.answer !== 'last' : options.average === true;
}

function behind(first: Float64Array, rest: Float64Array): Float64Array {
  const all = new Float64Array(first.length + rest.length);
  all.set(first);
  all.set(rest, first.length);
  return all;
}
