import type { Highs, Model } from 'highs';
import type { Frame } from './frame.ts';
import { positive } from './pick.ts';
import { optimal, outOfTime } from './run-model.ts';
import { signedVectors } from './signed-vectors.ts';

/**
 * Computes how near the weighted means of the two classes can be to each other, by a linear programme over a growing
 * set of examples:
 *
 *   minimise  Σⱼ |Σᵢ λᵢyᵢ(x'ᵢ, 1)ⱼ|    subject to  λ ≥ 0, Σ λᵢ = 1,
 *
 * with the absolute value as two variables per feature. If the examples contradict each other, the minimum μ is 0, and
 * a basis holds a contradiction of at most d + 2 examples. Otherwise the dual values (u, b) satisfy
 * yᵢ(u·x'ᵢ + b) ≥ μ > 0: they separate these examples. The caller tries this line on the others and adds those that
 * it misclassifies. Adding columns keeps the basis feasible.
 */
export class HullProgramme {
  readonly #frame: Frame;
  readonly #model: Model;
  readonly #infinity: number;
  /** The programme's row of each feature. */
  readonly #rowOf: Int32Array;
  /** Rows of the programme: one for each feature that occurs, one for the constant, one for Σλ = 1. */
  readonly #rows: number;
  /** Positions of the programme's examples in the order of their columns. */
  readonly #members: number[] = [];
  /** Place of each example among the columns of examples; −1 for an example that is not in the programme. */
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
    // Two columns per equation: the positive and the negative part of its error.
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

  /** Number of examples in the programme. */
  get size(): number {
    return this.#members.length;
  }

  add(examples: readonly number[]): void {
    for (const i of examples) this.#place[i] = this.#members.push(i) - 1;
    const constants = (label: number) => [this.#rows - 2, label, this.#rows - 1, 1];
    this.#model.addCols({
      cost: new Float64Array(examples.length),
      lower: new Float64Array(examples.length),
      upper: new Float64Array(examples.length).fill(this.#infinity),
      matrix: {
        format: 'csc',
        numRows: this.#rows,
        numCols: examples.length,
        ...signedVectors(this.#frame, examples, constants, (feature) => this.#rowOf[feature]!),
      },
    });
  }

  /** Fixes the weights of these examples at 0. */
  exclude(examples: readonly number[]): void {
    this.#bound(examples, 0);
  }

  /** Takes back {@link exclude}. */
  admit(examples: readonly number[]): void {
    this.#bound(examples, this.#infinity);
  }

  #bound(examples: readonly number[], most: number): void {
    for (const i of examples)
      if (this.has(i)) this.#model.changeColBounds(2 * (this.#rows - 1) + this.#place[i]!, 0, most);
  }

  /** Runs for at most `seconds`; call it again to continue. `failed`: the numbers are beyond the solver. */
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

  /** Returns the basic examples: those with a weight, and perhaps some of weight 0. */
  basis(): number[] {
    const { colStatus } = this.#model.getBasis();
    const first = 2 * (this.#rows - 1);
    return this.#members.filter((_, k) => colStatus[first + k] === 1);
  }

  /** Returns the λ > 0 by example. */
  weights(): Map<number, number> {
    return positive(this.#model.getSolution().colValue.slice(2 * (this.#rows - 1)), this.#members);
  }

  /** Writes the weights u of the frame's features and returns b. */
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

let loaded: Promise<Highs> | undefined;

/** Loads HiGHS once. A checker never loads it. */
export function loadHighs(): Promise<Highs> {
  loaded ??= import('highs').then(({ default: imported }) => {
    // The types describe the CommonJS module, which a bundle loads. The default export of the ES module is the loader
    // itself.
    const load = typeof imported === 'function' ? imported : imported.default;
    return (load as typeof imported.default)();
  });
  return loaded;
}
