import { HalfspaceError } from 'halfspace';
import type { Table } from './dataset.ts';
import { type Inspection, inspectCsv } from './inspect.ts';
import type { TableText } from './table-text.ts';

/**
 * Returns a table as a dataset, with the command's defaults for reading it.
 * @param label the column to predict; null: the likely one.
 * @param inspect default: in this thread; for large tables use the worker's.
 * @throws HalfspaceError with a message for the userif the text is no table or has no such column.
 */
export async function openTable(
  name: string,
  text: TableText,
  label: string | null,
  inspect: (text: TableText, name: string) => Promise<Inspection> = inspectCsv,
): Promise<Table> {
  const inspection = await inspect(text, name);
  const names = inspection.columns.map((column) => column.name);
  if (label !== null && !names.includes(label))
    throw new HalfspaceError(
      'column-unknown',
      `${name} has no column “${label}”. It has ${names.slice(0, 8).join(', ')}${names.length > 8 ? ', …' : ''}.`,
    );
  return {
    kind: 'table',
    name,
    ...(typeof text === 'string' ? { text } : { text: '', file: text }),
    label: label ?? likelyLabel(inspection),
    positive: null,
    columns: null,
    scale: 'standard',
  };
}

/**
 * Returns the column that is named like a label; else the last column with two classes, or with more, words before
 * numbers.
 */
export function likelyLabel({ columns, label, labelNamed }: Inspection): string {
  if (labelNamed || columns.find(({ name }) => name === label)?.classes?.length === 2) return label;
  const pair = columns.findLast(({ classes }) => classes?.length === 2);
  const several = columns.findLast(({ classes, kind }) => classes !== null && kind !== 'number');
  const chosen = columns.find(({ name }) => name === label);
  return (
    (chosen?.classes != null && chosen.kind !== 'number'
      ? chosen
      : (pair ?? several ?? columns.findLast(({ classes }) => classes !== null))
    )?.name ?? label
  );
}
