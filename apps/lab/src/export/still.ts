import type { SurfaceRequest } from '../engine/engine.ts';
import { type KeyEntry, keyMarks } from '../picture/key.ts';
import { movedMark } from '../picture/marks.ts';
import type { Frame, Mark, Picture } from '../picture/picture.ts';
import type { ThemeName } from '../picture/theme.ts';
import { groundOf, plane, sliceNote, surfaceRequest } from '../views/plane/plane.ts';
import type { Scene, Surface, View } from '../views/view.ts';
import { captioned, captionLines, captionOf, frameAbove } from './caption.ts';
import { pictureToSvg } from './svg.ts';
import { pictureToTikz } from './tikz.ts';

/** Sizes of pictures in pixels of 1/96 inch: a page, a slide of 16 : 9, one or two columns of a paper. */
export const sizes = [
  { id: 'page', title: 'Page', frame: { width: 960, height: 640, text: 16 } },
  { id: 'slide', title: 'Slide', frame: { width: 1280, height: 720, text: 26 } },
  { id: 'column', title: 'One column', frame: { width: 336, height: 280, text: 10.5 } },
  { id: 'columns', title: 'Two columns', frame: { width: 688, height: 400, text: 11 } },
] as const satisfies readonly { readonly id: string; readonly title: string; readonly frame: Frame }[];

export type SizeId = (typeof sizes)[number]['id'];

/** Returns a size by its id. */
export const frameOf = (id: SizeId): Frame => sizes.find((size) => size.id === id)!.frame;

/** Formats of pictures that are text. */
export const textFormats = ['svg', 'tex'] as const;

/** Colours of a picture in a file. */
interface Still {
  readonly theme: ThemeName;
  /** True: there is no paper behind it. */
  readonly transparent: boolean;
}

/**
 * Draws a view in a frame, above its key and its caption.
 * @param score scores the plane where the boundary is no line.
 * @param hasCaption false: the key stands alone.
 */
export async function stillOf(
  view: View,
  scene: Scene,
  frame: Frame,
  score: (request: SurfaceRequest) => Promise<Surface>,
  hasCaption = true,
): Promise<Picture> {
  const { width, height, text } = frame;
  const [setup, place] = captionOf(view, scene);
  const whole = view === plane ? groundOf(scene, frame) : null;
  const note = whole === null ? '' : sliceNote(whole, null);
  const caption = [setup, ...captionLines([place, note].filter((each) => each !== '').join(' · '), frame)];
  const above = hasCaption ? frameAbove(frame, caption.length) : frame;
  const draw = async (part: Frame) => {
    const ground = view === plane ? groundOf(scene, part) : null;
    const wanted = ground === null ? null : surfaceRequest(scene, ground);
    return view.draw(wanted === null ? scene : { ...scene, surface: await score(wanted) }, part);
  };
  let drawn = await draw(above);
  const key = keyMarks(keyOf(drawn.marks, scene), { width, text: text * 0.9 });
  const top = Math.floor(above.height - key.height - (key.height > 0 ? text * 0.4 : 0));
  if (key.height > 0) drawn = await draw({ width, height: top, text });
  const marks = [...drawn.marks, ...key.marks.map((mark) => movedMark(mark, text * 0.15, top))];
  const all = hasCaption ? captioned({ width, height, marks }, frame, caption).marks : marks;
  return { width, height, marks: all.map((mark) => weighted(mark, text / 15)) };
}

/** Returns the names of what the plane shows. */
function keyOf(marks: readonly Mark[], { examples, recording }: Scene): KeyEntry[] {
  const has = (id: string) => marks.some((mark) => mark.id === id);
  const points = marks.filter(({ id }) => id?.startsWith('example '));
  if (points.length === 0) return [];
  const [negative, positive] = examples.classes;
  return [
    { name: positive, shape: 'disc', pen: { fill: 'positive' } },
    { name: negative, shape: 'square', pen: { fill: 'negative' } },
    ...(points.some(({ fill }) => fill === 'paper')
      ? [{ name: 'on the wrong side', shape: 'ring', pen: { stroke: 'muted', width: 2 } } as const]
      : []),
    ...(has('boundary') ? [{ name: recording.model.rule, pen: { stroke: 'line', width: 2.5 } } as const] : []),
    ...(has('positive margin')
      ? [{ name: 'margin', pen: { stroke: 'line', width: 1.25, dash: [4, 4] } } as const]
      : []),
    ...(has('radius') ? [{ name: 'R', pen: { stroke: 'bound', dash: [3, 4] } } as const] : []),
  ];
}

/** Returns a mark whose widths and dashes fit the size of text: marks have those for text of 15 pixels. */
function weighted(mark: Mark, weight: number): Mark {
  const { dash, width = 1.5 } = mark;
  return {
    ...mark,
    width: width * weight,
    ...(dash === undefined ? {} : { dash: dash.map((length) => length * weight) }),
  };
}

/** Writes a picture as text. */
export function writtenStill(
  picture: Picture,
  format: (typeof textFormats)[number],
  title: string,
  { theme, transparent }: Still,
): string {
  return (format === 'svg' ? pictureToSvg : pictureToTikz)(picture, theme, title, transparent);
}

/** Returns the title of a picture, which also describes it. */
export const titleOf = (view: View, scene: Scene): string => `${view.title}: ${view.describe(scene)}`;
