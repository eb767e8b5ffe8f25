import { printable } from 'halfspace/printable';
import { type PlainMark, plainMarks } from '../picture/marks.ts';
import type { Pen, Picture, Role, Spot, TextMark } from '../picture/picture.ts';
import { type ThemeName, themes } from '../picture/theme.ts';

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
export function pictureToTikz(
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
