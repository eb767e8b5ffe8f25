import { drawsOf } from './draws.ts';
import { Fraction, type Root, root } from './fraction.ts';
import { dot, nearestOfHull, type Vector } from './nearest.ts';
import type { WrittenData, WrittenScene } from './written-tour.ts';

/** An example z = y·(x, 1): a perceptron is right about it where w·z is above 0. */
interface Example {
  readonly label: 1 | -1;
  readonly z: Vector;
}

interface Step {
  readonly row: number;
  readonly updated: boolean;
  /** Weights after the step, the bias last. */
  readonly w: Vector;
}

/** The lectures' perceptrons, as the lectures write them. */
const lectures: Readonly<
  Record<string, { below?: true; tie?: 1; scaled?: true; end: 'clean pass' | 'quiet' | 'passes' }>
> = {
  blog: { end: 'clean pass' },
  perceptron: { end: 'clean pass' },
  cs4780: { end: 'clean pass', scaled: true },
  slides: { end: 'passes' },
  foda: { end: 'quiet', below: true, scaled: true },
  'lecture-9': { end: 'quiet', tie: 1 },
  'lecture-9-algorithm-2': { end: 'quiet', tie: 1 },
};

/** Runs the perceptron of a scene in fractions, one example at a time, with nothing taken from the lab. */
export class NaiveRun {
  readonly examples: readonly Example[];
  readonly steps: readonly Step[];
  readonly passes: number;
  readonly isEnded: boolean;
  readonly #as: string;
  readonly #start: Vector;
  #star: Vector | null = null;

  constructor({ data, algorithm }: Pick<WrittenScene, 'data' | 'algorithm'>) {
    const { as, rule, seed, order, passes } = algorithm as Record<string, string | number | undefined>;
    this.#as = String(as ?? rule);
    this.examples = examplesOf(data);
    const { below, tie, end } = lectures[this.#as]!;
    const count = this.examples.length;
    const zero = this.examples[0]!.z.map(() => new Fraction(0n));
    this.#start = this.#as === 'foda' ? this.examples[0]!.z : zero;
    const draws = tie === 1 && order !== 'cyclic' ? drawsOf(Number(seed), count) : null;
    const quiet = this.#as === 'foda' ? count : Math.ceil(count * (Math.log(count) + 5));
    const most = count * Number(passes ?? (end === 'passes' ? 10 : 1000));
    const steps: Step[] = [];
    let [w, still, clean] = [this.#start, 0, true];
    const isOver = () =>
      (end === 'quiet' && still >= quiet) ||
      (end === 'clean pass' && steps.length > 0 && steps.length % count === 0 && clean);
    while (steps.length < most && !isOver()) {
      if (steps.length % count === 0) clean = true;
      const row = draws?.next().value ?? steps.length % count;
      const { label, z } = this.examples[row]!;
      const { sign } = dot(w, z);
      const updated = sign < 0 || (sign === 0 && !below && !(this.#as.endsWith('2') && label === 1));
      if (updated) w = w.map((each, j) => each.plus(z[j]!));
      still = updated ? 0 : still + 1;
      clean &&= !updated;
      steps.push({ row, updated, w });
    }
    this.steps = steps;
    this.passes = Math.ceil(steps.length / count);
    this.isEnded = isOver();
  }

  /** The steps with updates, from 1. */
  get updates(): readonly number[] {
    return this.steps.flatMap(({ updated }, k) => (updated ? [k + 1] : []));
  }

  get last(): number {
    return this.steps.length;
  }

  /** Number of steps after the last update. */
  get quiet(): number {
    return this.last - (this.updates.at(-1) ?? 0);
  }

  weights(step: number): Vector {
    return step === 0 ? this.#start : this.steps[step - 1]!.w;
  }

  /** y·a of an example after a step. */
  score(step: number, row: number): Fraction {
    return dot(this.weights(step), this.examples[row]!.z);
  }

  /** Returns the rows that are wrong after a step. A score of 0 is of the class −1, in lecture 9 of +1. */
  wrong(step: number): number[] {
    const tie = lectures[this.#as]!.tie ?? -1;
    return [...this.examples.keys()].filter((row) => {
      const { sign } = this.score(step, row);
      return sign < 0 || (sign === 0 && this.examples[row]!.label !== tie);
    });
  }

  /** The example of a step, and y·a of it before and after. */
  at(step: number): {
    readonly row: number;
    readonly label: number;
    readonly before: Fraction;
    readonly after: Fraction;
  } {
    const { row } = this.steps[step - 1]!;
    return { row, label: this.examples[row]!.label, before: this.score(step - 1, row), after: this.score(step, row) };
  }

  /** Returns the rows, the step's own apart, that the step made wrong. */
  broken(step: number): number[] {
    const before = this.wrong(step - 1);
    return this.wrong(step).filter((row) => row !== this.at(step).row && !before.includes(row));
  }

  /** Returns the step that a scene names. */
  stepOf(words: string | number): number {
    if (typeof words === 'number') return words;
    if (words === 'start') return 0;
    if (words === 'end') return this.last;
    if (words.startsWith('update ')) return this.updates[Number(words.slice(7)) - 1]!;
    const isStill = (step: number) => this.wrong(step).includes(this.at(step).row);
    return this.updates.find((step) => isStill(step) && (!words.endsWith('breaks') || this.broken(step).length > 0))!;
  }

  mistakes(row: number): number {
    return this.updates.filter((step) => this.at(step).row === row).length;
  }

  /** ‖(x, 1)‖² of an example. */
  norm(row: number): Fraction {
    return dot(this.examples[row]!.z, this.examples[row]!.z);
  }

  get longest(): Fraction {
    return largest(this.examples.map((_, row) => this.norm(row)));
  }

  /** The square of the divisor of x. */
  get scale(): Fraction {
    return lectures[this.#as]!.scaled ? this.longest : new Fraction(1n);
  }

  /** w*: the nearest point of the hull of all z. Its length is γ before x is divided. */
  get star(): Vector {
    this.#star ??= nearestOfHull(this.examples.map(({ z }) => z));
    return this.#star;
  }

  get separable(): 0 | 1 {
    return this.star.some(({ sign }) => sign !== 0) ? 1 : 0;
  }

  /** The same without the constant. */
  get throughOrigin(): 0 | 1 {
    const points = this.examples.map(({ z }) => z.slice(0, -1));
    return nearestOfHull(points).some(({ sign }) => sign !== 0) ? 1 : 0;
  }

  /** γ, after x is divided. */
  get margin(): Root {
    const { star } = this;
    return root(dot(star, star).by(this.scale));
  }

  /** R, after x is divided. */
  get radius(): Root {
    return root(this.longest.by(this.scale));
  }

  /** (R/γ)² */
  get bound(): Fraction {
    return this.radius.square.by(this.margin.square);
  }

  /** ‖w‖² after a step, after x is divided. */
  length(step: number): Fraction {
    const w = this.weights(step);
    return dot(w, w).by(this.scale);
  }

  /** ⟨v, w*⟩ for w* of length 1, after x is divided; positive values only. */
  along(v: Vector): Root {
    const { star } = this;
    const product = dot(v, star);
    return root(product.times(product).by(dot(star, star)).by(this.scale));
  }

  /** The smallest growth of ⟨w, w*⟩ in an update. */
  get leastProgress(): Root {
    const { star } = this;
    const products = this.updates.map((step) => dot(this.examples[this.at(step).row]!.z, star));
    const least = products.reduce((a, b) => (a.minus(b).sign < 0 ? a : b));
    return root(least.times(least).by(dot(star, star)).by(this.scale));
  }

  /** The largest growth of ‖w‖² in an update. */
  get mostGrowth(): Fraction {
    return largest(this.updates.map((step) => this.length(step).minus(this.length(step - 1))));
  }

  /** The margin of the weights after a step: the smallest y·a/‖w‖, after x is divided; of right weights only. */
  marginOf(step: number): Root {
    const scores = this.examples.map((_, row) => this.score(step, row));
    const least = scores.reduce((a, b) => (a.minus(b).sign < 0 ? a : b));
    const w = this.weights(step);
    return root(least.times(least).by(dot(w, w)).by(this.scale));
  }
}

const largest = (values: readonly Fraction[]): Fraction => values.reduce((a, b) => (a.minus(b).sign < 0 ? b : a));

function examplesOf({ points, line, columns, rows }: WrittenData): Example[] {
  const all = points ?? line ?? rows!;
  const names = columns === undefined ? [-1, 1] : [...new Set(all.map((each) => each.at(-1)!))].sort();
  return all.map((each) => {
    const label = each.at(-1) === names[1] ? 1 : -1;
    return {
      label,
      z: [...each.slice(0, -1), 1].map((value) => Fraction.of(value).times(new Fraction(BigInt(label)))),
    };
  });
}
