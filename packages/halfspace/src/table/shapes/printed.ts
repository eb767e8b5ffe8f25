import { csvCell } from '../cells.ts';
import type { Shape, Translate } from './shape.ts';

/*
 * Tables as programs print them, with bars between cells and a rule of hyphens below the names: of Markdown, psql,
 * MySQL, Org, reStructuredText, and with the characters of boxes.
 */

const ruled = /^\s*[|+]?(?:\s*:?[-=]+:?\s*[|+])+(?:\s*:?[-=]+:?\s*)?$/;
/** Matches a line that programs write below the rows. */
const footer = /^\s*(?:\(\d+ rows?\)|\d+ rows? in set\b.*|Time: .*)\s*$/;
const omitted = /^(?:·|…|\.\.\.|⋮)$/;

/** Replaces the characters of boxes by those of ASCII. */
function plain(line: string): string {
  return /[\u2500-\u257f]/.test(line)
    ? line
        .replace(/[│┃║┆┊╎]/g, '|')
        .replace(/[─━═╌┄]/g, '-')
        .replace(/[\u2500-\u257f]/g, '+')
    : line;
}

function isRow(line: string): boolean {
  return line.includes('|') && !ruled.test(line);
}

/**
 * Returns the shape of a printed table; null: there is no rule below a line of names.
 *
 * @param lines the first lines, all of them complete.
 */
export function findPrinted(lines: readonly string[]): Shape | null {
  const all = lines.map(plain);
  const rule = all.findIndex((line, l) => l > 0 && ruled.test(line) && isRow(all[l - 1]!));
  if (rule === -1) return null;
  const form = formOf(all[rule]!);
  let names = rule - 1;
  // Boxes have types between the names and the rule.
  while (names > 0 && all[names] !== lines[names] && isRow(all[names - 1]!)) names--;
  const width = form.widths.length;
  if (width < 2 || cellsOf(all[names]!, form).length !== width) return null;
  const types = all.slice(names + 1, rule).flatMap((line) => cellsOf(line, form).map((cell) => cell.trim()));
  return {
    notes: [
      'read as a printed table, with bars between its cells (delimiter: "|" reads the text as it stands, --delimiter of the command)',
      ...(types.length === 0 ? [] : [`left out the types below the names: ${types.slice(0, 4).join(', ')}`]),
    ],
    translator: () => translatorOf(form, names, rule),
  };
}

/** The form of a table, from its rule. */
interface Form {
  /** Length of the rule in each column. */
  readonly widths: readonly number[];
  /** Positions of the marks between columns, and at the ends. */
  readonly marks: readonly number[];
  /** True if bars begin and end each line. */
  readonly isFramed: boolean;
  /** True if no plus is in the rule: a bar within a cell has a backslash before it. */
  readonly isMarkdown: boolean;
  readonly length: number;
}

function formOf(rule: string): Form {
  const line = rule.trimEnd();
  const marks = Array.from(line.matchAll(/[|+]/g), ({ index }) => index);
  const isFramed = /^\s*[|+]/.test(line);
  const inner = line.trim().replace(/^[|+]|[|+]$/g, '');
  const widths = inner.split(/[|+]/).map(({ length }) => length);
  return { widths, marks, isFramed, isMarkdown: !line.includes('+'), length: line.length };
}

/** Returns the cells of a line, with the blanks around them. */
function cellsOf(given: string, { widths, marks, isFramed, isMarkdown }: Form): string[] {
  const line = given.trimEnd();
  const inner = isFramed ? line.replace(/^\s*\|/, '').replace(isMarkdown ? /(?<!\\)\|$/ : /\|$/, '') : line;
  const cells = isMarkdown ? inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|')) : inner.split('|');
  if (cells.length === widths.length || isMarkdown || marks.some((at) => given[at] !== '|')) return cells;
  // Bars within cells: the others stand where those of the rule do.
  const ends = isFramed ? marks : [-1, ...marks, given.length];
  return ends.slice(1).map((end, m) => given.slice(ends[m]! + 1, end));
}

function translatorOf(form: Form, names: number, rule: number): Translate {
  let at = -1;
  let isOver = false;
  return (given, fail) => {
    at++;
    const line = plain(given);
    if (at < names) return ruled.test(line) ? '' : csvCell(given);
    if (at > names && at <= rule) return '';
    if (line.trim() === '' || footer.test(line)) {
      isOver ||= at > rule;
      return '';
    }
    const isBorder = line.includes('+') && ruled.test(line);
    if (isOver && (isBorder || isRow(line)))
      throw fail('expected one table; got another one below it: write each into a file of its own');
    if (isBorder || (at > rule && /^\|\s*\d+ rows?\b[^|]*\|$/.test(line))) return '';
    if (isOver) return csvCell(given);
    const cells = cellsOf(line, form);
    const trimmed = cells.map((cell) => cell.trim());
    if (trimmed.every((cell) => omitted.test(cell)))
      throw fail(`expected all rows; got ${trimmed[0]} in place of rows that were not printed`);
    if (isContinued(line, cells, form))
      throw fail('expected each row on one line; got a cell that goes on in the next line: psql --csv prints it whole');
    return trimmed.map(csvCell).join(',');
  };
}

/** Tests for the plus with which psql shows that a cell goes on: it stands where each other line has a blank. */
function isContinued(line: string, cells: readonly string[], { widths, isFramed, isMarkdown, length }: Form): boolean {
  if (isFramed || isMarkdown || cells.length !== widths.length) return false;
  return (
    cells.slice(0, -1).some((cell, c) => cell.length === widths[c] && cell.endsWith('+')) ||
    (line.length === length && line.endsWith('+'))
  );
}
