/**
 * Long work that can be interrupted: a generator that yields after about {@link quantum} units and returns the result.
 * A unit is one cell of a table or one bin. Units are counted, not timed, so pauses do not depend on the machine.
 */
export type Pausable<T> = Generator<void, T, void>;

/** Units of work between two pauses; some milliseconds. */
const quantum = 1 << 18;

/** Counts work and decides when a pause is due. */
export class WorkCounter {
  #sincePause = 0;

  /** Adds units of work. @returns true if the caller must yield now. */
  add(units: number): boolean {
    this.#sincePause += units;
    if (this.#sincePause < quantum) return false;
    this.#sincePause = 0;
    return true;
  }
}

/** Runs work to its end without a pause. */
export function runAtOnce<T>(work: Pausable<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/** Runs work to its end and awaits `pause` at every yield. @param pause may throw to end the work. */
export async function runWithPauses<T>(work: Pausable<T>, pause: () => Promise<void>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    await pause();
  }
}
