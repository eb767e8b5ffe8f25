/** A lecture as scenes of the lab: written in Markdown (the .md files here), compiled when the lab is built (`scripts/compile-tour.ts`). Plain data. */
export interface Tour extends TourHead {
  readonly sections: readonly Section[];
}

/** What the list of tours shows. */
export interface TourHead {
  /** As in links: `lecture-9`. */
  readonly id: string;
  readonly title: string;
  /** Whose lecture it is, or who the tour is for; a sentence at most. */
  readonly source: string;
  readonly minutes: number;
  /** The headings, so that the list can say how many there are and a link can name one. */
  readonly headings: readonly string[];
}

export interface Section {
  readonly heading: string;
  /** What is there in order: text, scenes, questions. */
  readonly parts: readonly Part[];
}

export type Part = TextPart | ScenePart | QuizPart | OpenPart;

/** HTML that was made from our own Markdown, formulas set. */
export interface TextPart {
  readonly kind: 'text';
  readonly html: string;
}

/** A button that opens a table of the reader's own. */
export interface OpenPart {
  readonly kind: 'open';
  readonly title: string;
}

/** Data, an algorithm and a moment, and what is claimed of them. */
export interface ScenePart {
  readonly kind: 'scene';
  /** How other scenes and questions of the section call it: `mixed` in `mixed.updates`. One of each section may go without: `scene`. */
  readonly name: string;
  /** On its button: "Show the positives first". */
  readonly title: string;
  readonly data: SceneData;
  /** What differs from the lab's default algorithm. */
  readonly algorithm: Readonly<Record<string, unknown>>;
  /** Which moment; see `find-step.ts`. */
  readonly step: string | number;
  /** The two views beside the plane. */
  readonly views: readonly [string, string];
  /** Which picture of a view, by the view's id. */
  readonly choices: Readonly<Record<string, string>>;
  /** Layers of the plane that are on or off otherwise than at first, by their ids. */
  readonly layers: Readonly<Record<string, boolean>>;
  /** The example that is chosen, by its number in the data, from 0. */
  readonly selected: number | null;
  /** What must be true of it, in words and as an expression; see `expression.ts`. */
  readonly claims: readonly Claim[];
}

export interface Claim {
  /** HTML, formulas set. */
  readonly html: string;
  readonly expression: string;
}

/** Where the examples of a scene come from. Of `columns` and `rows` the last column is the class. */
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

/** Two round clouds of points; see `make-clouds.ts`. */
export interface Clouds {
  /** Points of each class. */
  readonly each: number;
  /** Between the centres. */
  readonly distance: number;
  /** Of the points of one class about their centre, along each axis. */
  readonly deviation: number;
  readonly seed: number;
  /** Where the middle between the centres is; default the origin. */
  readonly middle?: readonly [number, number];
  /** One class after the other, or one of each in turn; default in turn. */
  readonly order?: 'alternating' | 'positives-first';
  /** How many columns of noise, of deviation 1, stand beside the two that count; default 0. */
  readonly noise?: number;
}

export type QuizPart = ChoiceQuiz | NumberQuiz;

/** One or more of the options are right: those whose expressions hold. */
export interface ChoiceQuiz {
  readonly kind: 'choice';
  readonly question: string;
  readonly options: readonly { readonly html: string; readonly right: string }[];
  readonly explanation: string;
}

/** A number to find, or to predict and then to see: `predict` goes to a step of the first scene when the answer is checked. */
export interface NumberQuiz {
  readonly kind: 'number' | 'predict';
  readonly question: string;
  /** An expression; the library computes it when the answer is checked. */
  readonly answer: string;
  /** Where `predict` goes; see `find-step.ts`. */
  readonly step: string;
  /** What must be true of the scenes for the numbers in the words to be right; null: there are none. The tests evaluate it. */
  readonly holds: string | null;
  /** How far off an answer may be; 0: exact. */
  readonly within: number;
  readonly explanation: string;
}

export const scenesOf = ({ parts }: Section): readonly ScenePart[] => parts.filter((part) => part.kind === 'scene');
