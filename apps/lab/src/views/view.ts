import type { TreeModel } from 'halfspace';
import type { Algorithm } from '../algorithm/algorithm.ts';
import type { Dataset } from '../data/dataset.ts';
import type { Companion, CompanionRequest } from '../engine/companion.ts';
import type { Examples } from '../engine/examples.ts';
import type { LearningPoint, Line, Moment, Recording } from '../engine/recording.ts';
import type { Verdict } from '../engine/verdict.ts';
import type { Frame, Picture } from '../picture/picture.ts';

/** Everything that views may show, at one moment of a run. */
export interface Scene {
  readonly dataset: Dataset;
  readonly algorithm: Algorithm;
  readonly examples: Examples;
  readonly recording: Recording;
  readonly moment: Moment;
  /** The step on the timeline, which may be after the end of the run; absent: that of the moment. */
  readonly step?: number;
  /** Null: not known yet. */
  readonly verdict: Verdict | null;
  /** Accuracies over the run; null: not known yet. */
  readonly curve: readonly LearningPoint[] | null;
  /** Scores of a grid in the plane, where the boundary is no line; null: not known, or not needed. */
  readonly surface: Surface | null;
  /** A tree grown from the same examples; null: none can be grown, undefined: not known yet. */
  readonly tree?: TreeModel | null | undefined;
  /** Runs beside this one, by their keys; null: such a run failed. Absent keys are not known yet. */
  readonly companions?: Readonly<Record<string, Companion | null>>;
  /** The selected example, by its number in the data; null: none. */
  readonly selected: number | null;
  readonly look: Look;
  /** Motion of the line in the plane; null or absent: it is at rest. */
  readonly motion?: Motion | null;
  /** Share of the motion with which a view begins, in [0, 1]; absent: it is over. */
  readonly entrance?: number;
}

/** The line on its way from one moment to the next. */
export interface Motion {
  readonly line: Line;
  /** Share of y·x that is drawn, in [0, 1]. */
  readonly added: number;
  /** Earlier lines of a fast run, the oldest first; null: the run is slow enough to show every update. */
  readonly trail: readonly Line[] | null;
}

/** Settings of how things are drawn; every view reads its own part. */
export interface Look {
  /** The plane that is drawn. */
  readonly plane: Plane;
  /** The visible part of that plane, by its corners; null: around the points. */
  readonly window: { readonly from: readonly [number, number]; readonly to: readonly [number, number] } | null;
  /** Rotation of the lifted space, in degrees. */
  readonly turn: { readonly yaw: number; readonly pitch: number };
  /** The chosen picture of a view, by the view's id. */
  readonly choices: Readonly<Record<string, string>>;
  /** Place of the bias in R, γ, w* and the bound; absent: as a coordinate. See `proof/bound.ts`. */
  readonly space?: 'coordinate' | 'apart';
  /** An image that the user drew: ink of each pixel in [0, 1], row by row from the top left; absent: none. */
  readonly drawing?: readonly number[];
  /** Layers of the plane, by id: true if drawn. Absent layers have their defaults (`plane/plane.ts`). */
  readonly layers?: Readonly<Record<string, boolean>>;
}

/**
 * The plane of two features, by their positions; or that of the line's normal and the direction in which the
 * remaining variance is largest.
 */
export type Plane =
  | { readonly kind: 'features'; readonly horizontal: number; readonly vertical: number }
  | { readonly kind: 'normal' };

export interface Surface {
  readonly step: number;
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly columns: number;
  readonly rows: number;
  /** Row by row from the bottom left. */
  readonly scores: Float64Array;
  /** Scores of the drawn examples, by their positions; empty: not known. */
  readonly shown: Float64Array;
}

/** A pure function from a scene to a picture, with its words. */
export interface View {
  readonly id: string;
  readonly title: string;
  /** The question that the view answers. */
  readonly question: string;
  /** The pictures to choose from, the default first; absent: there is one. */
  readonly choices?: readonly { readonly id: string; readonly title: string }[];
  /** Returns the reason, as a sentence, why there is nothing to see; null: there is something. */
  missing(scene: Scene): string | null;
  draw(scene: Scene, frame: Frame): Picture;
  /** Describes the picture and its numbers in a sentence or two, for screen readers. */
  describe(scene: Scene): string;
  /** The motion with which the view begins: its milliseconds, and the words of the button that repeats it. */
  readonly entrance?: { readonly duration: number; readonly title: string };
  /** A result besides the run that the view needs; it is computed only while the view is shown. */
  readonly needs?: 'curve' | 'tree';
  /** Returns the run beside this one that the view needs; it is made only while the view is shown. Null: none. */
  companion?(scene: Scene): CompanionRequest | null;
  /** Returns the value that dragging and arrow keys change; null: none. */
  handle?(scene: Scene): Handle | null;
  /** Returns the part of the picture that the user draws on; null: none. */
  pad?(scene: Scene, frame: Frame): Pad | null;
  /** Returns a change of the algorithm, or other data, that show more here, for a button; null: none. */
  offer?(scene: Scene): Offer | null;
  /** Returns further changes, for buttons below the picture. */
  offers?(scene: Scene): readonly Offer[];
}

/** A slider in two directions that covers a picture. */
export interface Handle {
  /** Its name: `Turn the space`. */
  readonly label: string;
  /** A value in [least, most], for screen readers. */
  readonly value: number;
  readonly least: number;
  readonly most: number;
  /** The value in words: `turned by 35°, tilted by 25°`. */
  readonly text: string;
  /** Returns the look after a drag by some pixels, to the right and downwards. */
  move(look: Look, dx: number, dy: number): Look;
}

export type Offer = {
  /** Text of the button: `Hold out a quarter`. */
  readonly title: string;
} & ({ readonly algorithm: Algorithm } | { readonly dataset: Dataset } | { readonly look: Look } | PresetOffer);

/** A square of a picture that takes strokes. */
export interface Pad {
  /** Its name: `Draw a digit`. */
  readonly label: string;
  readonly left: number;
  readonly top: number;
  readonly side: number;
  /** Number of pixels in a row, and of rows. */
  readonly pixels: number;
  /** Returns the look after a stroke between two places, in shares of the side. */
  stroke(look: Look, from: readonly [number, number], to: readonly [number, number]): Look;
  clear(look: Look): Look;
}

/** Other data that show more here. */
interface PresetOffer {
  /** Id of a preset. */
  readonly preset: string;
  /** The picture of the view to choose with it; default: the present one. */
  readonly choice?: string;
}
