import { readFileSync } from 'node:fs';
import { type ColumnOptions, type FeatureOptions, HalfspaceError, parseFeatureOptions } from 'halfspace';
import { usage } from '../usage.ts';

/**
 * What is wanted of the columns of a table: a file of JSON, and kinds named by flags, which go before the file's.
 *
 * @param path of the file; undefined: none.
 * @param flags `NAME=KIND` each.
 * @returns undefined when neither is given.
 * @throws HalfspaceError `source-unreadable`, `option-invalid`.
 */
export function readFeatureOptions(
  path: string | undefined,
  flags: readonly string[] | undefined,
): FeatureOptions | undefined {
  if (path === undefined && flags === undefined) return undefined;
  const { columns = {}, crosses = [] } = path === undefined ? {} : readFile(path);
  const all = new Map<string, ColumnOptions>(Object.entries(columns));
  for (const flag of flags ?? []) {
    // A column's name may have the sign in it, a kind has not.
    const at = flag.lastIndexOf('=');
    if (at <= 0) throw usage(`expected --column NAME=KIND; got ${JSON.stringify(flag)}`);
    const name = flag.slice(0, at);
    const kind = flag.slice(at + 1) as ColumnOptions['kind'];
    const { columns: parsed } = parseFeatureOptions({ columns: Object.fromEntries([[name, { kind }]]) }, '--column');
    const before = all.get(name);
    // Options of another kind than the file's would mean nothing.
    all.set(name, before !== undefined && before.kind === kind ? before : new Map(Object.entries(parsed!)).get(name)!);
  }
  return { columns: Object.fromEntries(all), crosses };
}

function readFile(path: string): FeatureOptions {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'no such file' : code === 'EISDIR' ? 'a directory' : message;
    throw new HalfspaceError('source-unreadable', `expected a file; got ${reason}`, { source: path });
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new HalfspaceError('option-invalid', `expected JSON; got other text (${(error as Error).message})`, {
      source: path,
    });
  }
  return parseFeatureOptions(value, path);
}
