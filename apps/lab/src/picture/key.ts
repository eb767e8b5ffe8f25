import { lineMark, symbolMark, textMark } from './marks.ts';
import type { Frame, Mark, Pen, Spot, SymbolMark } from './picture.ts';
import { fitText, textWidth } from './text-width.ts';

/** An entry of a key: the name of a symbol, or of a line. */
export interface KeyEntry {
  readonly name: string;
  readonly pen: Pen;
  /** Absent: a piece of a line. */
  readonly shape?: SymbolMark['shape'];
}

/** Draws a key in rows below the top of a picture. @returns the marks, and the height of the rows in pixels. */
export function keyMarks(
  entries: readonly KeyEntry[],
  { width, text }: Pick<Frame, 'width' | 'text'>,
): { readonly marks: Mark[]; readonly height: number } {
  const marks: Mark[] = [];
  let [at, line] = [text * 0.5, 0];
  for (const { name, pen, shape } of entries) {
    const symbol = text * (shape === undefined ? 1.8 : 0.9);
    const short = fitText(name, text * 0.9, width / 3);
    const wide = textWidth(short, text * 0.9) + symbol + text * 1.6;
    if (at > text && at + wide > width) [at, line] = [text * 0.5, line + 1];
    const up = text * (0.8 + 1.4 * line);
    const [from, to]: Spot[] = [
      [at, up],
      [at + symbol, up],
    ];
    if (shape === undefined) marks.push(lineMark(from!, to!, { ...pen, width: pen.width ?? 2 }));
    else marks.push(symbolMark(shape, [at + symbol / 2, up], symbol, pen));
    marks.push(textMark([at + symbol + text * 0.4, up], short, text * 0.9, { fill: 'ink' }));
    at += wide;
  }
  return { marks, height: entries.length === 0 ? 0 : text * (0.9 + 1.4 * line) };
}
