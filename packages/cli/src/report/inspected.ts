import type { inspected } from 'halfspace/tables';
import { furtherLine, shortened } from './columns.ts';
import { count } from './format.ts';
import { terminalWidth } from './terminal-charts.ts';

type InspectedColumn = ReturnType<typeof inspected>[number];

/** Returns a line for each column, below their titles. @param most number of columns from which on some are folded. */
export function tableLines(all: readonly InspectedColumn[], most = all.length): string[] {
  const columns = all.slice(0, all.length <= most ? most : most - 1);
  const isCounted = columns.some(({ different }) => different !== null);
  const number = (value: number | null, exact = true) => (value === null ? '' : `${exact ? '' : '≈ '}${count(value)}`);
  const cells = [
    ['name', 'kind', 'missing', ...(isCounted ? ['different'] : []), 'examples'],
    ...columns.map(({ name, kind, missing, different, exact, examples }) => [
      shortened(name, 20),
      kind,
      number(missing),
      ...(isCounted ? [number(different, exact)] : []),
      examples.map((example) => shortened(example, 24)).join(', '),
    ]),
  ];
  const last = cells[0]!.length - 1;
  const room = terminalWidth() - 11;
  const wide = cells[0]!.map((_, c) => Math.max(...cells.map((row) => row[c]!.length)));
  const lines = cells.map((row) => {
    const padded = row.map((cell, c) => (c < 2 ? cell.padEnd(wide[c]!) : c < last ? cell.padStart(wide[c]!) : cell));
    return shortened(padded.join('  '), room).trimEnd();
  });
  return columns.length < all.length ? [...lines, furtherLine(all.slice(columns.length))] : lines;
}

/**
 * Explains the columns that are left out, may be leaks, or can be read in another way.
 * @param most number of lines from which on some are folded.
 */
export function whyLines(columns: readonly InspectedColumn[], most = Infinity): string[] {
  const lines = columns
    .filter(({ kind, leak, flags }) => kind === 'left out' || leak || flags.length > 0)
    .flatMap(({ name, why: reason, flags }) => [
      `${shortened(name, 20)}: ${reason}`,
      ...flags.map((flag) => `  ${flag}`),
    ]);
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), 'and more: halfspace inspect DATA has all'];
}
