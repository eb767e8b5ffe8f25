import { delimited, faultyTable, type NastyTable, textTable } from './table.ts';

const family = 'forms';
const number = (...values: (number | null)[]) => ({ kind: 'number' as const, values });
const category = (...values: (string | null)[]) => ({ kind: 'category' as const, values });

const lines = ['x,z,y', '1.5,2.5,a', '3.25,1,b', '2,2.75,a', '4,0.5,b'];
const columns = { x: number(1.5, 3.25, 2, 4), z: number(2.5, 1, 2.75, 0.5) };
const plain = { rows: 4, columns };

const cities = 'Stadt,z,y\nKöln,2.5,a\nZürich,1,b\nKöln,2.75,a\nZürich,0.5,b\n';
const readCities = { rows: 4, columns: { Stadt: category('Köln', 'Zürich', 'Köln', 'Zürich'), z: columns.z } };

const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** Encodes as UTF-16. @param mark true to begin with a byte order mark. */
function utf16(text: string, order: 'little' | 'big', mark: boolean): Uint8Array {
  const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  return Uint8Array.from(
    (mark ? [0xfeff, ...units] : units).flatMap((unit) =>
      order === 'little' ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255],
    ),
  );
}

const wide = Array.from({ length: 300 }, (_, c) => `f${c}`);
const wideRow = (i: number) => wide.map((_, c) => ((i * 37 + c * 11) % 100) / 4);

/** Delimiters, line ends, quotes, encodings, and lines of other lengths. */
export const formTables: readonly NastyTable[] = [
  textTable(family, 'tabs', `${lines.join('\n').replaceAll(',', '\t')}\n`, plain, { tabs: true }),
  textTable(family, 'tabs in a file named csv', `${lines.join('\n').replaceAll(',', '\t')}\n`, plain),
  textTable(family, 'semicolons', `${lines.join('\n').replaceAll(',', ';')}\n`, plain),
  textTable(family, 'bars', `${lines.join('\n').replaceAll(',', '|')}\n`, plain),
  textTable(family, 'CRLF', `${lines.join('\r\n')}\r\n`, plain),
  textTable(family, 'CR', `${lines.join('\r')}\r`, plain),
  textTable(family, 'no end of the last line', lines.join('\n'), plain),
  textTable(family, 'blank lines at the end', `${lines.join('\n')}\n\n\n`, plain),
  textTable(family, 'blank lines between rows', `${lines.join('\n\n')}\n`, plain),
  textTable(family, 'delimiters at the end of each line', `${lines.join(',\n')},\n`, {
    rows: 4,
    columns: { ...columns, column3: { kind: 'left out', reasons: ['empty'] } },
  }),
  textTable(family, 'delimiters at the end of each row', `${lines[0]}\n${lines.slice(1).join(',\n')},\n`, plain),
  textTable(family, 'blanks behind delimiters', `${lines.join('\n').replaceAll(',', ', ')}\n`, plain),
  textTable(
    family,
    'all cells in quotes',
    delimited(lines.map((line) => line.split(','))).replace(/[^,\n]+/g, '"$&"'),
    plain,
  ),
  textTable(
    family,
    'the line that spreadsheets write for the delimiter',
    `sep=;\n${lines.join('\n').replaceAll(',', ';')}\n`,
    plain,
  ),
  textTable(family, 'comments before the names', `# measured in May\n# by hand\n${lines.join('\n')}\n`, plain),
  textTable(family, 'quotes within cells', 'name,z,y\n"say ""hi""",2.5,a\nho,1,b\n"say ""hi""",2.75,a\nho,0.5,b\n', {
    columns: { name: category('say "hi"', 'ho', 'say "hi"', 'ho'), z: columns.z },
  }),
  textTable(
    family,
    'quotes behind backslashes',
    'name,z,y\n"say \\"hi\\", ho",2.5,a\nho,1,b\n"say \\"hi\\", ho",2.75,a\nho,0.5,b\n',
    { columns: { name: category('say "hi", ho', 'ho', 'say "hi", ho', 'ho'), z: columns.z } },
  ),
  textTable(family, 'line ends in cells', 'name,z,y\n"two\nlines",2.5,a\none,1,b\n"two\nlines",2.75,a\none,0.5,b\n', {
    columns: { name: category('two\nlines', 'one', 'two\nlines', 'one'), z: columns.z },
  }),
  textTable(family, 'inches, which are no quotes', 'size,z,y\n5",2.5,a\n7",1,b\n5",2.75,a\n7",0.5,b\n', {
    columns: { size: { kind: 'number', values: [5, 7, 5, 7] }, z: columns.z },
  }),
  textTable(family, 'apostrophes', "name,z,y\nO'Neil,2.5,a\nAl,1,b\nO'Neil,2.75,a\nAl,0.5,b\n", {
    columns: { name: category("O'Neil", 'Al', "O'Neil", 'Al'), z: columns.z },
  }),
  textTable(family, 'semicolons in cells between commas', 'name,z,y\na;b,2.5,a\nc;d,1,b\na;b,2.75,a\nc;d,0.5,b\n', {
    columns: { name: category('a;b', 'c;d', 'a;b', 'c;d'), z: columns.z },
  }),
  faultyTable(
    family,
    'a row that is too long',
    `${lines.join('\n')}\n1,2,3,4\n`,
    /expected 3 cells.*4|4 cells|Line 6/i,
  ),
  faultyTable(family, 'a row that is too short', `${lines.join('\n')}\n1,2\n`, /expected 3 cells.*2|2 cells|Line 6/i),
  faultyTable(family, 'a quote that does not end', `${lines.join('\n')}\n"1,2,a\n`, /quot/i),
  textTable(family, 'Latin-1, given', latin1(cities), readCities, { encoding: 'latin1' }),
  faultyTable(family, 'Latin-1, not given', latin1(cities), /UTF-8/),
  textTable(family, 'UTF-16 with a mark', utf16(cities, 'little', true), readCities),
  textTable(family, 'UTF-16 of big numbers with a mark', utf16(cities, 'big', true), readCities),
  textTable(family, 'UTF-16 without a mark, given', utf16(cities, 'little', false), readCities, {
    encoding: 'utf-16le',
  }),
  textTable(family, 'UTF-16 without a mark, not given', utf16(cities, 'little', false), {
    ...readCities,
    note: /is read as utf-16le.*--encoding/,
  }),
  textTable(family, 'UTF-8 with a mark', new TextEncoder().encode(`\ufeff${cities}`), readCities),
  textTable(
    family,
    'many columns',
    delimited([[...wide, 'y'], ...['a', 'b', 'a', 'b'].map((label, i) => [...wideRow(i).map(String), label])]),
    { columns: Object.fromEntries(wide.map((name, c) => [name, number(...[0, 1, 2, 3].map((i) => wideRow(i)[c]!))])) },
  ),
  faultyTable(family, 'one column', 'y\na\nb\na\n', /column to learn from|only one column/i),
  textTable(family, 'two rows', 'x,y\n1.5,a\n2.5,b\n', { columns: { x: number(1.5, 2.5) } }),
  faultyTable(family, 'one row', 'x,y\n1.5,a\n', /two classes|2 classes/i),
  faultyTable(family, 'nothing', '', /expected|nothing/i),
  faultyTable(family, 'blanks only', ' \n\n  \n', /expected|nothing/i),
  faultyTable(
    family,
    'a page instead of a table',
    '<!DOCTYPE html>\n<html><body><p>Not found, sorry</p></body></html>\n',
    /expected|only one column|HTML/i,
  ),
];
