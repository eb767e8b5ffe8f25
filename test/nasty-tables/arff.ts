import { type NastyTable, tablesOf } from './table.ts';

const { faultyTable, textTable } = tablesOf('ARFF');
const number = (...values: (number | null)[]) => ({ kind: 'number' as const, values });
const category = (...values: (string | null)[]) => ({ kind: 'category' as const, values });

const rows = "1.5,u,a\n3.25,v,b\n?,v,a\n4.5,'a b',b\n";
const head = (types: string) => `% By hand.\n@relation 'some rows'\n\n${types}\n\n@data\n`;
const usual = head("@attribute x numeric\n@attribute c {u, v, 'a b'}\n@attribute y {a,b}");
const note = /read as ARFF/i;
const plain = {
  rows: 4,
  columns: { x: number(1.5, 3.25, null, 4.5), c: category('u', 'v', 'v', 'a b') },
  note,
};
const table = (name: string, text: string, more: object = {}) => textTable(name, text, { ...plain, ...more });

/** Tables as Weka writes them. */
export const arffTables: readonly NastyTable[] = [
  table('numbers and classes', `${usual}${rows}`),
  table(
    'in capitals, with tabs',
    `${usual}${rows}`.replace(/@\w+/g, (word) => word.toUpperCase()).replaceAll(' numeric', '\tREAL'),
  ),
  table('CRLF', `${usual}${rows}`.replaceAll('\n', '\r\n')),
  table('no end of the last line', `${usual}${rows}`.trimEnd()),
  table('comments and blank lines between rows', `${usual}% first\n${rows.replace('3.25', '\n% second\n3.25')}`),
  table('blanks around values', `${usual}${rows.replaceAll(',', ' , ')}`),
  table('tabs between values', `${usual}${rows.replaceAll(',', '	')}`),
  table(
    'names in quotes, with escapes',
    `${head("@attribute 'a \\'name\\'' numeric\n@attribute \"b, c\" {u,v,'a b'}\n@attribute y {a,b}")}${rows}`,
    { columns: { "a 'name'": plain.columns.x, 'b, c': plain.columns.c } },
  ),
  table(
    'values with commas and quotes',
    `${usual.replace("'a b'", "'it\\'s, so'")}${rows.replace("'a b'", "'it\\'s, so'")}`,
    {
      columns: { ...plain.columns, c: category('u', 'v', 'v', "it's, so") },
    },
  ),
  table('rows that name what is not 0', `${usual}{0 1.5, 2 a}\n{0 3.25,1 v,2 b}\n{0 ?, 1 v}\n{1 'a b' , 2 b}\n`, {
    columns: { x: number(1.5, 3.25, null, 0), c: category('u', 'v', 'v', 'a b') },
  }),
  table(
    'numbers that are classes',
    `${head('@attribute x {1,2}\n@attribute z real [0,9]\n@attribute y {a,b}')}1,2.5,a\n2,3,b\n2,1,a\n1,0.5,b\n`,
    {
      columns: { x: category('1', '2', '2', '1'), z: number(2.5, 3, 1, 0.5) },
    },
  ),
  table(
    'dates with a pattern, and text',
    `${head('@attribute t date dd/MM/yyyy\n@attribute s string\n@attribute u date "yyyy-MM-dd HH:mm:ss"\n@attribute y {a,b}')}01/02/2022,'good day','2022-02-01 12:00:00',a\n02/01/2022,'bad day',?,b\n03/01/2022,good,'2022-02-02 00:00:00',a\n?,bad,'2022-02-02 18:00:00',b\n`,
    {
      columns: {
        t: { kind: 'date', values: [19024, 18994, 18995, null] },
        s: { kind: 'text' },
        u: { kind: 'date', values: [19024.5, null, 19025, 19025.75] },
      },
    },
  ),
  faultyTable('a row of too few values', `${usual}${rows}1,u\n`, /(?:line |:)13\b.*expected 3 cells; got 2/i),
  faultyTable('a sparse row with an unknown index', `${usual}${rows}{5 1}\n`, /(?:line |:)13\b/i),
  faultyTable('a row with a weight', `${usual}${rows}1,u,a,{5}\n`, /weight.*write it as an attribute/i),
  faultyTable(
    'tables within rows',
    `${head('@attribute x relational\n@attribute y {a,b}')}1,a\n`,
    /as the type of an attribute/i,
  ),
  faultyTable('a word where a number is declared', `${usual}${rows}u,u,a\n`, /expected a number|a number is expected/i),
];
