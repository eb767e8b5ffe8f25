import { printable } from 'halfspace/printable';
import { arrowHead } from '../picture/canvas.ts';
import { triangleCorners } from '../picture/marks.ts';
import type { Mark, Pen, Picture, Role, Spot, SymbolMark, TextMark } from '../picture/picture.ts';
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
  const drawn = marks.map((mark) => `  ${command(mark, colour)}\n`).join('');
  const colours = [...used].map((role) => `\\definecolor{${nameOf(role)}}{HTML}{${themes[theme][role].slice(1)}}\n`);
  return `% ${oneLine(title)}
% \\usepackage{tikz}
${colours.join('')}\\begin{tikzpicture}[x=${unit}bp, y=-${unit}bp, line join=round, line cap=round]
  \\useasboundingbox ${frame};
${paper}${drawn}\\end{tikzpicture}
`;
}

type Colour = (role: Role) => string;

const nameOf = (role: Role): string => `hs${role.replace('-', '')}`;

function command(mark: Mark, colour: Colour): string {
  switch (mark.kind) {
    case 'line':
      return draw(mark, colour, path([mark.from, mark.to], false));
    case 'path':
      return draw(mark, colour, path(mark.spots, mark.closed === true));
    case 'arrow': {
      const { stroke = 'ink', opacity } = mark;
      const head = path(arrowHead(mark.from, mark.to, mark.width ?? 1.5), true);
      const line = draw(mark, colour, path([mark.from, mark.to], false));
      return `${line} ${draw({ fill: stroke, ...(opacity === undefined ? {} : { opacity }) }, colour, head)}`;
    }
    case 'symbol':
      return draw(mark, colour, outline(mark));
    case 'text':
      return node(mark, colour);
    case 'cells':
      return cells(mark, colour);
  }
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

function outline({ shape, at: [x, y], size }: SymbolMark): string {
  const half = size / 2;
  if (shape === 'disc' || shape === 'ring') return `${place([x, y])} circle[radius=${points(half)}]`;
  if (shape === 'triangle') return path(triangleCorners([x, y], size), true);
  // As on the canvas, the square has the same area as a disc.
  const side = shape === 'square' ? half * 0.886 : half;
  const [low, high]: Spot[] = [
    [x - side, y - side],
    [x + side, y + side],
  ];
  if (shape === 'square') return `${place(low!)} rectangle ${place(high!)}`;
  return `${place(low!)} -- ${place(high!)} ${place([x - side, y + side])} -- ${place([x + side, y - side])}`;
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

function cells(mark: Extract<Mark, { kind: 'cells' }>, colour: Colour): string {
  const { at, size, columns, values, opacity = 1 } = mark;
  const [width, height] = [size[0] / columns, size[1] / mark.rows];
  return Array.from(values, (value, k) => {
    const [x, y] = [at[0] + (k % columns) * width, at[1] + Math.floor(k / columns) * height];
    const fill = value > 0 ? 'positive-region' : 'negative-region';
    const strength = opacity * Math.min(1, 0.25 + 0.75 * Math.abs(value));
    return draw(
      { fill, opacity: strength },
      colour,
      `${place([x, y])} rectangle ${place([x + width + 0.6, y + height + 0.6])}`,
    );
  }).join('\n  ');
}

const place = ([x, y]: Spot): string => `(${rounded(x)},${rounded(y)})`;
const points = (pixels: number): string => `${rounded(pixels * unit)}bp`;

/** Rounds to a hundredth. */
const rounded = (value: number): number => Math.round(value * 100) / 100;

const oneLine = (text: string): string => printable(text).replace(/\s+/g, ' ');

function escaped(text: string): string {
  return Array.from(oneLine(text), (sign) => signs[sign] ?? (/[{}$&#_%]/.test(sign) ? `\\${sign}` : sign)).join('');
}
