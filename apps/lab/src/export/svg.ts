import { printable } from 'halfspace/printable';
import { plainMarks } from '../picture/marks.ts';
import type { Mark, Pen, Picture, Role, Spot, TextMark } from '../picture/picture.ts';
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
  const elements = marks.flatMap(plainMarks).map((mark) => {
    if (mark.kind === 'text') return text(mark, colours);
    const style = styleOf(mark, colours);
    if (mark.kind === 'path') return `<path d="${path(mark.spots, mark.closed === true)}"${style}/>`;
    return `<circle cx="${round(mark.at[0])}" cy="${round(mark.at[1])}" r="${round(mark.size / 2)}"${style}/>`;
  });
  return elements.join('\n');
}

function text(mark: TextMark, colours: Colours): string {
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
