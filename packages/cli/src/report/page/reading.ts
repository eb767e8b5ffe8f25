import type { Model, TableEncoding } from 'halfspace';
import { readColumns } from '../columns.ts';
import { listed } from '../format.ts';
import { encodingLines, readsLines } from '../table-features.ts';
import { cardOf, factsOf, tableOf } from './html.ts';

/** Maximum number of columns that a page lists. */
const mostColumns = 60;

/** Returns cards with the command that wrote the page, and how the model reads the data. */
export function readingCards({ features }: Model, args: readonly string[] = process.argv.slice(2)): string[] {
  const isTable = features.kind === 'table';
  const reads = isTable ? [`a table; the class is in its column ${features.label.column}`] : readsLines(features);
  const further = isTable ? [...encodingLines(features), ...leftOutLines(features)] : [];
  const facts = factsOf([
    ['command', commandLine(args)],
    ...[...reads, ...further].map((line, i) => [i === 0 ? 'reads' : '', line] as const),
  ]);
  const command = cardOf({ title: 'Command and reading', body: facts });
  return isTable ? [command, cardOf({ title: 'Columns', body: columnTable(features), wide: true })] : [command];
}

function leftOutLines({ leftOut }: TableEncoding): string[] {
  if (leftOut.length === 0) return [];
  const reasons = leftOut.map(({ name, reason }) => `${name} (${reason.replaceAll('-', ' ')})`);
  return [`left out: ${listed(reasons, mostColumns)}`];
}

/** Returns the columns of a table as a table. */
function columnTable(encoding: TableEncoding): string {
  const columns = readColumns(encoding);
  const shown = columns.slice(0, mostColumns);
  const more = columns.length > shown.length ? `, the first ${mostColumns} of ${columns.length}` : '';
  return tableOf({
    caption: `How each column is read${more}`,
    columns: ['column', 'read as', 'values', 'missing'],
    words: 3,
    rows: shown.map(({ name, read, values, missing }) => [name, read, values, missing]),
  });
}

/** Returns a command line for a shell. `--json` is left out: the page is the same with it. */
function commandLine(args: readonly string[]): string {
  return ['halfspace', ...args.filter((each) => each !== '--json').map(quoted)].join(' ');
}

function quoted(word: string): string {
  return /^[\w%+,./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
