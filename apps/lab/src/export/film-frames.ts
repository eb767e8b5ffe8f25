import { momentAt } from '../engine/recording.ts';
import { motionOf } from '../views/plane/motion.ts';
import type { Scene } from '../views/view.ts';

/** One picture of a film: a moment of the run, or the line on its way there. */
export interface FilmFrame {
  readonly step: number;
  /** The moment before it in the film, where the line comes from. */
  readonly from: number;
  /** Share of the way, in (0, 1]. */
  readonly share: number;
  /** Milliseconds. */
  readonly duration: number;
}

/** Maximum number of moments in a film, and of pictures. */
const [mostMoments, mostFrames] = [240, 480];
/** Milliseconds from one moment to the next, those of the turn, and those that the last picture stays. */
const [betweenMoments, turn, atEnd] = [400, 200, 2000];
/** Maximum number of pictures between two moments; 25 pictures a second. */
const mostBetween = 4;

/**
 * Returns the steps of a film: the start, the updates and the end. Of many updates it takes an even sample.
 * @param updates steps that were updates, rising.
 */
export function momentsOf(updates: ArrayLike<number>, steps: number): number[] {
  const all = [...new Set([0, ...Array.from(updates), steps])];
  if (all.length <= mostMoments) return all;
  return Array.from({ length: mostMoments }, (_, k) => all[Math.round((k * (all.length - 1)) / (mostMoments - 1))]!);
}

/**
 * Returns the pictures of a film. Between two moments the line turns, as on the page.
 * @param turns false for a run that has no lines.
 */
export function framesOf(moments: readonly number[], turns: boolean): FilmFrame[] {
  const between = turns ? Math.max(0, Math.min(mostBetween, Math.floor(mostFrames / moments.length) - 1)) : 0;
  return moments.flatMap((step, k) => {
    const from = moments[k - 1] ?? step;
    const count = k === 0 ? 0 : between;
    const short = turn / (between + 1);
    const rest = k === moments.length - 1 ? atEnd : betweenMoments - count * short;
    return Array.from({ length: count + 1 }, (_, at) => {
      const share = (at + 1) / (count + 1);
      return { step, from, share, duration: at < count ? short : rest };
    });
  });
}

/** Returns a scene at a picture of a film. */
export function sceneAt(scene: Scene, { step, from, share }: FilmFrame): Scene {
  const moment = momentAt(scene.recording, step);
  const before = share < 1 ? momentAt(scene.recording, from).present : null;
  if (before === null || moment.present === null) return { ...scene, moment };
  return { ...scene, moment, motion: motionOf(before, moment.present, share) };
}
