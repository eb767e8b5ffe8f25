import { type ColumnOptions, type FeatureOptions, HalfspaceError } from 'halfspace';
import { quote } from 'halfspace/checks';
import { dateFormats, parseFeatureOptions } from 'halfspace/tables';
import { usage } from '../usage.ts';
import { readText } from './model-file.ts';

/**
 * Reads the options of columns from a JSON file and from flags. A flag overrides the file.
 *
 * @param path of the file, or undefined.
 * @param flags texts `NAME=KIND`, or `NAME=KIND:FORM`, where FORM says how values are written.
 * @returns undefined if neither is given.
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
    // The name of a column can contain "=", a kind cannot.
    const at = flag.lastIndexOf('=', flag.lastIndexOf('=set:') < 0 ? undefined : flag.lastIndexOf('=set:'));
    if (at <= 0) throw usage(`expected --column NAME=KIND; got ${JSON.stringify(flag)}`);
    const name = flag.slice(0, at);
    const [kind, form] = splitKind(flag.slice(at + 1));
    const given = { kind, ...form };
    const { columns: parsed } = parseFeatureOptions({ columns: Object.fromEntries([[name, given]]) }, '--column');
    const before = all.get(name);
    // The file's options are for its own kind only.
    const kept = before !== undefined && before.kind === kind ? before : {};
    all.set(name, { ...kept, ...new Map(Object.entries(parsed!)).get(name)! });
  }
  return { columns: Object.fromEntries(all), crosses };
}

/** The forms of values that may follow a kind. */
const forms: Readonly<Record<string, ColumnOptions>> = {
  'number:decimal-comma': { decimal: ',' },
  'number:decimal-point': { decimal: '.' },
  'number:rising': { trend: 'rising' },
  'number:falling': { trend: 'falling' },
  'text:words': { characters: null },
  'text:letters': { words: [1, 2], characters: [2, 5] },
  ...Object.fromEntries(dateFormats.map((format) => [`date:${format}`, { format }])),
};

/** Splits `number:decimal-comma` into a kind and the options that its form stands for. */
function splitKind(text: string): [kind: ColumnOptions['kind'], form: ColumnOptions] {
  const [kind, ...rest] = text.split(':');
  if (rest.length === 0) return [kind as ColumnOptions['kind'], {}];
  if (kind === 'set') return [kind, { separator: rest.join(':') }];
  if (Object.hasOwn(forms, text)) return [kind as ColumnOptions['kind'], forms[text]!];
  const known = Object.keys(forms).filter((form) => form.startsWith(`${kind}:`));
  throw usage(
    known.length === 0
      ? `expected a form only for --column NAME=number, NAME=date, NAME=text and NAME=set; got ${quote(text)}`
      : `expected the form of --column to be one of ${known.join(', ')}; got ${quote(text)}`,
  );
}

function readFile(path: string): FeatureOptions {
  const text = readText(path, 'columns');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new HalfspaceError('option-invalid', `expected JSON; got other text (${(error as Error).message})`, {
      source: path,
    });
  }
  return parseFeatureOptions(value, path);
}
