import { HalfspaceError } from 'halfspace';
import type { Table } from './dataset.ts';
import { type Inspection, inspectCsv } from './inspect.ts';
import type { TableText } from './table-text.ts';

/**
 * A table, read as the command reads it unless the person says otherwise.
 * @param label the column to predict; null: the likely one.
 * @param inspect default: here and now; of large tables better elsewhere.
 * @throws HalfspaceError with a sentence for a person, for what is no table or has no such column.
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

/** The column that is named like a label; else, of those with classes, the last with two, or the last at all. */
export function likelyLabel({ columns, label, labelNamed }: Inspection): string {
  if (labelNamed || columns.find(({ name }) => name === label)?.classes?.length === 2) return label;
  const pair = columns.findLast(({ classes }) => classes?.length === 2);
  const several = columns.findLast(({ classes, kind }) => classes !== null && kind !== 'number');
  const chosen = columns.find(({ name }) => name === label);
  return (chosen?.classes != null && chosen.kind !== 'number' ? chosen : (pair ?? several))?.name ?? label;
}
