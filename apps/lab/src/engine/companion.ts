import type { Algorithm } from '../algorithm/algorithm.ts';
import type { ClassRun, ClassStrategy } from './class-recording.ts';
import type { Examples } from './examples.ts';
import type { Recording } from './recording.ts';

/** A run beside the shown one, on the same data, that a view needs. Plain data. */
export type CompanionRequest =
  | { readonly kind: 'rival'; readonly algorithm: Algorithm }
  | { readonly kind: 'classes'; readonly algorithm: Algorithm; readonly strategy: ClassStrategy };

export type Companion = Rival | ClassRun;

/** A run of another algorithm on the same data. */
export interface Rival {
  readonly kind: 'rival';
  readonly recording: Recording;
  /** The examples as this run has them: columns may be scaled in another way. */
  readonly examples: Examples;
}

/** The part of a companion's run that the timeline shows. */
export type CompanionTime = Pick<Recording, 'steps' | 'updates' | 'passes'>;

export function timeOf(companion: Companion): CompanionTime {
  return companion.kind === 'rival' ? companion.recording : companion;
}

/** Returns a key that is equal for equal requests. */
export function companionKey(request: CompanionRequest): string {
  return JSON.stringify(request);
}
