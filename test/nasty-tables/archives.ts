import { zipOf } from '../../packages/halfspace/test/support/archives.ts';
import { type NastyTable, tablesOf } from './table.ts';

const { faultyTable, textTable } = tablesOf('archives');
const content = 'x,c,y\n1.5,u,a\n3.25,v,b\n2.75,v,a\n4.5,u,b\n';
const plain = {
  rows: 4,
  columns: {
    x: { kind: 'number', values: [1.5, 3.25, 2.75, 4.5] },
    c: { kind: 'category', values: ['u', 'v', 'v', 'u'] },
  },
} as const;

/** Tables in ZIP archives. */
export const archiveTables: readonly NastyTable[] = [
  textTable('a deflated file', zipOf([{ name: 'x.csv', content }]), plain),
  textTable(
    'a stored file in a folder',
    zipOf([
      { name: 'data/', content: '', isDeflated: false },
      { name: 'data/x.txt', content: content.replaceAll(',', ';'), isDeflated: false },
      { name: '__MACOSX/data/._x.txt', content: 'attributes' },
    ]),
    plain,
  ),
  faultyTable(
    'two files',
    zipOf([
      { name: 'a.csv', content },
      { name: 'b.csv', content },
    ]),
    /got 2, "a.csv", "b.csv": unzip -p/,
  ),
  faultyTable(
    'a spreadsheet',
    zipOf([
      { name: '[Content_Types].xml', content: '<Types/>' },
      { name: 'xl/workbook.xml', content: '<w/>' },
    ]),
    /spreadsheet/,
  ),
  faultyTable(
    'an archive that is cut short',
    zipOf([{ name: 'a.csv', content }]).slice(0, 60),
    /a ZIP archive without its end|an archive/,
  ),
];
