import type { Recording } from '../engine/recording.ts';

/** What plays: the part of the lab that this needs. */
export interface Playable {
  step: number;
  /** Examples a second. */
  speed: number;
  playing: boolean;
  readonly recording: Pick<Recording, 'steps'> | null;
  seek(step: number): void;
}

/** A pause of the page, as in a tab that nobody sees, is no time in which examples go by. */
const longestFrame = 250;
/** Who asks for less motion sees at most so many pictures a second. */
const calmFrame = 1000 / 4;

/** How many examples are due, frame by frame; what is left of one is owed to the next frame. */
export class Pace {
  #owed = 0;

  /** @param elapsed milliseconds since the last frame. @param speed examples a second. */
  due(elapsed: number, speed: number): number {
    this.#owed += (Math.min(elapsed, longestFrame) / 1000) * speed;
    const whole = Math.floor(this.#owed);
    this.#owed -= whole;
    return whole;
  }
}

/** Plays until the end, or until what it returns is called. A picture a frame at most: at high speed examples are skipped over. */
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
    if (lab.step >= (lab.recording?.steps ?? 0)) lab.playing = false;
  }
  return () => cancelAnimationFrame(handle);
}

/** Begins to play, from the start where the run is at its end; or stops. */
export function togglePlay(lab: Playable): void {
  const steps = lab.recording?.steps ?? 0;
  if (!lab.playing && lab.step >= steps) lab.seek(0);
  lab.playing = !lab.playing && steps > 0;
}

/** The highest speed there is: the whole run in a second. */
export function fastest(steps: number): number {
  return Math.max(60, steps);
}

/** Speeds along a slider from 0 to 1, each part of it as many times faster as any other: 1 example a second … the whole run in one. */
export function speedAt(position: number, steps: number): number {
  return fastest(steps) ** position;
}

export function positionOf(speed: number, steps: number): number {
  return Math.min(1, Math.log(Math.max(1, speed)) / Math.log(fastest(steps)));
}

export function speedWords(speed: number, steps: number): string {
  if (speed >= fastest(steps) * 0.995 && steps >= 60) return 'the whole run in a second';
  const rounded = speed < 10 ? Math.round(speed * 10) / 10 : Math.round(speed);
  return `${rounded.toLocaleString('en')} ${rounded === 1 ? 'example' : 'examples'} a second`;
}
