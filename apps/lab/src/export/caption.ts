import { choiceOf } from '../algorithm/catalogue.ts';
import { wrapped } from '../picture/labels.ts';
import { textMark } from '../picture/marks.ts';
import type { Frame, Picture } from '../picture/picture.ts';
import { fitText } from '../picture/text-width.ts';
import { positionText } from '../views/position-text.ts';
import { spaceOf, spaces } from '../views/proof/bound.ts';
import type { Scene, View } from '../views/view.ts';
import { fileStem } from './download.ts';

/** Two lines, so that the caption has the same height in every picture of a film. */
type Caption = readonly [setup: string, place: string];

/**
 * Returns the caption of an exported picture: the view, the data and the algorithm, then the place in the run and how
 * R, γ and w* count the bias.
 */
export function captionOf({ title }: View, scene: Scene): Caption {
  const { dataset, algorithm, recording, moment, look } = scene;
  const hasBias = recording.width > 0 && recording.biasConstant !== 0;
  const space = spaces.find(({ id }) => id === spaceOf(look))!.title;
  return [
    [title, dataset.name, choiceOf(algorithm).title].join(' · '),
    [positionText(recording, moment), ...(hasBias ? [`bias ${space}`] : [])].join(' · '),
  ];
}

/** Shares of the size of text: the caption's letters, its lines, and the space around it. */
const [letters, lineHeight, space] = [0.85, 1.2, 0.6];

/** Returns the part of a frame that a caption of some lines leaves to the picture. */
export function frameAbove({ width, height, text }: Frame, lines = 2): Frame {
  return { width, height: Math.floor(height - (lines * lineHeight + space) * text), text };
}

/** Breaks a text into lines of a caption. */
export const captionLines = (words: string, { width, text }: Frame): string[] =>
  wrapped(words, letters * text, width - 2 * space * text);

/** Puts a caption below a picture that was drawn for {@link frameAbove}. */
export function captioned({ marks }: Picture, frame: Frame, caption: readonly string[]): Picture {
  const { width, height, text } = frame;
  const [size, edge, line] = [letters * text, space * text, lineHeight * text];
  const top = frameAbove(frame, caption.length).height;
  const lines = caption.map((words, k) =>
    textMark([edge, top + (k + 0.5) * line], fitText(words, size, width - 2 * edge), size, {
      fill: k === 0 ? 'ink' : 'muted',
      id: `caption ${k + 1}`,
    }),
  );
  return { width, height, marks: [...marks, ...lines] };
}

/** Returns the name of a picture's file, without its ending: data, algorithm, view, and the step of a still picture. */
export function pictureName({ id }: View, { dataset, algorithm }: Scene, step: number | null): string {
  const name = fileStem(dataset.name);
  const how = fileStem(choiceOf(algorithm).title).toLowerCase();
  return [name, how, id, ...(step === null ? [] : [`step-${step}`])].join('-');
}
