import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expandPaths } from './paths.ts';

/** Returns the files that a query may read: the files that its quoted texts name, with globs expanded. */
export async function filesOfQuery(sql: string): Promise<string[]> {
  return (await namedIn(sql)).flatMap(({ files }) => files);
}

/** Returns the same files, and the texts: patterns that DuckDB expands, and files that it finds absent. */
export async function readableByQuery(sql: string): Promise<string[]> {
  const isElsewhere = (word: string) => /^(?!file:)[a-z0-9+]+:\/\//i.test(word);
  return (await namedIn(sql)).flatMap(({ word, files }) => (isElsewhere(word) ? [] : [word, ...files]));
}

async function namedIn(sql: string): Promise<{ readonly word: string; readonly files: readonly string[] }[]> {
  const words = [...sql.matchAll(/'((?:[^']|'')*)'|"((?:[^"]|"")*)"|\$\$(.*?)\$\$/gs)].map(
    ([, single, double, plain]) =>
      single === undefined ? (double?.replaceAll('""', '"') ?? plain!) : single.replaceAll("''", "'"),
  );
  const found: { word: string; files: string[] }[] = [];
  for (const word of new Set(words)) {
    if (word !== '' && word !== '-') found.push({ word, files: await expandPaths([pathOf(word)]).catch(() => []) });
  }
  return found;
}

/** Returns the path that DuckDB opens for a text. */
function pathOf(word: string): string {
  if (/^~[/\\]/.test(word)) return `${homedir()}${word.slice(1)}`;
  return URL.canParse(word) && word.startsWith('file:/') ? fileURLToPath(word) : word;
}
