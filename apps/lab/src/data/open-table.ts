import type { Reading, Table } from './dataset.ts';
import type { Inspection, Question } from './inspect.ts';
import type { TableText } from './table-text.ts';

/**
 * Returns a table as a dataset, with the command's defaults for reading it.
 * @param label the column to predict; null: the likely one.
 * @param inspect the worker's, so that the page stays free.
 * @throws HalfspaceError with a message for the user if the text is no table or has no such column.
 */
export async function openTable(
  name: string,
  text: TableText,
  label: string | null,
  inspect: (question: Question) => Promise<Inspection>,
  reading?: Reading | undefined,
): Promise<Table> {
  const inspection = await inspect({ text, name, label, reading });
  return {
    kind: 'table',
    name,
    ...(typeof text === 'string' ? { text } : { text: '', file: text }),
    label: inspection.label,
    positive: null,
    columns: null,
    scale: 'standard',
    ...(reading === undefined ? {} : { reading }),
  };
}
