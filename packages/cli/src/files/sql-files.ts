import { expandPaths } from './paths.ts';

/** The files that a query may read: those that its quoted words name, globs expanded. */
export async function filesOfQuery(sql: string): Promise<string[]> {
  const words = [...sql.matchAll(/'((?:[^']|'')*)'|"((?:[^"]|"")*)"/g)].map(([, single, double]) =>
    single === undefined ? double!.replaceAll('""', '"') : single.replaceAll("''", "'"),
  );
  const found: string[] = [];
  for (const word of new Set(words))
    if (word !== '' && word !== '-') found.push(...(await expandPaths([word]).catch(() => [])));
  return found;
}
