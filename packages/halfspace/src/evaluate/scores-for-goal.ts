import type { StoredBatch } from '../batch.ts';
import type { GoalKeeper, GoalScores } from '../train/goal.ts';

/** Largest number of scores that a goal sees: 8 MiB. */
const mostScores = 2 ** 20;

/** Keeps scores and labels of the first rows for a goal: up to 2²⁰ scores, so memory does not grow with the data. */
export class ScoresForGoal implements GoalKeeper {
  readonly #outputs: number;
  #scores = new Float64Array(1024);
  #labels = new Float64Array(1024);
  #rows = 0;

  /** @param classes number of classes; a batch may have fewer scores, if the training rows lacked the last classes. */
  constructor(classes: number) {
    this.#outputs = classes > 2 ? classes : 1;
  }

  readonly add = ({ labels, rows }: StoredBatch, scores: Float64Array): void => {
    const outputs = this.#outputs;
    const given = scores.length / rows;
    const taken = Math.min(rows, Math.floor(mostScores / outputs) - this.#rows);
    this.#scores = withRoom(this.#scores, (this.#rows + taken) * outputs);
    this.#labels = withRoom(this.#labels, this.#rows + taken);
    for (let i = 0; i < taken; i++, this.#rows++) {
      for (let k = 0; k < outputs; k++)
        this.#scores[this.#rows * outputs + k] = k < given ? scores[i * given + k]! : -Infinity;
      this.#labels[this.#rows] = labels[i]!;
    }
  };

  /** A view of the rows so far. */
  get scored(): GoalScores {
    return {
      outputs: this.#outputs,
      scores: this.#scores.subarray(0, this.#rows * this.#outputs),
      labels: this.#labels.subarray(0, this.#rows),
    };
  }
}

function withRoom(values: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  if (length <= values.length) return values;
  const copy = new Float64Array(Math.max(length, 2 * values.length));
  copy.set(values);
  return copy;
}
