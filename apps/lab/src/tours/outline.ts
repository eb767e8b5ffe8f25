/** Writes the place of a line of a piece, from 0, for messages: `tour.md, line 12, “Why it must stop”`. */
export type Place = (line: number) => string;

/** A file of a tour, taken apart into pieces of text. */
interface Outline {
  readonly front: Piece;
  /** Content of the `data` block before the first heading; null: there is none. */
  readonly data: Piece | null;
  readonly chapters: readonly Chapter[];
}

export interface Chapter {
  readonly heading: string;
  readonly at: string;
  readonly pieces: readonly ChapterPiece[];
}

export interface Piece {
  readonly content: string;
  readonly at: Place;
}

/** A fenced block, or the text between two. */
export interface ChapterPiece extends Piece {
  readonly kind: 'text' | 'scene' | 'quiz' | 'open';
}

/**
 * Takes a file of a tour apart: front matter between two lines `---`, perhaps a fenced `data` block, and for each
 * `## heading` its text and its fenced blocks.
 *
 * @param file its name, for messages. @throws Error with the file and the line for what is not understood.
 */
export function outlineOf(file: string, given: string): Outline {
  const text = given.replaceAll('\r\n', '\n');
  const front = /^---\n([\s\S]*?)\n---\n/.exec(text);
  if (front === null) throw new Error(`${file}, line 1: expected front matter between two lines ---`);
  const at: Place = (line) => `${file}, line ${line}`;
  const [before, ...chapters] = text.slice(front[0].length).split(/^## /m) as [string, ...string[]];
  const afterFront = linesIn(front[0]) + 1;
  let line = afterFront + linesIn(before);
  if (chapters.length === 0) throw new Error(`${at(line)}: expected a section, which begins with ## and its heading`);
  return {
    front: { content: front[1]!, at: (k) => at(2 + k) },
    data: dataBlock(before, (k) => at(afterFront + k)),
    chapters: chapters.map((chapter) => {
      const first = line;
      line += linesIn(chapter);
      return chapterOf(chapter, (k) => at(first + k));
    }),
  };
}

/** Counts the ends of lines. */
export const linesIn = (text: string): number => text.split('\n').length - 1;

function dataBlock(text: string, at: Place): Piece | null {
  if (text.trim() === '') return null;
  const block = /^```data\n([\s\S]*?)^```\s*$/m.exec(text.trim());
  if (block === null) throw new Error(`${at(0)}: expected nothing but data before the first ## heading`);
  const first = linesIn(text.slice(0, text.indexOf('```data'))) + 1;
  return { content: block[1]!, at: (line) => `${at(first + line)}, data` };
}

function chapterOf(chapter: string, lineAt: Place): Chapter {
  const end = chapter.indexOf('\n') < 0 ? chapter.length : chapter.indexOf('\n');
  const heading = chapter.slice(0, end).trim();
  const placeFrom =
    (index: number): Place =>
    (line) =>
      `${lineAt(linesIn(chapter.slice(0, index)) + line)}, “${heading}”`;
  const pieces: ChapterPiece[] = [];
  const addText = (from: number, to: number) => {
    const words = chapter.slice(from, to);
    if (words.trim() === '') return;
    const start = from + words.search(/\S/);
    pieces.push({ kind: 'text', content: chapter.slice(start, to), at: placeFrom(start) });
  };
  let last = end;
  for (const found of chapter.matchAll(/^```(scene|quiz|open)\n([\s\S]*?)^```\n?/gm)) {
    const [whole, kind, content] = found as unknown as [string, 'scene' | 'quiz' | 'open', string];
    addText(last, found.index);
    last = found.index + whole.length;
    pieces.push({ kind, content, at: placeFrom(found.index + whole.indexOf('\n') + 1) });
  }
  addText(last, chapter.length);
  return { heading, at: placeFrom(0)(0), pieces };
}

/** Reads lines `name: text`, of which further lines are indented. @throws Error with the place for any other line. */
export function fieldsOf(lines: readonly string[], at: Place): Record<string, string> {
  const fields: Record<string, string> = {};
  let last: string | null = null;
  for (const [k, line] of lines.entries()) {
    const field = /^(\w+): (.*)$/.exec(line);
    if (field !== null) {
      last = field[1]!;
      fields[last] = field[2]!;
    } else if (last !== null && line.startsWith('  ')) fields[last] += ` ${line.trim()}`;
    else if (line.trim() !== '') throw new Error(`${at(k)}: expected “name: text”; got “${line}”`);
  }
  return fields;
}
