import { type GivenInput, givenInput, type TextInput } from '../data/input/input.ts';
import type { Label } from '../data/label.ts';
import type { ExampleSource, OpenSourceOptions, RawExample, Source } from '../data/source.ts';
import type { RejectedText } from '../data/text-sources.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { checkOptionNames, optionNames } from '../features/option-names.ts';
import { isNested } from '../features/plain-value.ts';
import { flatFields } from '../features/record.ts';
import { isOfTexts, listItems } from '../features/set/list.ts';
import { BagEvidence, needsTable } from './bag-evidence.ts';
import { openBags } from './bag-source.ts';
import type { BytePieces } from './byte-text.ts';
import { freeName, withDerivedLabel } from './derived-label.ts';
import { readHead } from './head.ts';
import { jsonBags } from './json/bags.ts';
import { withoutNaN } from './json/object.ts';
import { layoutOf, openJsonTable } from './json/table.ts';
import type { Row as ObjectRow } from './object-table.ts';
import { knownNames, openTables } from './open.ts';
import { rawTaker } from './raw-rows.ts';
import {
  checkTableOptions,
  type LabelOf,
  openingOptions,
  openTableText,
  refuseWeight,
  rejecting,
  type TableSourceOptions,
  type TextTableSourceOptions,
  tableEncoding,
  tableOptionNames,
} from './source-options.ts';
import { characterEncoding } from './transcode.ts';
import { unchanged } from './unchanged.ts';

/** Options of {@link ndjson}. */
export interface NdjsonOptions extends TableSourceOptions, TextTableSourceOptions {
  /**
   * Name of the key to predict, or a function that returns the class of an object. The keys that a function reads stay
   * features, unless `features` drops them. The model knows the result of a function as a key `label`. Default: the
   * model's key; else label, class, target or y; else the last key, which a note says.
   */
  readonly label?: string | LabelOf<ObjectRow> | undefined;
  /** Called for every bad line, which is then skipped. Default: the first bad line ends the reading with its error. */
  readonly onReject?: ((rejected: RejectedText) => void) | undefined;
}

const ndjsonOptionNames = [
  ...tableOptionNames,
  ...optionNames<Omit<NdjsonOptions, keyof TableSourceOptions>>()('label onReject encoding'),
];

/**
 * Makes a source from text with one JSON object per line, or in another shape of a table in JSON, with a note. The same
 * text and options give the same model file as the command `halfspace train`. Values are read like cells of text: "7"
 * and 7 are equal. The fields of an object within an object are columns `a.b`. A key with a list in a row is left out.
 * Objects with few of many names, and numbers only, are read as {@link bags} reads them, with a
 * note. Without a model, all rows are read to fit an encoding, and then again. A copy of a stream, and
 * of what is fetched, is kept meanwhile: its beginning in memory, then in a temporary file where there are files.
 *
 * @example
 * const lines = '{"links": 0, "spam": "no"}\n{"links": 7, "spam": "yes"}\n';
 * const { model } = await train(ndjson(lines, { label: 'spam' }));
 *
 * @throws HalfspaceError `option-invalid`. Opening and reading it throw, with the place of the first fault:
 *   `source-unreadable`, `source-empty`, `source-corrupt`, `row-malformed`, `number-invalid`, `label-missing`,
 *   `label-classes`, `column-unknown`.
 */
export function ndjson<L extends Label>(
  input: TextInput,
  options: NdjsonOptions & { readonly label: LabelOf<ObjectRow, L> },
): Source<L>;
export function ndjson<L extends Label = Label>(input: TextInput, options?: NdjsonOptions): Source<L>;
export function ndjson(input: TextInput, options: NdjsonOptions = {}): Source {
  checkOptionNames(options, ndjsonOptionNames, 'ndjson');
  checkTableOptions(options.label, options);
  characterEncoding(options.encoding);
  const given = givenInput(input, options.name);
  return {
    name: given.name,
    open: (run) => openNdjson(given, options, run),
    raw: (known, signal) => rawNdjson(given, options, known, signal),
  };
}

async function* rawNdjson(
  input: GivenInput,
  options: NdjsonOptions,
  known: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<RawExample> {
  const { name } = input;
  const take = rawTaker(name, options.label, options, known);
  const text = await openTableText(input, options.encoding, signal);
  let row = 0;
  for await (const { text: line, line: number } of linesOf(text.open())) {
    row++;
    let fields: ObjectRow;
    try {
      fields = flatFields(JSON.parse(withoutNaN(line))) as ObjectRow;
    } catch {
      const message = `expected one JSON object per line; got ${quote(line.slice(0, 80))}`;
      const error = new HalfspaceError('row-malformed', message, { source: name, line: number });
      if (options.onReject === undefined) throw error;
      options.onReject({ error, text: line });
      continue;
    }
    // A list of other than texts is no value of a feature.
    const values = Object.entries(fields).filter(([, value]) => !isNested(value) || isOfTexts(listItems(value)));
    yield take(Object.fromEntries(values), row);
  }
}

/** Yields the lines of UTF-8 text that are not blank, with their numbers. */
async function* linesOf(pieces: BytePieces): AsyncGenerator<{ readonly text: string; readonly line: number }> {
  const decoder = new TextDecoder();
  let [rest, line] = ['', 0];
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop()!;
    for (const text of lines) if (++line > 0 && text.trim() !== '') yield { text, line };
  }
  rest += decoder.decode();
  if (rest.trim() !== '') yield { text: rest, line: line + 1 };
}

async function openNdjson(input: GivenInput, options: NdjsonOptions, run: OpenSourceOptions): Promise<ExampleSource> {
  const { name } = input;
  const { label, onReject } = options;
  const isNamed = run.encoding?.kind === 'named';
  if (isNamed) refuseWeight(options.weight);
  const encoding = isNamed ? undefined : tableEncoding(run, name);
  const text = await openTableText(input, options.encoding, run.signal);
  const head = await readHead(text.open(), name, true);
  const isDerived = typeof label === 'function';
  const openAsBags = (notes: readonly string[]) =>
    openBags(
      {
        ...{ name, label: isDerived ? undefined : label, positive: options.positive },
        notes: [...text.notes(), ...notes],
        pieces: jsonBags(name, layoutOf(head, 'ndjson', name, false), text.open, {
          labelOf: isDerived ? label : null,
          check: text,
        }),
        reject: rejecting(onReject),
      },
      run,
    );
  if (isNamed) return openAsBags([]);
  const known = encoding && knownNames(encoding, { label: isDerived ? undefined : label, weight: options.weight });
  const evidence = needsTable(options) ? undefined : new BagEvidence(isDerived ? null : label);
  const table = await openJsonTable(name, head, text.open, {
    format: 'ndjson',
    tolerant: onReject !== undefined,
    known: isDerived && known !== undefined ? { ...known, label: null } : known,
    evidence,
  });
  const note = encoding === undefined ? (evidence?.note(name) ?? null) : null;
  if (note !== null) return openAsBags([note]);
  const taken = new Set(table.columns.map((column) => column.name));
  const labelName = isDerived ? (encoding?.label.column ?? freeName(taken)) : label;
  const labelled = isDerived
    ? withDerivedLabel(table, labelName!, ({ text }) => label(JSON.parse(withoutNaN(text!)) as ObjectRow))
    : table;
  return openTables([unchanged({ ...labelled, notes: [...text.notes(), ...labelled.notes] }, text)], name, {
    ...openingOptions(options, run),
    format: 'ndjson',
    label: labelName,
    encoding,
    reject: rejecting(onReject),
  });
}
