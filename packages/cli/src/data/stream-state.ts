import type { FeatureEncoding } from 'halfspace';
import { HalfspaceError, type OnlineRuleName, type RuleOptions } from 'halfspace';
import { flag, members, oneOf, quote, readAs, text, texts, whole } from 'halfspace/checks';
import { digestOf, openFile, parseEncoding, sha256 } from 'halfspace/models';
import type { TextColumns } from 'halfspace/node';
import { onlineRule } from 'halfspace/rules';
import { readText } from './model-file.ts';

/** Settings that a state decides for all its runs. Plain data. */
export interface StreamSettings {
  readonly rule: OnlineRuleName;
  /** All options of the rule. */
  readonly options: RuleOptions;
  readonly positive: string | null;
  /** Kinds of columns by name, as given; `bag`: rows of JSON are bags of features. */
  readonly columns: Readonly<Record<string, string>> | 'bag';
  readonly scale: 'standard' | 'none';
  /** Column of the label; null for libsvm and Vowpal Wabbit text. */
  readonly label: string | null;
  /** Hashed features of Vowpal Wabbit text; null: by name. */
  readonly bits: number | null;
  readonly calibrate: boolean;
  /** Number of the latest rows that are judged by themselves. */
  readonly window: number;
  /** Name of the test for drift; null: none. */
  readonly drift: DriftName | null;
}

/** The rule of `learn` if none is given. */
export const usualRule = 'follow-the-leader' satisfies OnlineRuleName;

type DriftName = (typeof driftNames)[number];
const driftNames = ['adwin', 'page-hinkley'] as const;

/** Form of the rows: the fields of tables, or numbers of text. */
export type StreamForm = 'table' | 'libsvm' | 'vw';

/** The last run. */
export interface StreamRun {
  /** Number of rows, from the beginning of DATA, that are done with: learned, skipped as bad, or skipped as asked. */
  readonly rows: number;
  /** True if the run ended as planned: DATA were read to the end, or a pipe was left. */
  readonly done: boolean;
  /** The last good row: its number, from 1, and the digest of its contents. Null: none. */
  readonly last: { readonly row: number; readonly digest: string } | null;
}

/** Everything in the state file of `learn`. */
export interface StreamState {
  readonly settings: StreamSettings;
  readonly form: StreamForm;
  /** Layout of text tables; null: none was read. */
  readonly layout: TextColumns | null;
  /** Features of libsvm and Vowpal Wabbit text; null for tables. */
  readonly features: FeatureEncoding | null;
  /** Rows taken in all runs. */
  readonly rows: number;
  readonly run: StreamRun;
  /** The classifier, as `OnlineClassifier.save` returns it. */
  readonly classifier: string;
}

const format = 'halfspace-stream';
const version = 1;

/** Returns a short digest of a row. */
export function digestOfRow(row: unknown): string {
  return sha256(new TextEncoder().encode(JSON.stringify(row))).slice(0, 16);
}

/** Returns the text of a state file: JSON on one line with a digest, the same bytes for the same state. */
export function encodeStream(state: StreamState): string {
  const { settings, form, layout, features, rows, run, classifier } = state;
  const body = { format, version, settings, form, layout, features, rows, run, classifier };
  return `${JSON.stringify({ ...body, digest: digestOf(body) })}\n`;
}

/** Reads a state file. @throws HalfspaceError `source-unreadable`, `model-invalid`. */
export function readStream(path: string): StreamState {
  return decodeStream(readText(path, 'state'), path);
}

/**
 * Reads the result of {@link encodeStream}. Checks everything but the classifier, which `OnlineClassifier.load` checks.
 *
 * @throws HalfspaceError `model-invalid`.
 */
export function decodeStream(json: string, source?: string): StreamState {
  return readAs({ code: 'model-invalid', source }, () => decode(json));
}

function decode(json: string): StreamState {
  const file = openFile(json, { name: 'state of learn', format, version, writer: 'halfspace learn' });
  const form = oneOf(file.form, 'form', ['table', 'libsvm', 'vw'] as const);
  const features = file.features === null ? null : parseEncoding(file.features);
  const isWords = features?.kind === 'named' || features?.kind === 'hashed';
  const fits = { table: features === null, libsvm: features?.kind === 'indexed', vw: isWords };
  if (!fits[form]) throw refused(`expected "features" of ${form}; got ${features?.kind ?? 'none'}`);
  const rows = whole(file.rows, 'rows');
  return {
    settings: settingsOf(file.settings, form),
    form,
    layout: file.layout === null ? null : layoutOf(file.layout),
    features,
    rows,
    run: runOf(file.run),
    classifier: text(file.classifier, 'classifier'),
  };
}

function settingsOf(value: unknown, form: StreamForm): StreamSettings {
  const from = members(value, 'settings');
  const name = text(from.rule, 'settings.rule');
  const options = members(from.options, 'settings.options') as RuleOptions;
  const { rule, ruleOptions: complete } = onlineRule({ ...options, name } as never);
  const names = Object.keys({ ...complete, ...options });
  if (names.some((name) => complete[name] !== options[name]))
    throw refused(`expected all options of the rule ${rule} in "settings.options"; got ${quote(options)}`);
  const columns = from.columns === 'bag' ? 'bag' : members(from.columns, 'settings.columns');
  const label = from.label === null ? null : text(from.label, 'settings.label');
  if ((label !== null) !== (form === 'table'))
    throw refused(`expected "settings.label" of ${form}; got ${quote(label)}`);
  return {
    rule,
    options,
    positive: from.positive === null ? null : text(from.positive, 'settings.positive'),
    columns:
      columns === 'bag'
        ? columns
        : Object.fromEntries(Object.entries(columns).map(([name, kind]) => [name, text(kind, 'settings.columns')])),
    scale: oneOf(from.scale, 'settings.scale', ['standard', 'none'] as const),
    label,
    bits: from.bits === null ? null : whole(from.bits, 'settings.bits', 1, 24),
    calibrate: flag(from.calibrate, 'settings.calibrate'),
    window: whole(from.window, 'settings.window', 1, 1e6),
    drift: oneOf(from.drift, 'settings.drift', [...driftNames, null]),
  };
}

function layoutOf(value: unknown): TextColumns {
  const from = members(value, 'layout');
  const columns = texts(from.columns, 'layout.columns');
  if (new Set(columns).size < columns.length) throw refused('expected "layout.columns" once each; got repeats');
  return { header: flag(from.header, 'layout.header'), columns };
}

function runOf(value: unknown): StreamRun {
  const from = members(value, 'run');
  const rows = whole(from.rows, 'run.rows');
  const done = flag(from.done, 'run.done');
  if (from.last === null) return { rows, done, last: null };
  const last = members(from.last, 'run.last');
  const row = whole(last.row, 'run.last.row', 1, rows);
  return { rows, done, last: { row, digest: text(last.digest, 'run.last.digest') } };
}

function refused(message: string): HalfspaceError {
  return new HalfspaceError('model-invalid', message);
}
