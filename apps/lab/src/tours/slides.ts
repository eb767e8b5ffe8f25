import { type Section, scenesOf } from './tour.ts';

/** The place of a slide: the numbers of a section and of a scene in it, from 0. */
export interface SlidePlace {
  readonly section: number;
  readonly scene: number;
}

/**
 * Returns the slide after (1) or before (−1) another one; null: there is none. Every scene is a slide, and so is a
 * section without scenes.
 */
export function slideFrom(
  sections: readonly Section[],
  { section, scene }: SlidePlace,
  way: 1 | -1,
): SlidePlace | null {
  const slidesOf = (at: number) => Math.max(1, scenesOf(sections[at]!).length);
  const next = scene + way;
  if (next >= 0 && next < slidesOf(section)) return { section, scene: next };
  const other = section + way;
  if (other < 0 || other >= sections.length) return null;
  return { section: other, scene: way > 0 ? 0 : slidesOf(other) - 1 };
}
