import type { LearnedFunction, Learner, LinearParameters, Model, TrainingReport, TrainStep } from 'halfspace';
import { encodeModel, isDual } from 'halfspace';
import type { Recording } from './recording.ts';

/** How many numbers of weights are kept at most, of each kind. */
const mostNumbers = 4_000_000;
/** Rules whose weights change on every example, updates or not. */
const restless: readonly string[] = ['sgd'];

/** Keeps what happens in a run: one for each run. */
export class Recorder {
  readonly #rows: number[] = [];
  readonly #updates: number[] = [];
  readonly #passes: number[] = [];
  #changes: number[] = [];
  #present: Float64Array[] = [];
  #answer: Float64Array[] = [];
  #every = 1;
  #changed = 0;
  readonly #width: number;

  /** @param dimension features, the constant not counted. */
  constructor(dimension: number) {
    this.#width = dimension + 1;
  }

  readonly step = ({ position, row, updated, learner }: TrainStep): void => {
    if (position === 0) this.#passes.push(this.#rows.length);
    this.#rows.push(row);
    const step = this.#rows.length;
    if (updated) this.#updates.push(step);
    if (!updated && !restless.includes(learner.rule)) return;
    this.#changed++;
    if (this.#changed % this.#every === 0) this.#keep(step, learner);
  };

  #keep(step: number, learner: Learner): void {
    const functions = learner.functions();
    const present = learner.presentFunctions?.() ?? null;
    const [moving] = (present ?? functions) as readonly LearnedFunction[];
    if (moving === undefined || isDual(moving as never)) return;
    this.#changes.push(step);
    this.#present.push(this.#numbersOf(moving as LinearParameters));
    if (present !== null) this.#answer.push(this.#numbersOf(functions[0] as LinearParameters));
    if (this.#present.length * this.#width > mostNumbers) this.#thin();
  }

  /** Keeps every second of what is kept. */
  #thin(): void {
    const second = <T>(list: T[]) => list.filter((_, k) => k % 2 === 1);
    this.#changes = second(this.#changes);
    this.#present = second(this.#present);
    this.#answer = second(this.#answer);
    this.#every *= 2;
  }

  #numbersOf({ weights, bias }: LinearParameters): Float64Array {
    const numbers = new Float64Array(this.#width);
    numbers[0] = bias;
    numbers.set(weights.subarray(0, this.#width - 1), 1);
    return numbers;
  }

  finish(
    { model, report }: { readonly model: Model; readonly report: TrainingReport },
    { absorbed }: { readonly absorbed: boolean },
  ): Recording {
    const linear = model.kind === 'linear' ? model : null;
    const width = linear === null ? 0 : this.#width;
    return {
      rows: Uint32Array.from(this.#rows),
      steps: this.#rows.length,
      updates: Uint32Array.from(this.#updates),
      changes: Uint32Array.from(this.#changes),
      complete: this.#every === 1,
      passes: Uint32Array.from(this.#passes),
      width,
      present: joined(this.#present, width),
      answer: this.#answer.length === 0 ? null : joined(this.#answer, width),
      divisor: linear?.divisor ?? 1,
      biasConstant: linear?.biasConstant ?? 1,
      absorbed,
      tie: linear?.tie ?? -1,
      model,
      modelText: encodeModel(model),
      report,
    };
  }
}

/** With the weights of the start, all 0, in front. */
function joined(kept: readonly Float64Array[], width: number): Float64Array {
  if (width === 0) return new Float64Array(0);
  const all = new Float64Array((kept.length + 1) * width);
  kept.forEach((numbers, k) => {
    all.set(numbers, (k + 1) * width);
  });
  return all;
}
