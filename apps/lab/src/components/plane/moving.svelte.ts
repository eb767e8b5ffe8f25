import type { Line, Moment, Recording } from '../../engine/recording.ts';
import { motionOf } from '../../views/plane/motion.ts';
import type { Motion } from '../../views/view.ts';

/** Milliseconds between frames beyond which motion is left out: the page has more to do than it can draw. */
const longestFrame = 60;

/** Moves one moment into the next: y·x is added to w, and the line turns with it. */
export class Moving {
  /** The motion at this instant; null: everything is as the moment has it. */
  motion: Motion | null = $state.raw(null);
  #last: { readonly recording: Recording; readonly moment: Moment } | null = null;
  #handle = 0;

  /**
   * Shows a moment. The motion starts at the line that is shown, also in the middle of another motion.
   * @param duration milliseconds; 0: there is no motion.
   */
  show(recording: Recording | null, moment: Moment | null, duration: number): void {
    cancelAnimationFrame(this.#handle);
    const last = this.#last;
    const from: Line | null = this.motion?.line ?? last?.moment.present ?? null;
    this.motion = null;
    this.#last = recording === null || moment === null ? null : { recording, moment };
    const to = moment?.present ?? null;
    if (duration === 0 || last === null || moment === null || from === null || to === null) return;
    if (last.recording !== recording || Math.abs(moment.updates - last.moment.updates) !== 1) return;
    const began = performance.now();
    let before = began;
    const move = (now: number) => {
      const share = Math.min(1, Math.max(0, (now - began) / duration));
      const isLate = now - before > longestFrame;
      before = now;
      this.motion = share === 1 || isLate ? null : motionOf(from, to, share);
      if (this.motion !== null) this.#handle = requestAnimationFrame(move);
    };
    this.motion = motionOf(from, to, 0);
    this.#handle = requestAnimationFrame(move);
  }
}
