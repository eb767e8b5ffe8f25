import { language } from '../words/words.ts';
import blogHead from './blog.md?head';
import cs4780Head from './cs4780.md?head';
import fiveMinutesHead from './five-minutes.md?head';
import fodaHead from './foda.md?head';
import germanBlogHead from './german/blog.md?head';
import germanCs4780Head from './german/cs4780.md?head';
import germanFiveMinutesHead from './german/five-minutes.md?head';
import germanFodaHead from './german/foda.md?head';
import germanLecture9Head from './german/lecture-9.md?head';
import germanSlidesHead from './german/slides.md?head';
import lecture9Head from './lecture-9.md?head';
import slidesHead from './slides.md?head';
import type { Tour, TourHead } from './tour.ts';

/** A tour in the list; its text is loaded when it is opened. */
export interface ListedTour {
  readonly head: TourHead;
  readonly load: () => Promise<{ readonly default: Tour }>;
}

const english: readonly ListedTour[] = [
  { head: fiveMinutesHead, load: () => import('./five-minutes.md') },
  { head: lecture9Head, load: () => import('./lecture-9.md') },
  { head: cs4780Head, load: () => import('./cs4780.md') },
  { head: fodaHead, load: () => import('./foda.md') },
  { head: blogHead, load: () => import('./blog.md') },
  { head: slidesHead, load: () => import('./slides.md') },
];

const german: readonly ListedTour[] = [
  { head: germanFiveMinutesHead, load: () => import('./german/five-minutes.md') },
  { head: germanLecture9Head, load: () => import('./german/lecture-9.md') },
  { head: germanCs4780Head, load: () => import('./german/cs4780.md') },
  { head: germanFodaHead, load: () => import('./german/foda.md') },
  { head: germanBlogHead, load: () => import('./german/blog.md') },
  { head: germanSlidesHead, load: () => import('./german/slides.md') },
];

/** The tours in the page's language, in the order of the list: first steps, then the lectures. */
export const tourList: readonly ListedTour[] = language === 'de' ? german : english;
