import { type NastyTable, tablesOf } from './table.ts';

const { textTable } = tablesOf('fixed width');
const plain = {
  rows: 5,
  columns: {
    city: { kind: 'category', values: ['New York', 'Rome', 'New York', 'Rome', null] },
    size: { kind: 'number', values: [1.5, 13.25, 2, null, 4] },
  },
  note: /read as columns of fixed width/i,
} as const;
const text = `city       size  y
New York    1.5  a
Rome      13.25  b
New York      2  a
Rome             b
              4  a
`;
const ruled = text.replace('y\n', 'y\n--------  -----  -\n');
const table = (name: string, content: string) => textTable(name, content, plain);

/** Columns below each other, with blanks in cells or without a cell. */
export const fixedWidthTables: readonly NastyTable[] = [
  table('blanks and gaps in cells', text),
  table('CRLF', text.replaceAll('\n', '\r\n')),
  table('a line of hyphens below the names', ruled),
  table('a blank line at the end', `${text}\n`),
  textTable(
    'words below each other by chance',
    'city      y\nNew York  a\nSan Juan  b\nNew York  a\nSan Juan  b\nMilan     b\n',
    {
      rows: 5,
      columns: { city: { kind: 'category', values: ['New York', 'San Juan', 'New York', 'San Juan', 'Milan'] } },
    },
  ),
];
