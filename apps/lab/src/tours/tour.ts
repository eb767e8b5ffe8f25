import type { Space } from '../views/proof/bound.ts';

/**
 * A lecture as scenes of the lab, written in Markdown and compiled by the build (`scripts/compile-tour.ts`). Plain
 * data.
 */
export interface Tour extends TourNames {
  readonly sections: readonly Section[];
}

/** The part of a tour that the list shows. */
export interface TourHead extends TourNames {
  readonly sectionCount: number;
}

interface TourNames {
  /** Id in links: `lecture-9`. */
  readonly id: string;
  readonly title: string;
  /** The lecture's author, or the audience of the tour. */
  readonly source: string;
  readonly minutes: number;
  /** True for a lecture to present: its scenes are played, then its statements are told one by one. */
  readonly plays: boolean;
}

export interface Section {
  readonly heading: string;
  /** Text, scenes and questions in their order. */
  readonly parts: readonly Part[];
}

export type Part = TextPart | ScenePart | QuizPart | OpenPart;

/** HTML from our own Markdown, formulas included. */
interface TextPart {
  readonly kind: 'text';
  readonly html: string;
}

/** A button that opens a table. */
interface OpenPart {
  readonly kind: 'open';
  readonly title: string;
}

/** Data, an algorithm and a step, with claims about them. */
export interface ScenePart {
  readonly kind: 'scene';
  /** The name in expressions: `mixed` in `mixed.updates`. One scene of each section may have none: it is `scene`. */
  readonly name: string;
  /** Text of its button: "Show the positives first". */
  readonly title: string;
  readonly data: SceneData;
  /** Differences from the lab's default algorithm. */
  readonly algorithm: Readonly<Record<string, unknown>>;
  /** The step; see `find-step.ts`. */
  readonly step: string | number;
  /** The place of the bias in R, γ and w* for claims and questions; showing the scene sets it on the page. */
  readonly space: Space;
  /** The two views beside the plane. */
  readonly views: readonly [string, string];
  /** The figure that stands above the text where there is room for one only: the plane, or the first of the views. */
  readonly sight: 'plane' | 'view';
  /** The picture of a view, by the view's id. */
  readonly choices: Readonly<Record<string, string>>;
  /** Layers of the plane that differ from their defaults, by their ids. */
  readonly layers: Readonly<Record<string, boolean>>;
  /** The selected example, by its number in the data, from 0. */
  readonly selected: number | null;
  /** Statements that must hold, in words and as expressions; see `expression.ts`. */
  readonly claims: readonly Claim[];
}

interface Claim {
  /** HTML, formulas included. */
  readonly html: string;
  readonly expression: string;
}

/** The data of a scene. In `columns` and `rows` the last column is the class. */
export type SceneData =
  | { readonly preset: string; readonly parameters?: Readonly<Record<string, number>> }
  | { readonly points: readonly (readonly [x: number, y: number, label: number])[]; readonly name?: string }
  | {
      readonly columns: readonly string[];
      readonly rows: readonly (readonly (string | number)[])[];
      readonly name?: string;
    }
  | { readonly line: readonly (readonly [x: number, label: number])[]; readonly name?: string }
  | { readonly clouds: Clouds; readonly name?: string };

/** Two round clouds of points; see `scene.ts`. */
export interface Clouds {
  /** Number of points of each class. */
  readonly each: number;
  /** Distance between the centres. */
  readonly distance: number;
  /** Standard deviation of a class about its centre, along each axis. */
  readonly deviation: number;
  readonly seed: number;
  /** The middle between the centres; default the origin. */
  readonly middle?: readonly [number, number];
  /** One class after the other, or one point of each in turn; default in turn. */
  readonly order?: 'alternating' | 'positives-first';
  /** Number of further columns of noise, of deviation 1; default 0. */
  readonly noise?: number;
}

export type QuizPart = ChoiceQuiz | NumberQuiz;

/** A question with options; right are those whose expressions hold. */
interface ChoiceQuiz {
  readonly kind: 'choice';
  readonly question: string;
  readonly options: readonly { readonly html: string; readonly right: string }[];
  readonly explanation: string;
}

/** A number to compute or to predict. `predict` goes to a step of the first scene when the answer is checked. */
interface NumberQuiz {
  readonly kind: 'number' | 'predict';
  readonly question: string;
  /** An expression that is evaluated when the answer is checked. */
  readonly answer: string;
  /** The step that `predict` shows; see `find-step.ts`. */
  readonly step: string;
  /** An expression that must hold for the numbers in the text to be right; null: none. The tests evaluate it. */
  readonly holds: string | null;
  /** Tolerance of the answer; 0: exact. */
  readonly within: number;
  readonly explanation: string;
}

/** The place of the bias in a section: a tour has one, and all its scenes have it. */
export const spaceOfSection = (section: Section): Space => scenesOf(section)[0]?.space ?? 'coordinate';

export const scenesOf = ({ parts }: Section): readonly ScenePart[] => parts.filter((part) => part.kind === 'scene');
