import type { TreeModel } from 'halfspace';
import type { Algorithm } from '../algorithm/algorithm.ts';
import type { Dataset } from '../data/dataset.ts';
import type { Inspection, Question } from '../data/inspect.ts';
import type { Companion, CompanionRequest } from './companion.ts';
import type { Examples } from './examples.ts';
import type { LearningPoint, Recording } from './recording.ts';
import type { Verdict } from './verdict.ts';

/** Reads data, trains, and searches verdicts. It runs in a worker; the page has a proxy with the same methods. */
export interface Engine {
  /**
   * Reads a dataset and keeps it for the other methods. `onProgress` gets the share that is read, in [0, 1].
   * @throws Failure with a sentence that says what to do.
   */
  open(dataset: Dataset, onProgress?: (share: number) => void): Promise<Examples>;
  /** Summarises a table without opening it. @throws Failure with a sentence that says what to do. */
  inspect(question: Question): Promise<Inspection>;
  /** Trains on the open dataset. A new call ends the call in progress, which then throws `superseded`. */
  run(algorithm: Algorithm, onProgress: (progress: RunProgress) => void): Promise<Recording>;
  /** Finds out if the open dataset is separable. A new call ends the call in progress. */
  verdict(onProgress: (text: string) => void): Promise<Verdict>;
  /**
   * Scores a grid, and the examples that are drawn, with the model at a step of the last run, for boundaries that are
   * not lines. A new call ends the call in progress.
   */
  surface(request: SurfaceRequest): Promise<SurfaceScores>;
  /** Returns the accuracy on training and held-out examples after each of some steps. */
  curve(algorithm: Algorithm): Promise<LearningPoint[]>;
  /** Grows a tree, with default options, from the examples that a run of this algorithm learns from. */
  tree(algorithm: Algorithm): Promise<TreeModel>;
  /** Makes a run beside the shown one, on the open dataset. A new call ends the call in progress. */
  companion(request: CompanionRequest): Promise<Companion>;
  /** Ends the run, the companion, the curve and the surface in progress; they throw `superseded`. */
  stop(): void;
}

export interface RunProgress {
  readonly pass: number;
  readonly updates: number;
  readonly rows: number;
}

/** A grid in the plane of two features. Its corners are the centres of the corner cells. */
export interface SurfaceRequest {
  /** The step of the run; a tree exists only at the end. */
  readonly step: number;
  readonly features: readonly [horizontal: number, vertical: number];
  /** Values of all features, encoded; the two features of the plane are replaced. */
  readonly at: Float64Array;
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly columns: number;
  readonly rows: number;
}

export interface SurfaceScores {
  /**
   * Row by row from the bottom left; all 0 if there is no model at that step yet, and within the run of a kernel rule
   * with a budget.
   */
  readonly grid: Float64Array;
  /** By positions in `shown` of the examples; empty within the run of a kernel rule with a budget. */
  readonly shown: Float64Array;
}

/** An error as a message for the user. Plain data, so that the worker can send it. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}
