import { delimited, type NastyTable, tablesOf } from './table.ts';

const { faultyTable, textTable } = tablesOf('labels');
const number = (...values: (number | null)[]) => ({ kind: 'number' as const, values });
const xs = [1.5, 3.25, 2, 4, 0.5, 6.25, 7, 2.75];

/** Makes a table of one number and a label. */
function of(name: string, label: readonly string[], classes: readonly string[], column = 'y'): NastyTable {
  const text = delimited([['x', column], ...label.map((word, i) => [String(xs[i]), word])]);
  const expected = { rows: label.length, label: column, classes, columns: { x: number(...xs.slice(0, label.length)) } };
  return textTable(name, text, expected);
}

const quantity = Array.from({ length: 120 }, (_, i) => [
  String((i * 37) % 50),
  String(20 + ((i * 53) % 113) / 4 + i / 100),
]);

/** The column to predict: its place, its classes, and what cannot be one. */
export const labelTables: readonly NastyTable[] = [
  of('yes and no', ['yes', 'no', 'yes', 'no', 'no', 'yes'], ['no', 'yes']),
  of('0 and 1', ['0', '1', '1', '0', '0', '1'], ['0', '1']),
  of('-1 and 1', ['-1', '1', '1', '-1', '-1', '1'], ['-1', '1']),
  of('+1 and -1', ['+1', '-1', '+1', '-1', '-1', '+1'], ['-1', '+1']),
  of('true and false', ['true', 'false', 'true', 'false', 'false', 'true'], ['false', 'true']),
  of('whole numbers written with points', ['1.0', '2.0', '1', '2.0', '1.0', '2'], ['1.0', '2.0']),
  of('three words', ['low', 'high', 'mid', 'low', 'high', 'mid'], ['high', 'low', 'mid']),
  of('numbers from 1 to 3', ['1', '2', '3', '1', '2', '3'], ['1', '2', '3']),
  of('numbers above 9 in the order of numbers', ['9', '10', '11', '9', '10', '11'], ['9', '10', '11']),
  of('words with blanks around them', [' yes', 'no ', 'yes', 'no', ' no', 'yes '], ['no', 'yes']),
  of('words with commas', ['yes, sure', 'no', 'yes, sure', 'no', 'no', 'no'], ['no', 'yes, sure']),
  of('None as a class', ['None', 'Some', 'None', 'Some', 'None', 'Some'], ['None', 'Some']),
  of('a class of one row', ['a', 'b', 'a', 'b', 'c', 'a'], ['a', 'b', 'c']),
  of('a column named class', ['a', 'b', 'a', 'b'], ['a', 'b'], 'class'),
  of('a column named Target', ['a', 'b', 'a', 'b'], ['a', 'b'], 'Target'),
  textTable('a label that stands first', 'label,x,z\na,1.5,2\nb,2.5,3\na,3.5,1\nb,0.5,5\n', {
    label: 'label',
    columns: { x: number(1.5, 2.5, 3.5, 0.5), z: number(2, 3, 1, 5) },
  }),
  textTable('a last column without such a name', 'x,z,species\n1.5,2,a\n2.5,3,b\n3.5,1,a\n0.5,5,b\n', {
    label: 'species',
    columns: { x: number(1.5, 2.5, 3.5, 0.5), z: number(2, 3, 1, 5) },
  }),
  textTable(
    'a quantity with a bound',
    delimited([['x', 'mpg'], ...quantity]),
    {
      label: 'mpg',
      classes: null,
      columns: { x: number(...quantity.map(([x]) => Number(x))) },
    },
    { label: 'mpg', positive: '>= 30' },
  ),
  faultyTable('a quantity', delimited([['x', 'mpg'], ...quantity]), /regression|quantity|too many for classes/, {
    label: 'mpg',
  }),
  faultyTable('labels missing in some rows', 'x,y\n1.5,a\n2.5,\n3.5,b\n0.5,a\n', /label.*none|nothing in the column/i),
  faultyTable('one class', 'x,y\n1.5,a\n2.5,a\n3.5,a\n', /two classes|2 classes/i),
  faultyTable('no labels', 'x,y\n1.5,\n2.5,\n3.5,\n', /label.*none|nothing in the column|classes/i),
  faultyTable('a label that is not there', 'x,y\n1.5,a\n2.5,b\n', /no column.*target|unknown column|target/i, {
    label: 'target',
  }),
];
