import type { Highs, Model } from 'highs';
import type { Frame } from './frame.ts';

/**
 * How near the classes' weighted means can come to each other, as a linear programme over a growing set of examples:
 *
 *   minimise  Σⱼ |Σᵢ λᵢyᵢ(x'ᵢ, 1)ⱼ|    subject to  λ ≥ 0, Σ λᵢ = 1,
 *
 * with the absolute value as two variables for each feature. The minimum μ is 0 where the examples contradict each other, and the λ of a
 * basis are then at most d + 2 examples that do. Else the dual values (u, b) satisfy yᵢ(u·x'ᵢ + b) ≥ μ > 0: a separator of these
 * examples, to be tried on the others. Those it is wrong on join, which keeps the basis feasible.
 */
export class HullProgramme {
  readonly #frame: Frame;
  readonly #model: Model;
  readonly #infinity: number;
  /** Positions of features among the programme's rows. */
  readonly #rowOf: Int32Array;
  /** Rows of the programme: one for each feature that occurs, one for the constant, one for Σλ = 1. */
  readonly #rows: number;
  /** Positions of the examples that are in it, in the order of their columns. */
  readonly #members: number[] = [];
  /** Where the column of an example is, counted from the first of them; −1: it is not in. */
  readonly #place: Int32Array;

  constructor(solver: Highs, frame: Frame, features: readonly number[]) {
    this.#frame = frame;
    this.#infinity = solver.infinity;
    this.#rowOf = new Int32Array(frame.examples.dimension).fill(-1);
    features.forEach((feature, row) => {
      this.#rowOf[feature] = row;
    });
    const equations = features.length + 1;
    this.#rows = equations + 1;
    this.#place = new Int32Array(frame.examples.rows).fill(-1);
    this.#model = solver.createModel();
    // Two columns for each equation: by how much it fails, upwards and downwards.
    const columns = 2 * equations;
    this.#model.passModel({
      numCols: columns,
      numRows: this.#rows,
      colCost: new Float64Array(columns).fill(1),
      colLower: new Float64Array(columns),
      colUpper: new Float64Array(columns).fill(solver.infinity),
      rowLower: Float64Array.from({ length: this.#rows }, (_, row) => (row === equations ? 1 : 0)),
      rowUpper: Float64Array.from({ length: this.#rows }, (_, row) => (row === equations ? 1 : 0)),
      matrix: {
        format: 'csc',
        numRows: this.#rows,
        numCols: columns,
        starts: Int32Array.from({ length: columns + 1 }, (_, column) => column),
        indices: Int32Array.from({ length: columns }, (_, column) => column >> 1),
        values: Float64Array.from({ length: columns }, (_, column) => (column % 2 === 0 ? 1 : -1)),
      },
    });
    this.#model.options.set({
      output_flag: false,
      presolve: 'off',
      solver: 'simplex',
      primal_feasibility_tolerance: 1e-10,
      dual_feasibility_tolerance: 1e-10,
      small_matrix_value: 1e-12,
    });
  }

  has(example: number): boolean {
    return this.#place[example]! >= 0;
  }

  /** How many examples are in it. */
  get size(): number {
    return this.#members.length;
  }

  add(examples: readonly number[]): void {
    const starts = new Int32Array(examples.length + 1);
    const indices: number[] = [];
    const values: number[] = [];
    const { labels } = this.#frame.examples;
    examples.forEach((i, k) => {
      const y = labels[i]!;
      this.#frame.forEach(i, (feature, value) => {
        indices.push(this.#rowOf[feature]!);
        values.push(y * value);
      });
      indices.push(this.#rows - 2, this.#rows - 1);
      values.push(y, 1);
      starts[k + 1] = indices.length;
      this.#place[i] = this.#members.push(i) - 1;
    });
    this.#model.addCols({
      cost: new Float64Array(examples.length),
      lower: new Float64Array(examples.length),
      upper: new Float64Array(examples.length).fill(this.#infinity),
      matrix: {
        format: 'csc',
        numRows: this.#rows,
        numCols: examples.length,
        starts,
        indices: Int32Array.from(indices),
        values: Float64Array.from(values),
      },
    });
  }

  /** Lets these, as far as they are in it, have no weight any more. */
  exclude(examples: readonly number[]): void {
    for (const i of examples)
      if (this.has(i)) this.#model.changeColBounds(2 * (this.#rows - 1) + this.#place[i]!, 0, 0);
  }

  /** Takes back {@link exclude}. */
  admit(examples: readonly number[]): void {
    for (const i of examples)
      if (this.has(i)) this.#model.changeColBounds(2 * (this.#rows - 1) + this.#place[i]!, 0, this.#infinity);
  }

  /** Runs for at most `seconds`; call again to go on. `failed`: numbers that the solver cannot deal with. */
  solve(seconds: number): 'minimum' | 'unfinished' | 'failed' {
    this.#model.zeroAllClocks();
    this.#model.options.set('time_limit', seconds);
    try {
      this.#model.run();
    } catch {
      return 'failed';
    }
    const status = this.#model.getModelStatus();
    return status === optimal ? 'minimum' : status === outOfTime ? 'unfinished' : 'failed';
  }

  get minimum(): number {
    return this.#model.getObjectiveValue();
  }

  /** Basic examples: those that carry the weight, and perhaps some of weight 0. */
  basis(): number[] {
    const { colStatus } = this.#model.getBasis();
    const first = 2 * (this.#rows - 1);
    return this.#members.filter((_, k) => colStatus[first + k] === 1);
  }

  /** λ of the members that have any. */
  weights(): Map<number, number> {
    const { colValue } = this.#model.getSolution();
    const first = 2 * (this.#rows - 1);
    const weights = new Map<number, number>();
    this.#members.forEach((i, k) => {
      if (colValue[first + k]! > 0) weights.set(i, colValue[first + k]!);
    });
    return weights;
  }

  /** (u, b) of the frame's features. */
  separatorInto(u: Float64Array): number {
    const { rowDual } = this.#model.getSolution();
    u.fill(0);
    for (let j = 0; j < u.length; j++) if (this.#rowOf[j]! >= 0) u[j] = -rowDual[this.#rowOf[j]!]! + 0;
    return -rowDual[this.#rows - 2]! + 0;
  }

  dispose(): void {
    this.#model.dispose();
  }
}

/** HiGHS's codes of how a run ended. */
const optimal = 7;
const outOfTime = 13;

let loaded: Promise<Highs> | undefined;

/** HiGHS, loaded once, and by nobody who only checks. */
export function loadHighs(): Promise<Highs> {
  loaded ??= import('highs').then(({ default: imported }) => {
    // Its types describe a CommonJS module, which a bundle loads; of the ES module the default is the loader itself.
    const load = typeof imported === 'function' ? imported : imported.default;
    return (load as typeof imported.default)();
  });
  return loaded;
}
