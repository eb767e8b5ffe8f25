import type { Algorithm } from '../algorithm/algorithm.ts';
import type { ClassRun, ClassStrategy } from './class-recording.ts';
import type { Examples } from './examples.ts';
import type { LearningPoint, Recording } from './recording.ts';

/** A run beside the shown one, on the same data, that a view needs. Plain data. */
export type CompanionRequest =
  | { readonly kind: 'rival'; readonly algorithm: Algorithm; readonly curve?: true }
  | { readonly kind: 'classes'; readonly algorithm: Algorithm; readonly strategy: ClassStrategy }
  | { readonly kind: 'lifted'; readonly algorithm: Algorithm; readonly map: LiftMap }
  | { readonly kind: 'reach'; readonly algorithms: readonly Algorithm[] };

export type Companion = Rival | ClassRun | Lifted | Reach;

/** A third feature made of two: x1·x2, or x1² + x2². */
export type LiftMap = 'product' | 'circle';

/** A run of the perceptron on two features and a third one made of them. */
export interface Lifted {
  readonly kind: 'lifted';
  readonly recording: Recording;
}

/** A run of another algorithm on the same data. */
export interface Rival {
  readonly kind: 'rival';
  readonly recording: Recording;
  /** The examples as this run has them: columns may be scaled in another way. */
  readonly examples: Examples;
  /** Its accuracies, if they were asked for. */
  readonly curve?: readonly LearningPoint[];
}

/** Results of several algorithms on the same data. */
export interface Reach {
  readonly kind: 'reach';
  /** In the order of the request; null: the algorithm cannot learn these data, or they are too large for it. */
  readonly results: readonly (ReachResult | null)[];
}

export interface ReachResult {
  /** Examples on their wrong side at the end, of `rows` examples that the algorithm learned from. */
  readonly wrong: number;
  readonly rows: number;
  /** Number of updates of the run; 0 for a tree. */
  readonly updates: number;
}

/** The part of a companion's run that the timeline shows. */
type CompanionTime = Pick<Recording, 'steps' | 'updates' | 'passes'>;

/** Several runs at their ends have no place on the timeline. */
const untimed: CompanionTime = { steps: 0, updates: new Uint32Array(), passes: new Uint32Array() };

export function timeOf(companion: Companion): CompanionTime {
  if (companion.kind === 'reach') return untimed;
  return companion.kind === 'classes' ? companion : companion.recording;
}

/** Returns a key that is equal for equal requests. */
export function companionKey(request: CompanionRequest): string {
  return JSON.stringify(request);
}
