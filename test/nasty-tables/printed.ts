import { type NastyTable, tablesOf } from './table.ts';

const { faultyTable, textTable } = tablesOf('printed');
const plain = {
  rows: 4,
  columns: {
    x: { kind: 'number', values: [1.5, 3.25, null, 4.5] },
    c: { kind: 'category', values: ['u v', 'w', 'w', 'u v'] },
  },
  note: /read as a printed table/i,
} as const;
const table = (name: string, text: string, more: object = {}) => textTable(name, text, { ...plain, ...more });

const markdown = '| x | c | y |\n|---|:-:|--:|\n| 1.5 | u v | a |\n| 3.25 | w | b |\n|  | w | a |\n| 4.5 | u v | b |\n';
const psql =
  '  x   |  c  | y \n------+-----+---\n  1.5 | u v | a\n 3.25 | w   | b\n      | w   | a\n  4.5 | u v | b\n(4 rows)\n\n';
const border = '+------+-----+---+\n';
const mysql = `${border}| x    | c   | y |\n${border}|  1.5 | u v | a |\n| 3.25 | w   | b |\n| NULL | w   | a |\n|  4.5 | u v | b |\n${border}4 rows in set (0.00 sec)\n`;
const box =
  '┌───────┬─────────┬─────────┐\n│   x   │    c    │    y    │\n│ float │ varchar │ varchar │\n├───────┼─────────┼─────────┤\n│   1.5 │ u v     │ a       │\n│  3.25 │ w       │ b       │\n│       │ w       │ a       │\n│   4.5 │ u v     │ b       │\n└───────┴─────────┴─────────┘\n';

/** Tables as programs print them. */
export const printedTables: readonly NastyTable[] = [
  table('Markdown', markdown),
  table('Markdown without bars at the ends', markdown.replace(/^\| ?| ?\|$/gm, '')),
  table('Markdown with text above', `# Results\n\n${markdown}`),
  table('Markdown with CRLF', markdown.replaceAll('\n', '\r\n')),
  table('Markdown with a bar in a cell', markdown.replaceAll('u v', 'u \\| v'), {
    columns: { ...plain.columns, c: { kind: 'category', values: ['u | v', 'w', 'w', 'u | v'] } },
  }),
  table('psql', psql),
  table('psql without its number of rows', psql.replace(/\(4.*/s, '')),
  table('MySQL', mysql),
  table('MySQL with bars and commas in cells', mysql.replaceAll('u v', 'u|,'), {
    columns: { ...plain.columns, c: { kind: 'category', values: ['u|,', 'w', 'w', 'u|,'] } },
  }),
  table('Org', markdown.replace('|---|:-:|--:|', '|---+---+---|')),
  table(
    'a grid with rules between rows',
    mysql
      .replace(/\n\| (?=[ 34])/g, `\n${border}| `)
      .replace('NULL', '    ')
      .replace(/4 rows.*\n/, ''),
  ),
  table('a box, with types', box, { note: /left out the types below the names: float, varchar/i }),
  faultyTable(
    'rows that were not printed',
    box.replace('│  3.25 │ w       │ b       │', '│   ·   │ ·       │ ·       │'),
    /rows that were not printed/,
  ),
  faultyTable('two tables', `${psql}${psql}`, /(?:line |:)9\b.*expected one table/i),
  faultyTable('text below the rows', `${markdown}\nThe end.\n`, /expected 3 cells; got 1/i),
  faultyTable('a cell of two lines', psql.replace('| w   | b', '| w  +| b'), /goes on in the next line: psql --csv/),
  textTable('bars and hyphens without a rule', 'x|c|y\n1.5|u-v|a\n3|-|b\n2|u-v|a\n4|w|b\n', {
    rows: 4,
    columns: {
      x: { kind: 'number', values: [1.5, 3, 2, 4] },
      c: { kind: 'category', values: ['u-v', '-', 'u-v', 'w'] },
    },
  }),
];
