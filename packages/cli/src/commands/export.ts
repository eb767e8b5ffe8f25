import { HalfspaceError, type Model } from 'halfspace';
import {
  type COptions,
  type JavaScriptOptions,
  type ScoreBound,
  type SqlOptions,
  scoreBound,
  toC,
  toJavaScript,
  toLiblinear,
  toOnnx,
  toScikitLearn,
  toSql,
  toTypeScript,
} from 'halfspace/export';
import { temporaryFolder, writeWhole } from 'halfspace/node';
import { type Asked, Comparing, type Comparison, type Difference } from '../consumers/comparison.ts';
import type { Consumer, Exported } from '../consumers/consumer.ts';
import { type AskedRow, askedRows, CarriedCells, inLists, madeRows } from '../consumers/rows.ts';
import { consumers } from '../consumers/targets.ts';
import { readModel } from '../data/model-file.ts';
import { claimFiles } from '../files/claim.ts';
import { type CommandOptions, exportOptions } from '../options.ts';
import { openOutput, printResult } from '../output.ts';
import { count, counted, section } from '../report/format.ts';
import { usage } from '../usage.ts';
import { withInput } from './with-input.ts';

/**
 * Runs `halfspace export`. With `--check`, the exit status is 1 if a program answers otherwise than its model, and 4 if
 * nothing here can run it.
 */
export async function exportModel(modelPath: string, given: CommandOptions<'export'>): Promise<void> {
  const options = await claimFiles('export', { model: modelPath }, given);
  const { to, output, check } = options;
  if (to === undefined) throw usage(`expected --to with ${Object.keys(exportOptions).join(', ')}`);
  for (const name of ['form', 'name', 'dialect', 'table'] as const)
    if (options[name] !== undefined && !exportOptions[to].includes(name as never))
      throw usage(`--${name} is not for --to ${to}`);
  if (to === 'onnx' && output === undefined)
    throw usage('expected --output with a file for --to onnx, which is no text');
  const model = readModel(modelPath);
  const text = write[to](model, options);
  if (output !== undefined) writeWhole(output, text);
  else {
    const out = openOutput(undefined, true);
    await out.flush(text as string);
    await out.finish();
  }
  if (to === 'onnx') await printResult(false, { json: () => ({}), text: () => boundText(output!, scoreBound(model)) });
  if (check === undefined) return;
  const { path: folder, remove } = temporaryFolder();
  try {
    const { status, report, notes } = await checked(to, { model, text, options, folder }, check);
    process.exitCode = status;
    await printResult(false, { json: () => ({}), text: () => report, notes }, output === undefined);
  } finally {
    remove();
  }
}

interface Checked {
  readonly status: number;
  readonly report: string;
  readonly notes: readonly string[];
}

/** Asks a program the rows of DATA, and those that DATA may lack. */
async function checked(to: keyof typeof consumers, exported: Exported, data: string): Promise<Checked> {
  const { model } = exported;
  const cells = new CarriedCells(model);
  const options = { encodedFor: model, labelsNeeded: false, once: true, carry: cells };
  return withInput([data], options, async ({ input, progress }) => {
    let consumer: Consumer | string | null = null;
    let first: AskedRow | undefined;
    let rows = 0;
    try {
      consumer = await consumers[to](exported);
      if (typeof consumer === 'string') return { status: 4, report: absentText(consumer), notes: [] };
      const comparing = new Comparing(model, consumer);
      for await (const some of askedRows(model, input, cells)) {
        first ??= some[0];
        await comparing.compare(some);
        rows += some.length;
        progress.rows(rows);
      }
      input.finish();
      if (first !== undefined) for (const some of inLists(madeRows(model, first))) await comparing.compareMade(some);
      progress.stop();
      const result = comparing.result();
      return { status: result.holds ? 0 : 1, report: comparisonText(result, input.name), notes: input.notes };
    } catch (error) {
      // Faults of DATA are those of the command; others are the program's.
      if (error instanceof HalfspaceError) throw error;
      return { status: 1, report: brokenText((error as Error).message), notes: [] };
    } finally {
      if (typeof consumer === 'object') consumer?.close();
    }
  });
}

type Options = Pick<JavaScriptOptions & COptions & SqlOptions, 'form' | 'name' | 'dialect' | 'table'>;

const write: Readonly<Record<keyof typeof exportOptions, (model: Model, options: Options) => string | Uint8Array>> = {
  javascript: toJavaScript,
  typescript: toTypeScript,
  c: toC,
  sql: toSql,
  onnx: toOnnx,
  liblinear: toLiblinear,
  'scikit-learn': toScikitLearn,
};

/** Returns the report of an ONNX file: the bound of its scores, which no comment in it shows. */
function boundText(path: string, bound: ScoreBound | null): string {
  const lines =
    bound === null
      ? ['those of halfspace']
      : [
          `differ from halfspace's by at most ${bound.usual.toPrecision(2)} for rows whose ${bound.rows},`,
          `and always by at most ${bound.relative.toPrecision(2)} times the sum of the sizes of their terms`,
        ];
  return section('Model', [path]) + section('Scores', lines);
}

/** Returns the report of `export --check`. */
function comparisonText(result: Comparison, data: string): string {
  const { consumer, rows, made, holds, otherClasses, firstClass, open, refused, firstRefusal, scores, probabilities } =
    result;
  const classes =
    firstClass === null
      ? 'classes equal'
      : `${counted(otherClasses, 'other class', 'other classes')}; first in ${nameOf(firstClass.row)}: ${firstClass.got} instead of ${firstClass.expected}`;
  return section('Check', [
    `${holds ? 'holds' : 'does not hold'} for ${counted(rows, 'row')} of ${data}${made === 0 ? '' : ` and ${counted(made, 'made row')}`}, asked in ${consumer}`,
    ...(firstRefusal === null
      ? []
      : [`${counted(refused, 'row')} refused; first ${nameOf(firstRefusal.row)}: ${firstRefusal.reason}`]),
    classes,
    ...(open === 0
      ? []
      : [`${counted(open, 'row')} with another class, whose highest scores differ by less than rounding`]),
    ...(scores === null ? ['scores are not told'] : [differenceText('scores', scores)]),
    ...(probabilities === null ? [] : [differenceText('probabilities', probabilities)]),
  ]);
}

const nameOf = (row: Asked) => (typeof row === 'number' ? `row ${count(row)}` : row);

function differenceText(what: string, { largest, row, bound, above }: Difference): string {
  if (largest === 0 && bound === 0) return `${what} equal, bit for bit`;
  const allowed = bound === 0 ? 'expected the same bits' : `rounding allows at most ${short(bound)}`;
  const difference =
    largest === 0 ? `${what} equal` : `largest difference of ${what}: ${short(largest)}, in ${nameOf(row)}`;
  return `${difference}; ${allowed}${above === 0 ? '' : `; ${counted(above, 'row')} above the bound`}`;
}

const short = (value: number) => String(Number(value.toPrecision(2)));

/** Returns the report for a program that nothing here can run. */
function absentText(reason: string): string {
  return section('Check', [`not done: ${reason}`]);
}

/** Returns the report for a program that cannot be run. */
function brokenText(reason: string): string {
  return section('Check', [`does not hold: ${reason}`]);
}
