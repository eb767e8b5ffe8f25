/** The ways to learn several classes that are shown. */
export type ClassStrategy = 'kesler' | 'one-vs-rest';

/** A recorded run of the perceptron on all classes of a table, as in `Recording`. */
export interface ClassRun {
  readonly kind: 'classes';
  readonly strategy: ClassStrategy;
  /** Names of the classes. */
  readonly classes: readonly string[];
  /** Class of every example, by its position in `classes`. */
  readonly truth: Uint32Array;
  readonly dimension: number;
  readonly featureNames: readonly string[];
  /** Drawn examples, by their numbers in the data, and their features. */
  readonly shown: Uint32Array;
  readonly vectors: Float64Array;
  readonly rows: Uint32Array;
  readonly steps: number;
  readonly updates: Uint32Array;
  /** The steps after which there is a snapshot, rising. Long runs keep only every k-th change. */
  readonly changes: Uint32Array;
  readonly passes: Uint32Array;
  /** (changes + 1) · classes · (1 + dimension) numbers: of each snapshot, for each class, the bias and the weights. */
  readonly present: Float64Array;
  readonly divisor: number;
  readonly biasConstant: number;
}
