import { terminal } from './terminal.ts';

/** The room and the colours that a terminal has for text. */
interface Look {
  /** Columns of the terminal; infinite for a pipe or a file, which get lines as they are. */
  readonly width: number;
  readonly colours: boolean;
}

/** Returns how standard output (1) or standard error (2) shows text: https://no-color.org, https://force-color.org. */
export function lookOf(descriptor: 1 | 2): Look {
  const { NO_COLOR: no = '', FORCE_COLOR: forced = '', TERM: term } = process.env;
  const stream = terminal(descriptor);
  const wanted = forced === '' ? stream !== null && no === '' && term !== 'dumb' : !/^(0|false)$/.test(forced);
  return { width: Math.max(40, stream?.columns ?? Infinity), colours: wanted };
}

/** Columns of the titles of a report. */
const titles = 11;

/** Returns printable lines as a terminal shows them: wrapped between words, and with colours by meaning. */
export function present(text: string, { width, colours }: Look): string {
  return text
    .split('\n')
    .flatMap((line) => wrapped(line, width))
    .map((line) => (colours ? coloured(line) : line))
    .join('\n');
}

/** Signs that take two columns: https://www.unicode.org/reports/tr11. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const columnsOf = (text: string) => [...text].reduce((sum, sign) => sum + (wide.test(sign) ? 2 : 1), 0);

/** Breaks a line between words. Further lines begin a little to the right of where its text begins. */
function wrapped(line: string, width: number): string[] {
  if (line.length <= width / 2 || columnsOf(line) <= width) return [line];
  const text = /^(?:[A-Z][a-z ]{10}|halfspace: | {11})/.test(line) ? titles : 0;
  const indent = ' '.repeat(Math.min(width >> 1, text + (/^ *(?:→ )?/.exec(line.slice(text))![0].length || 2)));
  const lines: string[] = [];
  let current = '';
  for (const [piece] of line.matchAll(/^.{11}|^ +|\S+|\s+/g)) {
    if (current.trim() !== '' && piece.trim() !== '' && columnsOf(current + piece) > width) {
      lines.push(current.trimEnd());
      current = indent;
    }
    if (current !== indent || piece.trim() !== '') current += piece;
  }
  return [...lines, current.trimEnd()];
}

type Paint = (text: string) => string;

const csi = '\u001b[';
const bold = (text: string) => `${csi}1m${text}${csi}22m`;
const inColour = (code: number) => (text: string) => `${csi}${code}m${text}${csi}39m`;
const [red, green, yellow, cyan] = [31, 32, 33, 36].map(inColour) as [Paint, Paint, Paint, Paint];

/** Patterns of words that have a meaning in a report, each with its colour. */
const meanings: readonly (readonly [RegExp, Paint])[] = [
  [/[▁-█▉-▏░]+/g, cyan],
  [/(?<![\w-])--[a-z][a-z-]+/g, cyan],
  [/(?<=^.{11})→ .*/g, (line) => bold(green(line))],
  [/(?<=^.{11})(?:separated|proved|minimum|holds)(?=[: ])/g, green],
  [/(?<=^.{11})(?:budget|quiet|does not hold)(?=[: ])|likely leak/g, yellow],
  [/(?<=^halfspace: )\S+:\d+(?::\d+)?(?=: )/g, bold],
  [/^halfspace:/g, (word) => bold(red(word))],
  [/^note:/g, (word) => bold(yellow(word))],
  [/^[A-Z][a-z ]{1,9}(?= )/g, bold],
];

function coloured(line: string): string {
  return meanings.reduce((text, [pattern, paint]) => text.replace(pattern, paint), line);
}
