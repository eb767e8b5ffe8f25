import { zipOf } from '../../packages/halfspace/test/support/archives.ts';
import { faultyTable, type NastyTable, textTable } from './table.ts';

const family = 'archives';
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
  textTable(family, 'a deflated file', zipOf([{ name: 'x.csv', content }]), plain),
  textTable(
    family,
    'a stored file in a folder',
    zipOf([
      { name: 'data/', content: '', isDeflated: false },
      { name: 'data/x.txt', content: content.replaceAll(',', ';'), isDeflated: false },
      { name: '__MACOSX/data/._x.txt', content: 'attributes' },
    ]),
    plain,
  ),
  faultyTable(
    family,
    'two files',
    zipOf([
      { name: 'a.csv', content },
      { name: 'b.csv', content },
    ]),
    /got 2, "a.csv", "b.csv": unzip -p/,
  ),
  faultyTable(
    family,
    'a spreadsheet',
    zipOf([
      { name: '[Content_Types].xml', content: '<Types/>' },
      { name: 'xl/workbook.xml', content: '<w/>' },
    ]),
    /spreadsheet/,
  ),
  faultyTable(
    family,
    'an archive that is cut short',
    zipOf([{ name: 'a.csv', content }]).slice(0, 60),
    /a ZIP archive without its end|an archive/,
  ),
];
