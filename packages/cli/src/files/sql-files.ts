import { expandPaths } from './paths.ts';

/** Returns the files that a query may read: the files that its quoted texts name, with globs expanded. */
export async function filesOfQuery(sql: string): Promise<string[]> {
  const words = [...sql.matchAll(/'((?:[^']|'')*)'|"((?:[^"]|"")*)"/g)].map(([, single, double]) =>
    single === undefined ? double!.replaceAll('""', '"') : single.replaceAll("''", "'"),
  );
  const found: string[] = [];
  for (const word of new Set(words))
    if (word !== '' && word !== '-') found.push(...(await expandPaths([word]).catch(() => [])));
  return found;
}
