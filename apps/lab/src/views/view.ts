import type { TreeModel } from 'halfspace';
import type { Algorithm } from '../algorithm/algorithm.ts';
import type { Dataset } from '../data/dataset.ts';
import type { LearningPoint } from '../engine/engine.ts';
import type { Examples } from '../engine/examples.ts';
import type { Moment, Recording } from '../engine/recording.ts';
import type { Verdict } from '../engine/verdict.ts';
import type { Frame, Picture } from '../picture/picture.ts';

/** Everything that views may show, at one moment. */
export interface Scene {
  readonly dataset: Dataset;
  readonly algorithm: Algorithm;
  readonly examples: Examples;
  readonly recording: Recording;
  readonly moment: Moment;
  /** Null until it is known. */
  readonly verdict: Verdict | null;
  /** Accuracies over the run; null until they are known. */
  readonly curve: readonly LearningPoint[] | null;
  /** Scores of a grid in the plane, where the boundary is no line and they are known. */
  readonly surface: Surface | null;
  /** A tree grown from the same examples as the run learned from; null: none can be grown, undefined: not known yet. */
  readonly tree?: TreeModel | null | undefined;
  /** The example that is chosen, by its number in the data; null: none. */
  readonly selected: number | null;
  readonly look: Look;
}

/** How a person looks at things; every view keeps to its own part. */
export interface Look {
  /** The plane that is drawn. */
  readonly plane: Plane;
  /** The part of that plane that is seen: its corners. Null: where the points are. */
  readonly window: { readonly from: readonly [number, number]; readonly to: readonly [number, number] } | null;
  /** Of the lifted space, in degrees. */
  readonly turn: { readonly yaw: number; readonly pitch: number };
  /** Which of several pictures a view shows, by the view's id. */
  readonly choices: Readonly<Record<string, string>>;
  /** Which layers of the plane are drawn, by their ids; those left out are as at first (`plane/layers.ts`). */
  readonly layers?: Readonly<Record<string, boolean>>;
}

/** Two features side by side, by their positions; or the line's normal and the direction in which the rest of the examples varies most. */
export type Plane =
  | { readonly kind: 'features'; readonly horizontal: number; readonly vertical: number }
  | { readonly kind: 'normal' };

export interface Surface {
  readonly step: number;
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly columns: number;
  readonly rows: number;
  /** From the bottom left, row by row. */
  readonly scores: Float64Array;
}

/** One way to look at a run: a pure function from a scene to a picture. */
export interface View {
  readonly id: string;
  readonly title: string;
  /** The one question that it answers, as a question. */
  readonly question: string;
  /** Pictures that it has to choose from, the first the default; none: one. */
  readonly choices?: readonly { readonly id: string; readonly title: string }[];
  /** Null, or a sentence that says why there is nothing to see here. */
  missing(scene: Scene): string | null;
  draw(scene: Scene, frame: Frame): Picture;
  /** What the picture says, in a sentence or two, with its numbers: for those who do not see it. */
  describe(scene: Scene): string;
  /** What it shows besides the run, which is computed only while it is looked at. */
  readonly needs?: 'curve' | 'tree';
  /** What dragging over the picture, and arrow keys on it, turn or move; null: nothing in this scene. */
  handle?(scene: Scene): Handle | null;
  /** What could be changed to see more here: a button beside the question; null: nothing. */
  offer?(scene: Scene): Offer | null;
}

/** Something in a picture that can be dragged: a slider of two directions. */
export interface Handle {
  /** What it does: `Turn the space`. */
  readonly label: string;
  /** In [least, most], what it is told as to who does not see it. */
  readonly value: number;
  readonly least: number;
  readonly most: number;
  /** The same in words: `turned by 35°, tilted by 25°`. */
  readonly text: string;
  /** How things look after a drag by so many pixels, to the right and downwards. */
  move(look: Look, dx: number, dy: number): Look;
}

export interface Offer {
  /** On the button: `Hold out a quarter`. */
  readonly title: string;
  readonly algorithm: Algorithm;
}
