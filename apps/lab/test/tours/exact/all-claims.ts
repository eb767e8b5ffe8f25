import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ExactClaims, Fact, Subject } from './claim.ts';
import { blog } from './claims/blog.ts';
import { cs4780 } from './claims/cs4780.ts';
import { fiveMinutes } from './claims/five-minutes.ts';
import { foda } from './claims/foda.ts';
import { lecture9 } from './claims/lecture-9.ts';
import { slides } from './claims/slides.ts';
import { NaiveRun } from './naive-run.ts';
import { sectionsOf, type WrittenScene, type WrittenSection } from './written-tour.ts';

const exactClaims: Readonly<Record<string, ExactClaims>> = {
  blog,
  cs4780,
  'five-minutes': fiveMinutes,
  foda,
  'lecture-9': lecture9,
  slides,
};

/** A sentence of a tour with its facts. Section and scene are null where the file has no such. */
export interface CheckedSentence {
  readonly tour: string;
  readonly heading: string;
  readonly title: string;
  readonly sentence: string;
  readonly section: WrittenSection | null;
  readonly scene: WrittenScene | null;
  /** Recomputes the facts. */
  readonly facts: () => readonly Fact[];
}

export const checkedSentences: readonly CheckedSentence[] = Object.entries(exactClaims).flatMap(([tour, byHeading]) => {
  const file = fileURLToPath(new URL(`../../../src/tours/${tour}.md`, import.meta.url));
  const sections = sectionsOf(readFileSync(file, 'utf8'));
  return Object.entries(byHeading).flatMap(([heading, byTitle]) => {
    const section = sections.find((each) => each.heading === heading) ?? null;
    const runs = new Map<string, NaiveRun>();
    const runOf = (title: string): NaiveRun => {
      const run = runs.get(title) ?? new NaiveRun(section!.scenes.find((each) => each.title === title)!);
      runs.set(title, run);
      return run;
    };
    return Object.entries(byTitle).flatMap(([title, bySentence]) => {
      const scene = section?.scenes.find((each) => each.title === title) ?? null;
      const subject = (): Subject => ({ run: runOf(title), step: runOf(title).stepOf(scene!.step), other: runOf });
      return Object.entries(bySentence).map(([sentence, factsOf]) => ({
        tour,
        heading,
        title,
        sentence,
        section,
        scene,
        facts: () => factsOf(subject()),
      }));
    });
  });
});
