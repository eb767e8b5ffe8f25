import type { TreeModel } from 'halfspace';
import type { Algorithm } from '../algorithm/algorithm.ts';
import type { Dataset } from '../data/dataset.ts';
import type { Inspection } from '../data/inspect.ts';
import type { Examples } from './examples.ts';
import type { Recording } from './recording.ts';
import type { Verdict } from './verdict.ts';

/** What computes; it lives in a worker, and the page has a stand-in with the same methods. */
export interface Engine {
  /**
   * Reads a dataset and keeps it for the other methods.
   * @throws Failure with a sentence that says what to do.
   */
  open(dataset: Dataset, onProgress?: (progress: OpenProgress) => void): Promise<Examples>;
  /** Looks at a table without opening it. @throws Failure with a sentence that says what to do. */
  inspect(text: string | Blob, name: string): Promise<Inspection>;
  /** Learns from the dataset that is open. A call ends one that is under way, which then throws `superseded`. */
  run(algorithm: Algorithm, onProgress: (progress: RunProgress) => void): Promise<Recording>;
  /** Whether the dataset that is open can be separated. A call ends one that is under way. */
  verdict(onProgress: (text: string) => void): Promise<Verdict>;
  /**
   * Scores of a grid, from the bottom left row by row, by what would answer at a step of the last run, for boundaries that are no lines. All 0 where
   * nothing does yet, and within the run of a kernel that forgets for a budget. A call ends one that is under way.
   */
  surface(request: SurfaceRequest): Promise<Float64Array>;
  /** Accuracy on what was learned from and on what was held out after each of some steps. */
  curve(algorithm: Algorithm): Promise<LearningPoint[]>;
  /** A tree grown from the examples that a run of this algorithm learns from, with the defaults of the rule `tree`. */
  tree(algorithm: Algorithm): Promise<TreeModel>;
  /** Ends a run, a curve and a surface that are under way: they throw `superseded`. */
  stop(): void;
}

export interface OpenProgress {
  /** What is read, in [0, 1]. */
  readonly share: number;
}

export interface RunProgress {
  readonly pass: number;
  readonly updates: number;
  readonly rows: number;
}

/** A grid in the plane of two features: corners are the centres of the corner cells; other features have the values given. */
export interface SurfaceRequest {
  /** The moment of the run: 0 … steps; of trees only the end. */
  readonly step: number;
  readonly features: readonly [horizontal: number, vertical: number];
  /** Of all features, encoded: what those that are not drawn have. */
  readonly at: Float64Array;
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly columns: number;
  readonly rows: number;
}

export interface LearningPoint {
  readonly step: number;
  readonly train: number;
  /** Null without held-out examples. */
  readonly holdout: number | null;
}

/** What went wrong, as a sentence for a person. Plain, so that it crosses from the worker. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}
