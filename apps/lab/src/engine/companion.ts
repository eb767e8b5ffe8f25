import type { Algorithm } from '../algorithm/algorithm.ts';
import type { Examples } from './examples.ts';
import type { Recording } from './recording.ts';

/** A run beside the shown one, on the same data, that a view needs. Plain data. */
export interface CompanionRequest {
  readonly kind: 'rival';
  readonly algorithm: Algorithm;
}

export type Companion = Rival;

/** A run of another algorithm on the same data. */
export interface Rival {
  readonly kind: 'rival';
  readonly recording: Recording;
  /** The examples as this run has them: columns may be scaled in another way. */
  readonly examples: Examples;
}

/** The part of a companion's run that the timeline shows. */
export interface CompanionTime {
  readonly steps: number;
  readonly updates: Uint32Array;
  readonly passes: Uint32Array;
}

export function timeOf(companion: Companion): CompanionTime {
  return companion.recording;
}

/** Returns a key that is equal for equal requests. */
export function companionKey(request: CompanionRequest): string {
  return JSON.stringify(request);
}
