import { type Line, lineBetween, type Moment, type Recording } from '../../engine/recording.ts';

/** Milliseconds that a line takes to turn. */
const duration = 200;
/** Milliseconds between frames beyond which the turn is left out: the page has more to do than it can draw. */
const longestFrame = 40;

/** Turns the line of one moment into that of the next: w grows by y·x, and the line turns with it. */
export class Turning {
  /** The line at this instant; null: as the moment has it. */
  line: Line | null = $state.raw(null);
  #last: { readonly recording: Recording; readonly moment: Moment } | null = null;
  #handle = 0;

  /**
   * Shows a moment. The turn starts at the line that is shown, also in the middle of another turn.
   * @param still true: there is no motion.
   */
  show(recording: Recording | null, moment: Moment | null, still: boolean): void {
    cancelAnimationFrame(this.#handle);
    const last = this.#last;
    const from = this.line ?? last?.moment.present ?? null;
    this.line = null;
    this.#last = recording === null || moment === null ? null : { recording, moment };
    const to = moment?.present ?? null;
    if (still || last === null || moment === null || from === null || to === null) return;
    if (last.recording !== recording || Math.abs(moment.updates - last.moment.updates) !== 1) return;
    const began = performance.now();
    let before = began;
    const turn = (now: number) => {
      const share = Math.min(1, Math.max(0, (now - began) / duration));
      const isLate = now - before > longestFrame;
      before = now;
      this.line = share === 1 || isLate ? null : lineBetween(from, to, share * share * (3 - 2 * share));
      if (this.line !== null) this.#handle = requestAnimationFrame(turn);
    };
    this.line = from;
    this.#handle = requestAnimationFrame(turn);
  }
}
