/** Progress of a search. */
export interface CertifyProgress {
  readonly stage: 'learning' | 'programme' | 'widening' | 'errors' | 'proving' | 'predictions';
  /** One line for a person. */
  readonly text: string;
}

/** Time limit, pauses and progress messages of a search. Every loop that can last asks it. */
export interface Clock {
  /** Returns the seconds left; 0 after an abort. */
  left(): number;
  /**
   * Lets the event loop run, so that an abort can arrive, unless it did so less than 50 ms ago. Returns false if no
   * time is left.
   */
  breathe(): Promise<boolean>;
  tell(stage: CertifyProgress['stage'], text: string): void;
}

/** Longest time between two turns of the event loop, in milliseconds, for callers that ask often. */
const breathMs = 50;

/** Options of {@link clockUntil}. */
interface ClockOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: CertifyProgress) => void) | undefined;
  /** Seconds that remain after an abort. Default 0. */
  readonly grace?: number | undefined;
}

/** @param deadline in milliseconds of `performance.now()`. */
export function clockUntil(deadline: number, { signal, onProgress, grace = 0 }: ClockOptions): Clock {
  let breathed = performance.now();
  let end = deadline;
  let aborted = false;
  const left = () => {
    if (!aborted && signal?.aborted === true) {
      aborted = true;
      end = Math.min(end, performance.now() + 1000 * grace);
    }
    return Math.max(0, (end - performance.now()) / 1000);
  };
  return {
    left,
    async breathe() {
      if (performance.now() - breathed > breathMs) {
        await new Promise((resolve) => setTimeout(resolve));
        breathed = performance.now();
      }
      return left() > 0;
    },
    tell: (stage, text) => onProgress?.({ stage, text }),
  };
}

/** Returns a clock that ends after `seconds`, or with the given clock if that is sooner. */
export function within(seconds: number, clock: Clock): Clock {
  const end = performance.now() + 1000 * seconds;
  const left = () => Math.min(clock.left(), Math.max(0, (end - performance.now()) / 1000));
  return { left, breathe: async () => (await clock.breathe()) && left() > 0, tell: clock.tell };
}

/** Thrown by {@link inTime}, for loops whose callers cannot use a part of their result. */
export class OutOfTime extends Error {}

/** Lets the event loop run as {@link Clock.breathe} does. @throws OutOfTime if no time is left. */
export async function inTime(clock: Clock): Promise<void> {
  if (!(await clock.breathe())) throw new OutOfTime();
}
