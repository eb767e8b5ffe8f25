import type { Recording } from '../engine/recording.ts';
import { amountText } from '../picture/shares.ts';

/** The part of the lab that playing needs. */
export interface Playable {
  step: number;
  /** Examples per second. */
  speed: number;
  playing: boolean;
  /** The steps that can be reached: of the run, and of runs beside it. */
  readonly timeline: Pick<Recording, 'steps'> | null;
  seek(step: number): void;
}

/** The longest time that a frame counts, in milliseconds: a hidden tab has no frames, and its run should not jump. */
const longestFrame = 250;
/** Minimum time between frames in milliseconds, if the user prefers reduced motion. */
const calmFrame = 1000 / 4;

/** Counts the examples that are due in every frame; a fraction of an example carries over to the next frame. */
export class Pace {
  #owed = 0;

  /** @param elapsed milliseconds since the last frame. @param speed examples per second. */
  due(elapsed: number, speed: number): number {
    this.#owed += (Math.min(elapsed, longestFrame) / 1000) * speed;
    const whole = Math.floor(this.#owed);
    this.#owed -= whole;
    return whole;
  }
}

/**
 * Plays until the end, or until the returned function is called. It draws once per frame at most, so high speeds skip
 * examples.
 */
export function play(lab: Playable, { calm = false }: { readonly calm?: boolean } = {}): () => void {
  const pace = new Pace();
  let last = performance.now();
  let handle = requestAnimationFrame(frame);
  function frame(now: number): void {
    handle = requestAnimationFrame(frame);
    const elapsed = now - last;
    if (calm && elapsed < calmFrame) return;
    last = now;
    const due = pace.due(elapsed, lab.speed);
    if (due > 0) lab.seek(lab.step + due);
    if (lab.step >= (lab.timeline?.steps ?? 0)) lab.playing = false;
  }
  return () => cancelAnimationFrame(handle);
}

/** Starts or stops playing. At the end of the run it starts again from the beginning. */
export function togglePlay(lab: Playable): void {
  const steps = lab.timeline?.steps ?? 0;
  if (!lab.playing && lab.step >= steps) lab.seek(0);
  lab.playing = !lab.playing && steps > 0;
}

/** The highest speed: the whole run in one second. */
export function fastest(steps: number): number {
  return Math.max(60, steps);
}

/**
 * Returns the speed at a position of the slider, from 0 (1 example per second) to 1 (the whole run in one second);
 * logarithmic.
 */
export function speedAt(position: number, steps: number): number {
  return fastest(steps) ** position;
}

export function positionOf(speed: number, steps: number): number {
  return Math.min(1, Math.log(Math.max(1, speed)) / Math.log(fastest(steps)));
}

export function speedText(speed: number, steps: number): string {
  if (speed >= fastest(steps) * 0.995 && steps >= 60) return 'the whole run in a second';
  const rounded = speed < 10 ? Math.round(speed * 10) / 10 : Math.round(speed);
  return `${amountText(rounded, 'example')} a second`;
}
