import type { FeatureEncoding } from 'halfspace';
import { HalfspaceError, type Model } from 'halfspace';
import {
  explainScore,
  explainWeight,
  forget,
  forgettable,
  type Ledger,
  type RunAgainOptions,
  readLedger,
  replay,
} from 'halfspace/ledger';
import { featureNames, findClass } from 'halfspace/models';
import { openBytes, temporarySpill, writeWhole } from 'halfspace/node';
import { modelText } from '../data/model-file.ts';
import type { Input } from '../data/opened.ts';
import { claimFiles } from '../files/claim.ts';
import type { CommandOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { section } from '../report/format.ts';
import { forgetting, ledgerOverview, type ReportPart, rowUpdates, scoreOf, weightOf } from '../report/ledger.ts';
import { interruptSignal } from '../signals.ts';
import { usage } from '../usage.ts';
import { withInput } from './with-input.ts';

type LedgerOptions = CommandOptions<'ledger'>;

/** Runs `halfspace ledger`. */
export async function ledger(path: string, data: readonly string[], given: LedgerOptions): Promise<void> {
  const options = await claimFiles('ledger', { ledger: path, data }, given);
  const read = await readLedger(await openBytes(path), { partial: options.partial });
  const hasData = data.length > 0 || options.sql !== undefined;
  checkUsage(options, hasData);
  for (const name of ['row', 'forget'] as const) {
    const rows = read.closing?.rows ?? Infinity;
    if (options[name] !== undefined && options[name] > rows)
      throw usage(`--${name} must be in [1, ${rows}]; got ${options[name]}`);
  }
  const parts = hasData ? await askRun(path, read, data, options) : askLedger(path, read, options);
  await printResult(options.json, {
    json: () => ({ ...Object.assign({}, ...parts.map(({ json }) => json)), notes: [] }),
    text: () => parts.map(({ text }) => text).join(''),
  });
}

function checkUsage({ weight, model, step, row, forget, class: name }: LedgerOptions, hasData: boolean): void {
  if (!hasData && weight !== undefined) throw usage('--weight needs DATA, to repeat the updates; got none');
  if (!hasData && model !== undefined) throw usage('--model needs DATA, to repeat the run; got none');
  if (!hasData && step !== undefined) throw usage('--step needs DATA, to repeat the run; got none');
  if (weight !== undefined && row !== undefined) throw usage('expected --weight or --row; got both');
  if (name !== undefined && weight === undefined && row === undefined)
    throw usage(`--class is for --weight and --row; got --class ${name}`);
  if (model !== undefined && (weight !== undefined || row !== undefined))
    throw usage('--model is for a repeated run: alone, with --step or with --forget; got --weight or --row');
  if (forget !== undefined && hasData && model === undefined)
    throw usage('--forget needs --model, the file for the model without the row; got none');
}

/** Answers from the ledger alone. */
function askLedger(path: string, read: Ledger, { row, forget, top }: LedgerOptions): ReportPart[] {
  if (row !== undefined) return [rowUpdates(read, row - 1, top)];
  if (forget !== undefined) return [forgetting(read, forget - 1, forgettable(read, forget - 1), null)];
  return [ledgerOverview(path, read, top)];
}

/** Repeats the run over its data and answers from that. The data are those of the run, which had the notes on them. */
async function askRun(
  path: string,
  read: Ledger,
  data: readonly string[],
  options: LedgerOptions,
): Promise<ReportPart[]> {
  if (read.closing === null)
    throw new HalfspaceError('ledger-invalid', 'expected a whole ledger to repeat the run; got one that is cut short', {
      source: path,
    });
  const { features, classes } = read.closing;
  const { step, row, weight, forget: forgotten, top } = options;
  const k = options.class === undefined ? undefined : classNamed(classes, options.class);
  // Here the weight is that of a feature, not a column of weights.
  const reading = { ...options, weight: undefined, encodedFor: { features } };
  return withInput(data, reading, async ({ input, kernels, progress }) => {
    const run: RunAgainOptions = {
      kernels,
      store: { spill: temporarySpill },
      signal: interruptSignal(),
      onProgress: (state) => progress.train(state),
    };
    const parts = await ask(input, run);
    progress.stop();
    input.finish();
    return parts;
  });

  async function ask(input: Input, run: RunAgainOptions): Promise<ReportPart[]> {
    if (weight !== undefined) {
      const feature = featureNamed(features, weight);
      return [
        weightOf(read, weight, await explainWeight(read, input.source, feature, { ...run, step, class: k }), top),
      ];
    }
    if (row !== undefined) {
      const score = await explainScore(read, readAgain(input), row - 1, { ...run, step, class: k });
      return [rowUpdates(read, row - 1, top), scoreOf(read, score, top)];
    }
    if (forgotten !== undefined) {
      const result = await forget(read, input.source, forgotten - 1, run);
      await writeModel(options.model!, result.model);
      return [forgetting(read, forgotten - 1, result.forgettable, { ...result, modelPath: options.model! })];
    }
    const { model, report } = await replay(read, input.source, { ...run, step });
    if (options.model !== undefined) await writeModel(options.model, model);
    const repeated = { step: step ?? null, updates: report.updates, model: options.model ?? null };
    const where = options.model === undefined ? '' : `: ${options.model}`;
    return [
      ledgerOverview(path, read, top),
      {
        text: section('Repeated', [`${report.updates} updates, all equal to those in the ledger${where}`]),
        json: { madeAgain: repeated },
      },
    ];
  }
}

/** Returns a source that can be read more than once. */
function readAgain({ source, name }: Input) {
  if (name === '-') throw usage('--row with DATA reads it more than once: expected files; got standard input');
  return source;
}

async function writeModel(path: string, model: Model): Promise<void> {
  writeWhole(path, modelText(model, path));
}

function featureNamed(features: FeatureEncoding, name: string): number | 'bias' {
  const at = featureNames(features).indexOf(name);
  if (at !== -1) return at;
  if (name === 'bias') return 'bias';
  throw new HalfspaceError('column-unknown', `expected the name of a feature, or bias; got ${JSON.stringify(name)}`);
}

function classNamed(classes: readonly string[], name: string): number {
  const k = findClass(classes, name);
  if (k !== -1) return k;
  throw usage(`expected a class of ${classes.join(', ')}; got ${JSON.stringify(name)}`);
}
