import { csvCell } from '../cells.ts';
import type { Shape } from './shape.ts';

/*
 * Columns that stand below each other, with blanks in their cells. A boundary is where all lines have blanks. It is
 * taken only if all evidence agrees: each column has a name, and its cells begin, or end, in one place.
 */

const ruled = /^ *[-=]+(?: +[-=]+)+ *$/;
/** Least number of lines, names included, that show the boundaries without a rule. */
const fewestLines = 4;

interface Field {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the shape of a table in columns of fixed width; null: it is none, or the boundaries are not sure.
 *
 * @param lines the first lines, all of them complete.
 */
export function findFixedWidth(lines: readonly string[]): Shape | null {
  const filled = lines.filter((line) => line.trim() !== '');
  if (filled.some((line) => line.includes('\t')) || filled.length < 3) return null;
  const rule = filled.findIndex((line, l) => l > 0 && l < 3 && ruled.test(line) && !ruled.test(filled[l - 1]!));
  const rows = filled.filter((line) => !ruled.test(line));
  const fields = rule > 0 ? fieldsOfRule(filled[rule]!) : fieldsOfBlanks(rows);
  if (fields === null || fields.length < 2) return null;
  const isIn = (line: string) => cellsOf(line, fields) !== null;
  if (!rows.every(isIn) || cellsOf(rows[0]!, fields)!.some((cell) => cell === '')) return null;
  const starts = fields.map(({ from }) => from + 1).join(', ');
  return {
    notes: [
      `read as columns of fixed width, which begin at the characters ${starts} (delimiter: " " reads cells between blanks, --delimiter ' ' of the command)`,
    ],
    translator: () => (line, fail) => {
      if (line.trim() === '' || (rule > 0 && ruled.test(line))) return '';
      const cells = cellsOf(line, fields);
      if (cells === null)
        throw fail(
          `expected blanks before each column, which begin at the characters ${starts}; got a cell across two`,
        );
      return cells.map(csvCell).join(',');
    },
  };
}

function fieldsOfRule(rule: string): Field[] {
  const fields = Array.from(rule.matchAll(/[-=]+/g), ({ index, 0: { length } }) => ({
    from: index,
    to: index + length,
  }));
  return [...fields.slice(0, -1), { from: fields.at(-1)!.from, to: Number.POSITIVE_INFINITY }];
}

/** Returns the fields between the places where all lines have blanks; null if they are not sure. */
function fieldsOfBlanks(lines: readonly string[]): Field[] | null {
  const isDelimited = [',', ';', '|'].some((mark) => lines.every((line) => line.includes(mark)));
  if (lines.length < fewestLines || isDelimited) return null;
  // Cells without blanks are read between blanks.
  const counts = new Set(lines.map((line) => line.trim().split(/ +/).length));
  if (counts.size === 1) return null;
  const length = Math.max(...lines.map((line) => line.trimEnd().length));
  const isFilled = (at: number) => lines.some((line) => at < line.length && line[at] !== ' ');
  const found: { from: number; to: number }[] = [];
  for (let at = 0; at < length; at++) {
    if (!isFilled(at)) continue;
    if (found.at(-1)?.to === at) found.at(-1)!.to++;
    else found.push({ from: at, to: at + 1 });
  }
  // Words that stand below each other by chance have no name above.
  const [names] = lines as [string];
  const fields: { from: number; to: number }[] = [];
  for (const field of found) {
    const before = fields.at(-1);
    if (names.slice(field.from, field.to).trim() !== '' || before === undefined) fields.push(field);
    else if (field.from - before.to === 1) before.to = field.to;
    else return null;
  }
  const isSure = fields.every((field) => {
    const cells = lines.map((line) => line.slice(field.from, field.to).padEnd(field.to - field.from));
    const there = cells.filter((cell) => cell.trim() !== '');
    if (there.length * 2 < lines.length || there.some((cell) => /\S {2,}\S/.test(cell))) return false;
    const [name = '', ...others] = there;
    const isOnSide = (side: RegExp) => others.every((cell) => side.test(cell)) && side.test(name);
    // A name may stand at the other side, or in the middle, of right-aligned numbers.
    return isOnSide(/^\S/) || isOnSide(/\S$/) || others.every((cell) => /\d$/.test(cell));
  });
  return isSure ? [...fields.slice(0, -1), { from: fields.at(-1)!.from, to: Number.POSITIVE_INFINITY }] : null;
}

/** Returns the cells of a line; null if one stands between two fields. */
function cellsOf(line: string, fields: readonly Field[]): string[] | null {
  let end = 0;
  for (const { from, to } of fields) {
    if (line.slice(end, from).trim() !== '') return null;
    end = to;
  }
  return fields.map(({ from, to }) => line.slice(from, to).trim());
}
