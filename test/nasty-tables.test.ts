import { describe, expect, it } from 'vitest';
import { differences } from './nasty-tables/difference.ts';
import { type Reader, readInLibrary, readJson, readOnline, tablesOfRows } from './nasty-tables/library-readers.ts';
import { readInCommand, readInLab } from './nasty-tables/readers.ts';
import type { NastyTable } from './nasty-tables/table.ts';
import { nastyTables } from './nasty-tables/tables.ts';
import { some } from './support/quick.ts';

const titleOf = ({ family, name }: NastyTable) => `${family}: ${name}`;

/** They share the library's reading, so `npm test` gives the other readers some of the tables. */
const readers: Readonly<Record<string, { readonly read: Reader; readonly tables: readonly NastyTable[] }>> = {
  library: { read: readInLibrary, tables: nastyTables },
  json: {
    read: readJson,
    tables: some(
      nastyTables.filter(({ ndjson }) => ndjson !== null),
      3,
    ),
  },
  'online object': { read: readOnline, tables: some(tablesOfRows(nastyTables), 5) },
  command: { read: readInCommand, tables: some(nastyTables, 8) },
  lab: { read: readInLab, tables: some(nastyTables, 5) },
};

describe('small tables that are hard to read', () => {
  it.each(Object.entries(readers))('are read by the %s as by a person', async (_, { read, tables }) => {
    const wrong: string[] = [];
    for (const table of tables) {
      const found = differences(table, await read(table).catch((error: Error) => error));
      if (found.length > 0) wrong.push(`${titleOf(table)}: ${found.join('; ')}`);
    }
    expect(wrong).toEqual([]);
  });

  it('have different titles', () => {
    expect(new Set(nastyTables.map(titleOf)).size).toBe(nastyTables.length);
  });
});
