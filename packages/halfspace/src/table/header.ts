import { cellText, numberCell } from '../features/table-cell.ts';
import { looksLikeData } from './header-evidence.ts';
import { listed } from './listed.ts';

/** Names of a text table's columns. */
export interface Header {
  /** True if the first line holds the names. */
  readonly present: boolean;
  readonly names: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Names the columns of a text table.
 *
 * The first line is the header, unless the evidence of all columns says that it is data: {@link looksLikeData}.
 *
 * @param records the first records, the first line among them.
 * @param width number of columns if there is no header.
 * @param given true if the first line is the header; undefined: guess.
 */
export function findHeader(records: readonly string[][], width: number, given: boolean | undefined): Header {
  const first = records[0] ?? [];
  const present = given ?? !looksLikeData(first, records.slice(1));
  if (!present) {
    const names = Array.from({ length: width }, (_, c) => `column${c}`);
    const note =
      'the first line looks like data: columns are named column0, column1, … (header: true takes it for names, --header of the command)';
    return { present, names, notes: given === undefined ? [note] : [] };
  }

  const { names, renamed } = uniqueNames(first.map((cell) => cellText(cell) ?? cell.trim()));
  const notes = renamed.length > 0 ? [`columns of the same name were told apart: ${renamed.join(', ')}`] : [];
  if (given === undefined && first.some((cell) => Number.isFinite(numberCell(cell))))
    notes.push(
      `the first line is taken for names: ${listed(names, 4)} (header: false takes it for data, --no-header of the command)`,
    );
  return { present, names, notes };
}

/** Names columns without a name by their position, and adds a number to a name that occurred before. */
export function uniqueNames(wanted: readonly string[]): { names: string[]; renamed: string[] } {
  const names: string[] = [];
  const renamed: string[] = [];
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  wanted.forEach((each, c) => {
    const base = each === '' ? `column${c}` : each;
    let k = counts.get(base) ?? 2;
    let name = base;
    for (; taken.has(name); k++) name = `${base}_${k}`;
    counts.set(base, k);
    if (name !== base) renamed.push(name);
    taken.add(name);
    names.push(name);
  });
  return { names, renamed };
}
