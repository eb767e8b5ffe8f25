import { printable } from 'halfspace/printable';
import type { SurfaceRequest } from '../engine/engine.ts';
import { type KeyEntry, keyMarks } from '../picture/key.ts';
import { movedMark, type PlainMark, plainMarks } from '../picture/marks.ts';
import type { Frame, Mark, Pen, Picture, Role, Spot, TextMark } from '../picture/picture.ts';
import { type ThemeName, themes } from '../picture/theme.ts';
import { groundOf, plane, sliceNote, surfaceRequest } from '../views/plane/plane.ts';
import type { Scene, Surface, View } from '../views/view.ts';
import { captioned, captionLines, captionOf, frameAbove } from './caption.ts';
import { pictureToSvg } from './svg.ts';

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

/** Big points, 1/72 inch, in a pixel, 1/96 inch. */
const unit = 0.75;

/** Signs for which the usual fonts of LaTeX have no letter. */
const signs: Readonly<Record<string, string>> = {
  ...{ '\\': '\\textbackslash{}', '~': '\\textasciitilde{}', '^': '\\textasciicircum{}', '…': '\\ldots{}' },
  ...{ '−': '$-$', '·': '$\\cdot$', '×': '$\\times$', '√': '$\\surd$', '∞': '$\\infty$', '→': '$\\to$' },
  ...{ '≤': '$\\le$', '≥': '$\\ge$', '‖': '$\\Vert$', '⟨': '$\\langle$', '⟩': '$\\rangle$', Σ: '$\\Sigma$' },
  ...{ γ: '$\\gamma$', τ: '$\\tau$', θ: '$\\theta$', λ: '$\\lambda$', α: '$\\alpha$', Δ: '$\\Delta$' },
  ...{ '²': '$^2$', '⁵': '$^5$', '₀': '$_0$', '★': '$\\star$', '°': '$^\\circ$' },
};

/** Writes a picture for LaTeX, with the fonts of the document around it. It needs the package `tikz` only. */
function pictureToTikz(
  { width, height, marks }: Picture,
  theme: ThemeName,
  title: string,
  transparent = false,
): string {
  const used = new Set<Role>();
  const colour = (role: Role) => {
    used.add(role);
    return nameOf(role);
  };
  const frame = `(0,0) rectangle (${width},${height})`;
  const paper = transparent ? '' : `  \\fill[${colour('paper')}] ${frame};\n`;
  const drawn = marks.flatMap(plainMarks).map((mark) => `  ${command(mark, colour)}\n`);
  const colours = [...used].map((role) => `\\definecolor{${nameOf(role)}}{HTML}{${themes[theme][role].slice(1)}}\n`);
  return `% ${oneLine(title)}
% \\usepackage{tikz}
${colours.join('')}\\begin{tikzpicture}[x=${unit}bp, y=-${unit}bp, line join=round, line cap=round]
  \\useasboundingbox ${frame};
${paper}${drawn.join('')}\\end{tikzpicture}
`;
}

type Colour = (role: Role) => string;

const nameOf = (role: Role): string => `hs${role.replace('-', '')}`;

function command(mark: PlainMark, colour: Colour): string {
  if (mark.kind === 'text') return node(mark, colour);
  if (mark.kind === 'path') return draw(mark, colour, path(mark.spots, mark.closed === true));
  return draw(mark, colour, `${place(mark.at)} circle[radius=${points(mark.size / 2)}]`);
}

function draw({ stroke, fill, width = 1.5, dash = [], opacity }: Pen, colour: Colour, outline: string): string {
  const options = [
    ...(fill === undefined ? [] : [`fill=${colour(fill)}`]),
    ...(stroke === undefined ? [] : [`draw=${colour(stroke)}`, `line width=${points(width)}`]),
    ...(dash.length === 0
      ? []
      : [`dash pattern=${dash.map((length, k) => `${k % 2 === 0 ? 'on' : 'off'} ${points(length)}`).join(' ')}`]),
    ...(opacity === undefined ? [] : [`opacity=${rounded(opacity)}`]),
  ];
  return `\\path[${options.join(', ')}] ${outline};`;
}

/** Number of corners in a line of the file: TeX reads no line of any length. */
const cornersInLine = 12;

function path(spots: readonly Spot[], closed: boolean): string {
  const corners = spots.map((spot, k) => `${k > 0 && k % cornersInLine === 0 ? '\n    ' : ''}${place(spot)}`);
  return `${corners.join(' -- ')}${closed ? ' -- cycle' : ''}`;
}

function node(mark: TextMark, colour: Colour): string {
  const { at, text, size = 13, anchor = 'start', baseline = 'middle', weight, italic, turn, opacity } = mark;
  const up = { top: 'north', middle: 'mid', bottom: 'south' }[baseline];
  const side = { start: ' west', middle: '', end: ' east' }[anchor];
  const options = [
    `anchor=${up}${side}`,
    `inner sep=${mark.stroke === undefined ? 0 : '1bp'}`,
    `text=${colour(mark.fill ?? 'ink')}`,
    // Around letters, LaTeX draws no line: paper behind them has the same purpose.
    ...(mark.stroke === undefined ? [] : [`fill=${colour(mark.stroke)}`, 'fill opacity=0.75', 'text opacity=1']),
    ...(turn === undefined ? [] : [`rotate=${-turn}`]),
    ...(opacity === undefined ? [] : [`opacity=${rounded(opacity)}`]),
  ];
  const style = `${weight === 'bold' ? '\\bfseries' : ''}${italic === true ? '\\itshape' : ''}`;
  const font = `\\fontsize{${points(size)}}{${points(size * 1.2)}}\\selectfont${style}`;
  return `\\node[${options.join(', ')}, font=${font}] at ${place(at)} {${escaped(text)}};`;
}

const place = ([x, y]: Spot): string => `(${rounded(x)},${rounded(y)})`;
const points = (pixels: number): string => `${rounded(pixels * unit)}bp`;

/** Rounds to a hundredth. */
const rounded = (value: number): number => Math.round(value * 100) / 100;

const oneLine = (text: string): string => printable(text).replace(/\s+/g, ' ');

function escaped(text: string): string {
  return Array.from(oneLine(text), (sign) => signs[sign] ?? (/[{}$&#_%]/.test(sign) ? `\\${sign}` : sign)).join('');
}
