import type { Exact } from './fraction.ts';
import type { NaiveRun } from './naive-run.ts';

/** Two values and their relation; `≈` is followed by the decimal that the first one is rounded to. */
export type Fact = readonly [Exact, '=' | '<' | '>' | '<=' | '>=' | '!=', Exact] | readonly [Exact, '≈', string];

/** The subject of a sentence: the run of its scene, the step that the scene shows, and the runs of other scenes. */
export interface Subject {
  readonly run: NaiveRun;
  readonly step: number;
  readonly other: (title: string) => NaiveRun;
}

/** Facts by sections, titles of scenes, and sentences of the tour's English file. */
export type ExactClaims = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, (subject: Subject) => readonly Fact[]>>>>>
>;
