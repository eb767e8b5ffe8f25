import { bytesOf, isAscii } from './byte-text.ts';
import { type CutLines, numberIn, tens } from './plain-line.ts';

/** The form of lines. */
interface LinesForm {
  /** One character each; null: there are no quotes. */
  readonly delimiter: string;
  readonly quote: string | null;
  /** Number of cells of a line. */
  readonly width: number;
  /** Positions of the cells that are read as numbers. */
  readonly numbers: readonly number[];
}

const lineFeed = 10;
const carriageReturn = 13;
const minus = 45;
const point = 46;
const zero = 48;

/**
 * Cuts lines into cells and reads their numbers, in one pass over the text.
 *
 * @param text one character for each byte.
 * @returns null if not all lines are plain: ended, ASCII without quotes, not empty, of `width` cells each.
 */
export function cutLines(text: string, { delimiter, quote, width, numbers }: LinesForm): CutLines | null {
  if (!isAscii(text) || !text.endsWith('\n') || (quote !== null && text.includes(quote))) return null;
  const bytes = bytesOf(text);
  let rows = 0;
  for (let p = bytes.indexOf(lineFeed); p !== -1; p = bytes.indexOf(lineFeed, p + 1)) rows++;
  const starts = new Uint32Array(rows * (width + 1));
  const columns: Float64Array[] = [];
  for (const position of numbers) columns[position] = new Float64Array(rows);
  const mark = delimiter.charCodeAt(0);
  let at = 0;
  let p = 0;
  for (let row = 0; row < rows; row++) {
    if (bytes[p] === lineFeed || bytes[p] === carriageReturn) return null;
    for (let c = 0; c < width; c++) {
      const from = p;
      starts[at++] = p;
      const column = columns[c];
      let code = bytes[p]!;
      let value = 0;
      let places = -1;
      if (column !== undefined) {
        if (code === minus) code = bytes[++p]!;
        for (; ; code = bytes[++p]!) {
          const digit = code - zero;
          if (digit >= 0 && digit <= 9) {
            value = value * 10 + digit;
            if (places >= 0) places++;
          } else if (code === point && places === -1) places = 0;
          else break;
        }
      }
      const plain = p;
      while (code !== mark && code !== lineFeed && code !== carriageReturn) code = bytes[++p]!;
      if (column !== undefined) {
        const isNegative = bytes[from] === minus;
        const digits = p - from - (isNegative ? 1 : 0) - (places === -1 ? 0 : 1);
        if (plain !== p || digits < 1 || digits > 15) column[row] = numberIn(text, from, p);
        else {
          if (places > 0) value /= tens[places]!;
          column[row] = isNegative ? -value : value;
        }
      }
      if (c === width - 1) {
        starts[at++] = p + 1;
        if (code === carriageReturn) code = bytes[++p]!;
        if (code !== lineFeed) return null;
      } else if (code !== mark) return null;
      p++;
    }
  }
  return { rows, starts, numbers: columns };
}
