import {
  type Batch,
  chooseClasses,
  classNames,
  type ExampleSource,
  type FitColumn,
  HalfspaceError,
  HoldoutSplit,
  type LeftOutColumn,
  TableEncoder,
  type TableEncoding,
  TableFitter,
  type TableFormat,
} from 'halfspace';
import type { Format } from '../data/format.ts';
import { query, tableFault } from './engine.ts';
import { countClasses, profileColumns } from './profile.ts';
import { openQuery, openRelation, type Relation, type TableFile } from './relation.ts';
import { type RejectedRow, readRows, without } from './rows.ts';

export interface TableOptions {
  readonly format: Format | 'sql';
  readonly sql?: string | undefined;
  /** False: the first line is data. */
  readonly header?: boolean | undefined;
  readonly label?: string | undefined;
  readonly positive?: string | undefined;
  readonly scale: 'none' | 'standard';
  /** Rows that the fit must not see, as `train` will hold them out. */
  readonly holdout?: { readonly fraction: number; readonly seed: number } | undefined;
  /** Sets bad rows aside; undefined: the first one is an error. */
  readonly reject?: ((rejected: RejectedRow) => void) | undefined;
  /** Whether every row must have a label (training, judging) or need not (predicting). */
  readonly labelsNeeded: boolean;
  /** Read as this encoding says, instead of fitting one. */
  readonly encoding?: TableEncoding | undefined;
}

export interface TableSource extends ExampleSource {
  /** What should be said about how the table was read. */
  readonly notes: readonly string[];
}

/** Opens tables: fits an encoding to them, or reads them as a given one says. */
export async function openTable(files: readonly TableFile[], options: TableOptions): Promise<TableSource> {
  const header =
    options.encoding === undefined || options.header === false
      ? options.header
      : (options.encoding.header ?? undefined);
  const skip = options.reject !== undefined;
  const relations =
    options.sql !== undefined
      ? [await openQuery(options.sql)]
      : await Promise.all(
          files.map((file) =>
            openRelation(file, options.format as Format, { header: header === false ? false : undefined, skip }),
          ),
        );
  const notes = relations.flatMap(({ notes: own }) => own);
  const encoding = options.encoding ?? (await fit(relations, options, notes));
  const name = relations.length === 1 ? relations[0]!.name : `${relations[0]!.name} and ${relations.length - 1} more`;
  if (options.encoding !== undefined) compareColumns(relations, encoding, notes);
  const encoder = new TableEncoder(encoding);

  return {
    name,
    notes,
    classes: classNames(encoding.label),
    encoding: () => encoding,
    async *batches(): AsyncGenerator<Batch> {
      for (const relation of relations) {
        const rows = readRows(relation, {
          columns: encoding.columns,
          label: encoding.label,
          labelsNeeded: options.labelsNeeded,
          reject: options.reject,
        });
        for await (const chunk of rows) if (chunk.rows > 0) yield encoder.encodeColumns(chunk) as Batch;
        await reportRejectedLines(relation, options.reject);
      }
      if (encoder.unseen > 0)
        notes.push(
          encoder.unseen === 1
            ? 'one category that the model does not know counts as none'
            : `${encoder.unseen} categories that the model does not know count as none`,
        );
    },
  };
}

async function fit(relations: readonly Relation[], options: TableOptions, notes: string[]): Promise<TableEncoding> {
  const first = relations[0]!;
  for (const relation of relations) {
    const missing = first.columns.find(({ name }) => !relation.columns.some((column) => column.name === name));
    if (missing !== undefined)
      throw new HalfspaceError(
        'column-unknown',
        `expected the columns of ${first.name}; got none named ${JSON.stringify(missing.name)}`,
        {
          source: relation.name,
        },
      );
  }
  const labelColumn = chooseLabel(first, options.label, notes);
  const classes = await countClasses(relations, labelColumn);
  let label: ReturnType<typeof chooseClasses>;
  try {
    label = chooseClasses(labelColumn, classes, options.positive);
  } catch (error) {
    if (error instanceof HalfspaceError)
      throw new HalfspaceError(error.code, withoutPlace(error), { source: first.name, field: labelColumn });
    throw error;
  }
  const leftOut: LeftOutColumn[] = first.columns
    .filter(({ nested }) => nested)
    .map(({ name }) => ({ name, reason: 'nested' }));
  const names = first.columns.filter(({ name, nested }) => !nested && name !== labelColumn).map(({ name }) => name);
  const columns: FitColumn[] = await profileColumns(relations, names);
  const fitter = new TableFitter(columns);
  const split = options.holdout === undefined ? null : new HoldoutSplit(options.holdout.fraction, options.holdout.seed);
  for (const relation of relations) {
    // Rejected rows are reported when they are read for good.
    const reject = options.reject === undefined ? undefined : () => {};
    for await (const chunk of readRows(relation, { columns, label, labelsNeeded: options.labelsNeeded, reject })) {
      const held = new Set<number>();
      if (split !== null) for (let i = 0; i < chunk.rows; i++) if (split.next()) held.add(i);
      fitter.observe(held.size === 0 ? chunk : without(chunk, held));
    }
  }
  const encoding = fitter.encoding({
    format: options.format as TableFormat,
    header: first.header,
    scale: options.scale,
    label,
    leftOut,
  });
  for (const { name, reason } of encoding.leftOut) notes.push(`column ${JSON.stringify(name)} is left out: ${reason}`);
  return encoding;
}

function withoutPlace(error: HalfspaceError): string {
  return error.message.replace(/^.*?: (?=expected )/, '');
}

/** The label column: as told, or by its name, or the last one. */
function chooseLabel(relation: Relation, told: string | undefined, notes: string[]): string {
  const names = relation.columns.map(({ name }) => name);
  if (told !== undefined) {
    if (names.includes(told)) return told;
    throw new HalfspaceError(
      'column-unknown',
      `expected a column named ${JSON.stringify(told)}; got ${names
        .slice(0, 20)
        .map((name) => JSON.stringify(name))
        .join(', ')}${names.length > 20 ? ', …' : ''}`,
      { source: relation.name },
    );
  }
  const usual = names.find((name) => ['label', 'class', 'target', 'y'].includes(name.toLowerCase()));
  const chosen = usual ?? names.at(-1)!;
  notes.push(`the label is column ${JSON.stringify(chosen)}; --label names another`);
  return chosen;
}

function compareColumns(relations: readonly Relation[], encoding: TableEncoding, notes: string[]): void {
  for (const relation of relations) {
    const missing = encoding.columns.filter(({ name }) => !relation.columns.some((column) => column.name === name));
    if (missing.length === encoding.columns.length && missing.length > 0)
      throw new HalfspaceError(
        'column-unknown',
        `expected columns that the model knows (${missing
          .slice(0, 10)
          .map(({ name }) => JSON.stringify(name))
          .join(', ')}); got none of them`,
        { source: relation.name },
      );
    if (missing.length > 0)
      notes.push(
        `${relation.name} has no column ${missing.map(({ name }) => JSON.stringify(name)).join(', ')}: all its values count as missing`,
      );
  }
}

/** Lines that are no rows at all, which DuckDB left out. */
async function reportRejectedLines(relation: Relation, reject: TableOptions['reject']): Promise<void> {
  if (reject === undefined || relation.rejects === null) return;
  try {
    const rows = await query(
      'SELECT line, any_value(csv_line) AS csv_line, any_value(error_message) AS message FROM reject_errors GROUP BY line ORDER BY line',
    );
    for (const { line, csv_line, message } of rows)
      reject({
        error: new HalfspaceError('row-malformed', String(message).split('\n')[0]!, {
          source: relation.name,
          line: Number(line),
        }),
        text: csv_line === null ? null : String(csv_line).trimEnd(),
      });
    await query('DROP TABLE IF EXISTS reject_errors');
    await query('DROP TABLE IF EXISTS reject_scans');
  } catch (error) {
    if (!/does not exist/.test(String((error as Error).message))) throw tableFault(error, relation.name);
  }
}
