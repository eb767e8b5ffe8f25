import { textMark } from './marks.ts';
import type { Frame, Mark, Role } from './picture.ts';
import { textWidth } from './text-width.ts';

/** Breaks a text into lines of at most a width, between words. */
export function wrapped(text: string, size: number, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && textWidth(longer, size) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** One number in the header of a chart. */
export interface Reading {
  readonly term: string;
  readonly value: string;
  readonly role: Role;
  /** The sign between this number and the one before it: ≤ */
  readonly relation?: string;
}

/** Returns the header of a chart: present numbers side by side, and a caption below them. */
export function header(
  { width, text }: Frame,
  readings: readonly Reading[],
  caption: string,
): { readonly marks: Mark[]; readonly height: number } {
  const marks: Mark[] = [];
  const edge = text * 0.6;
  const room = width - 2 * edge;
  const wanted = readings.map(
    ({ term, value }) => Math.max(textWidth(term, text * 0.98), textWidth(value, text), text * 2.6) + text * 1.2,
  );
  const total = wanted.reduce((sum, each) => sum + each, 0);
  // Numbers that do not fit side by side become smaller.
  const shrink = Math.min(1, room / total);
  const size = text * 0.9 * shrink;
  let from = edge;
  readings.forEach(({ term, value, role, relation = '' }, i) => {
    const column = wanted[i]! * shrink;
    const x = from + column / 2;
    marks.push(
      textMark([x, text * 0.8], term, size, { anchor: 'middle', fill: role, weight: 'bold' }),
      textMark([x, text * 2.1], value, text * shrink, { anchor: 'middle', fill: 'ink', id: `value ${term}` }),
    );
    if (relation !== '')
      for (const y of [0.8, 2.1])
        marks.push(textMark([from, text * y], relation, size, { anchor: 'middle', fill: 'muted' }));
    from += column;
  });
  const first = readings.length === 0 ? text * 0.8 : text * 3.5;
  const lines = caption === '' ? [] : wrapped(caption, text * 0.9, room);
  lines.forEach((line, i) => {
    marks.push(textMark([edge, first + i * text * 1.25], line, text * 0.9, { fill: 'muted' }));
  });
  return { marks, height: first - text * 0.6 + lines.length * text * 1.25 };
}
