import type { Table } from './dataset.ts';
import { inspectTable, type TableInspection } from './inspect-table.ts';

/** Text that cannot be learned from, with a sentence for a person that says what to do. */
export class TableError extends Error {}

/** Names that a label usually has, as the command looks for them. */
const usualLabels = ['label', 'class', 'target', 'y'];

/** A table of CSV text, read as the command reads it unless the person says otherwise. @throws TableError */
export async function openTable(name: string, text: string, label: string | null): Promise<Table> {
  if (text.includes('\0')) throw new TableError(`${name} is no text. Export it as CSV, and open that.`);
  const inspection = inspectTable(text);
  check(name, inspection, label);
  const chosen = label ?? guessLabel(inspection);
  return { kind: 'table', name, text, label: chosen, positive: null, columns: null, scale: 'standard' };
}

function check(name: string, { rows, columns }: TableInspection, label: string | null): void {
  const names = columns.map((column) => column.name);
  if (columns.length === 0)
    throw new TableError(`${name} is empty. A table has a line of names, then a line for each example.`);
  if (rows === 0)
    throw new TableError(`${name} has one line only. A table has a line of names, then a line for each example.`);
  if (columns.length < 2)
    throw new TableError(
      `${name} has one column only. It needs columns to learn from, and one to predict; are they separated by commas?`,
    );
  if (columns.length > 20_000)
    throw new TableError(
      `${name} has ${columns.length.toLocaleString('en')} columns; the lab takes up to 20,000. The command \`halfspace train\` takes more.`,
    );
  if (label !== null && !names.includes(label))
    throw new TableError(
      `${name} has no column ${label}. It has ${names.slice(0, 8).join(', ')}${names.length > 8 ? ', …' : ''}.`,
    );
}

/** A column of a usual name with two values or more, else the last one that could be a label. */
export function guessLabel({ columns }: TableInspection): string {
  const usual = usualLabels
    .map((name) => columns.find((column) => column.name.toLowerCase() === name))
    .find((column) => column !== undefined);
  return (usual ?? columns.at(-1)!).name;
}
