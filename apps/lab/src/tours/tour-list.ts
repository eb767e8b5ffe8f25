import blogHead from './blog.md?head';
import cs4780Head from './cs4780.md?head';
import fiveMinutesHead from './five-minutes.md?head';
import fodaHead from './foda.md?head';
import lecture9Head from './lecture-9.md?head';
import averagingHead from './lectures/averaging.md?head';
import novikoffHead from './lectures/novikoff.md?head';
import xorHead from './lectures/xor.md?head';
import slidesHead from './slides.md?head';
import type { Tour, TourHead } from './tour.ts';

/** A tour in the list; its text is loaded when it is opened. */
interface ListedTour {
  readonly head: TourHead;
  readonly load: () => Promise<{ readonly default: Tour }>;
}

/** The tours in the order of the list: first steps, those that follow lectures, and lectures to present. */
export const tourList: readonly ListedTour[] = [
  { head: fiveMinutesHead, load: () => import('./five-minutes.md') },
  { head: lecture9Head, load: () => import('./lecture-9.md') },
  { head: cs4780Head, load: () => import('./cs4780.md') },
  { head: fodaHead, load: () => import('./foda.md') },
  { head: blogHead, load: () => import('./blog.md') },
  { head: slidesHead, load: () => import('./slides.md') },
  { head: xorHead, load: () => import('./lectures/xor.md') },
  { head: novikoffHead, load: () => import('./lectures/novikoff.md') },
  { head: averagingHead, load: () => import('./lectures/averaging.md') },
];
