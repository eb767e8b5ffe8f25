import { printable } from 'halfspace/printable';
import { arrowHead } from '../picture/canvas.ts';
import { triangleCorners } from '../picture/marks.ts';
import type { Mark, Pen, Picture, Role, Spot } from '../picture/picture.ts';
import { fontFamily, type ThemeName, themes } from '../picture/theme.ts';

export type Colours = Readonly<Record<Role, string>>;

/**
 * Writes a picture as an SVG document that looks as on the page.
 * @param transparent true: there is no paper behind it.
 */
export function pictureToSvg(
  { width, height, marks }: Picture,
  theme: ThemeName,
  title: string,
  transparent = false,
): string {
  const colours = themes[theme];
  const paper = transparent ? '' : `\n<rect width="${width}" height="${height}" fill="${colours.paper}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escaped(fontFamily)}" stroke-linejoin="round" stroke-linecap="round">
<title>${escaped(title)}</title>${paper}
${svgElements(marks, colours)}
</svg>
`;
}

/** Writes marks as elements of an SVG. */
export function svgElements(marks: readonly Mark[], colours: Colours): string {
  return marks.map((mark) => element(mark, colours)).join('\n');
}

function element(mark: Mark, colours: Colours): string {
  const style = styleOf(mark, colours);
  switch (mark.kind) {
    case 'line':
      return `<path d="${path([mark.from, mark.to], false)}"${style}/>`;
    case 'path':
      return `<path d="${path(mark.spots, mark.closed === true)}"${style}/>`;
    case 'arrow': {
      const head = path(arrowHead(mark.from, mark.to, mark.width ?? 1.5), true);
      const fill = colours[mark.stroke ?? 'ink'];
      return `<g${style}><path d="${path([mark.from, mark.to], false)}"/><path d="${head}" fill="${fill}" stroke="none"/></g>`;
    }
    case 'symbol':
      return symbol(mark, style);
    case 'text':
      return text(mark, colours);
    case 'cells':
      return cells(mark, colours);
  }
}

function symbol({ shape, at: [x, y], size }: Extract<Mark, { kind: 'symbol' }>, style: string): string {
  const half = size / 2;
  if (shape === 'disc' || shape === 'ring')
    return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(half)}"${style}/>`;
  // As on the canvas, the square has the same area as a disc.
  const side = round(size * 0.886);
  if (shape === 'square')
    return `<rect x="${round(x - half * 0.886)}" y="${round(y - half * 0.886)}" width="${side}" height="${side}"${style}/>`;
  if (shape === 'triangle') return `<path d="${path(triangleCorners([x, y], size), true)}"${style}/>`;
  const [left, right, top, bottom] = [x - half, x + half, y - half, y + half];
  return `<path d="${path(
    [
      [left, top],
      [right, bottom],
    ],
    false,
  )}${path(
    [
      [left, bottom],
      [right, top],
    ],
    false,
  )}"${style}/>`;
}

function text(mark: Extract<Mark, { kind: 'text' }>, colours: Colours): string {
  const [x, y] = mark.at;
  const { size = 13, anchor = 'start', baseline = 'middle', weight = 'normal', italic, turn, opacity } = mark;
  const lines = { top: 'text-before-edge', middle: 'central', bottom: 'text-after-edge' } as const;
  const more = [
    turn === undefined ? '' : ` transform="rotate(${turn} ${round(x)} ${round(y)})"`,
    italic === true ? ' font-style="italic"' : '',
    weight === 'bold' ? ' font-weight="bold"' : '',
    opacity === undefined ? '' : ` opacity="${opacity}"`,
    mark.stroke === undefined
      ? ''
      : ` stroke="${colours[mark.stroke]}" stroke-width="${mark.width ?? 1.5}" paint-order="stroke"`,
  ].join('');
  return `<text x="${round(x)}" y="${round(y)}" font-size="${round(size)}" text-anchor="${anchor}" dominant-baseline="${lines[baseline]}" fill="${colours[mark.fill ?? 'ink']}"${more}>${escaped(mark.text)}</text>`;
}

function cells(mark: Extract<Mark, { kind: 'cells' }>, colours: Colours): string {
  const { at, size, columns, rows, values, opacity = 1 } = mark;
  const [width, height] = [size[0] / columns, size[1] / rows];
  const rects: string[] = [];
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      const value = values[r * columns + c]!;
      const fill = colours[value > 0 ? 'positive-region' : 'negative-region'];
      const strength = round(opacity * Math.min(1, 0.25 + 0.75 * Math.abs(value)));
      rects.push(
        `<rect x="${round(at[0] + c * width)}" y="${round(at[1] + r * height)}" width="${round(width + 0.6)}" height="${round(height + 0.6)}" fill="${fill}" opacity="${strength}"/>`,
      );
    }
  return `<g>${rects.join('')}</g>`;
}

function styleOf(pen: Pen, colours: Colours): string {
  const fill = pen.fill === undefined ? 'none' : colours[pen.fill];
  const stroke =
    pen.stroke === undefined ? '' : ` stroke="${colours[pen.stroke]}" stroke-width="${round(pen.width ?? 1.5)}"`;
  const dash = pen.dash === undefined || pen.dash.length === 0 ? '' : ` stroke-dasharray="${pen.dash.join(' ')}"`;
  return ` fill="${fill}"${stroke}${dash}${pen.opacity === undefined ? '' : ` opacity="${round(pen.opacity)}"`}`;
}

function path(spots: readonly Spot[], closed: boolean): string {
  const steps = spots.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
  return closed ? `${steps}Z` : steps;
}

/** Rounds to a hundredth of a pixel. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function escaped(given: string): string {
  return printable(given)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
