import { describe, expect, it } from 'vitest';
import { differences } from './nasty-tables/difference.ts';
import { knownMisreadings } from './nasty-tables/known-misreadings.ts';
import { type Reader, readInLibrary, readJson } from './nasty-tables/library-readers.ts';
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
  command: { read: readInCommand, tables: some(nastyTables, 8) },
  lab: { read: readInLab, tables: some(nastyTables, 5) },
};

const known = new Set(Object.values(knownMisreadings).flat());

describe('small tables that are hard to read', () => {
  it.each(Object.entries(readers))(
    'are read by the %s as by a person, but for known ones',
    async (reader, { read, tables }) => {
      const wrong: string[] = [];
      for (const table of tables) {
        const title = titleOf(table);
        const isKnown = known.has(title) || known.has(`${title} [${reader}]`);
        const found = differences(table, await read(table).catch((error: Error) => error));
        if (found.length > 0 && !isKnown) wrong.push(`${title} [${reader}]: ${found.join('; ')}`);
        if (found.length === 0 && isKnown)
          wrong.push(`${title} [${reader}]: is read as expected now, so no known misreading`);
      }
      expect(wrong).toEqual([]);
    },
  );

  it('have different titles, which known misreadings name', () => {
    const titles = new Set(nastyTables.map(titleOf));
    expect(titles.size).toBe(nastyTables.length);
    const unknown = [...known].filter((each) => !titles.has(each.replace(/ \[(library|json|command|lab)\]$/, '')));
    expect(unknown).toEqual([]);
  });
});
