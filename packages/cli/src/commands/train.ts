import {
  type AnyRuleOptions,
  type CalibrationKind,
  type ClassWeights,
  defaultVariant,
  LedgerWriter,
  type Order,
  type PresetName,
  presets,
  type RuleName,
  type Strategy,
  type TrainingResult,
  type TrainOptions,
  tieOf,
  trainChosen,
  train as trainModel,
  trainStudied,
} from 'halfspace';
import { openWhole, temporarySpill, type WholeFile } from 'halfspace/node';
import { readFeatureOptions } from '../data/feature-file.ts';
import { openInput } from '../data/input.ts';
import { checkLedgerFile } from '../data/ledger-file.ts';
import { modelText } from '../data/model-file.ts';
import type { DataOptions, Input } from '../data/opened.ts';
import { claimFiles } from '../files/claim.ts';
import { expandPaths } from '../files/paths.ts';
import { kernelsOfRun } from '../kernels.ts';
import { openOutput } from '../output.ts';
import { createProgress } from '../progress.ts';
import { calibrationWarning } from '../report/calibration.ts';
import { printNotes } from '../report/notes.ts';
import { analyseScores } from '../report/score-analysis.ts';
import { type TrainingRun, trainingJson, trainingText } from '../report/training.ts';
import { drawingOf } from '../report/tree.ts';
import { flagOf, ruleFlags } from '../rule-flags.ts';
import { interruptSignal } from '../signals.ts';
import { usage } from '../usage.ts';

export interface TrainCommandOptions extends Omit<DataOptions, 'scale' | 'model' | 'featureOptions'>, AnyRuleOptions {
  readonly rule?: RuleName;
  readonly multiclass?: Strategy;
  readonly classWeight?: ClassWeights;
  readonly as?: PresetName;
  readonly passes?: number;
  readonly order?: Order;
  readonly patience?: number;
  readonly seed?: number;
  readonly scale?: 'none' | 'standard' | 'unit-ball' | 'max-norm';
  readonly column?: readonly string[];
  readonly features?: string;
  readonly holdout?: number;
  readonly marginGap?: number;
  readonly validate?: string;
  readonly calibrate?: CalibrationKind;
  readonly model?: string;
  readonly drawing?: string;
  readonly ledger?: string;
  readonly report?: string;
  readonly json?: boolean;
}

type Result = TrainingResult & Pick<TrainingRun, 'search' | 'study'>;

/** `halfspace train`. */
export async function train(data: readonly string[], given: TrainCommandOptions): Promise<void> {
  const started = performance.now();
  const options = await claimFiles('train', { data }, given);
  checkRule(options);
  checkCalibration(options);
  if (options.ledger !== undefined && (options.calibrate !== undefined || options.report !== undefined))
    throw usage(`--ledger is not for runs with --calibrate or --report; got --ledger ${options.ledger}`);
  const { calibrate, report } = options;
  const kernels = kernelsOfRun();
  const featureOptions = readFeatureOptions(options.features, options.column);
  const input = await openInput(data, { ...dataOptions(options), featureOptions }, kernels);
  let validation: Input | null = null;
  const files: WholeFile[] = [];
  const opened = (path: string) => {
    const file = openWhole(path);
    files.push(file);
    return file;
  };
  const progress = createProgress(input, options.json === true);
  try {
    const modelPath = options.model!;
    const signal = interruptSignal();
    // Opened now, so that a place that cannot be written to is known before the work, not after it.
    const modelFile = opened(modelPath);
    const ledgerFile = options.ledger === undefined ? null : opened(options.ledger);
    const ledger = ledgerFile === null ? undefined : new LedgerWriter(ledgerFile);
    const pageFile = report === undefined ? null : opened(report);
    const drawingFile = options.drawing === undefined ? null : opened(options.drawing);
    checkScale(options, input);
    if (options.validate !== undefined) await expandPaths([options.validate]);

    const choosing = isChosen(options);
    const shared: TrainOptions = {
      as: options.as,
      rule: options.rule,
      ledger,
      ...ruleOptions(options),
      order: options.order ?? (options.as === undefined ? 'auto' : undefined),
      patience: options.patience,
      passes: options.passes,
      seed: options.seed,
      positive: options.positive,
      multiclass: options.multiclass,
      classWeights: options.classWeight,
      scaling: options.scale === 'standard' || options.scale === undefined ? undefined : options.scale,
      holdout: options.holdout,
      kernels,
      store: { spill: temporarySpill },
      signal,
      marginGap: options.marginGap,
      onProgress: (state) => progress.train(state),
      onBracket: progress.bracket,
      validate:
        options.validate === undefined
          ? undefined
          : async (model) => {
              const { rejects } = input;
              validation = await openInput([options.validate!], { ...dataOptions(options), rejects, model }, kernels);
              return validation.source;
            },
    };
    const onSearch = (done: number, of: number) => progress.search(done, of);
    const result: Result =
      calibrate !== undefined || report !== undefined
        ? await trainStudied(input.source, {
            ...shared,
            choose: choosing,
            calibrate,
            curves: report !== undefined,
            onSearch,
            onStudy: (done, of) => progress.study(done, of),
          })
        : choosing
          ? { ...(await trainChosen(input.source, { ...shared, onSearch })), study: null }
          : { ...(await trainModel(input.source, shared)), search: null, study: null };
    progress.stop();
    input.finish();
    modelFile.append(await modelText(result.model, modelPath));
    if (ledgerFile !== null) await checkLedgerFile(ledgerFile, ledger!);
    drawingFile?.append(drawingOf(result.model));
    const { model, study } = result;
    const warning = study === null || study.calibration === null ? null : calibrationWarning(study.calibration);
    if (warning !== null) input.notes.push(warning);
    const scored = study?.scored ?? null;
    const run: TrainingRun = {
      ...result,
      analysis: scored === null ? null : analyseScores(scored, model.classes, tieOf(model), scored.probabilities),
      input,
      modelPath,
      pagePath: report ?? null,
      seconds: (performance.now() - started) / 1000,
      ledger: ledgerOf(options.ledger, ledger),
      judgedOn: options.validate ?? null,
    };
    if (pageFile !== null) {
      const { trainingPage } = await import('../report/page/training-page.ts');
      pageFile.append(await trainingPage(run));
    }
    // All are written by now, so that one that does not fit leaves the older ones of the others.
    for (const file of files) file.finish();
    await print(run, options);
  } finally {
    progress.stop();
    for (const file of files) file.discard();
    input.close();
    (validation as Input | null)?.close();
  }
}

function dataOptions(options: TrainCommandOptions): DataOptions {
  const { format, sql, header, onError, rejects, label, positive, bits, holdout, seed, threads, parsers } = options;
  const { longestLine } = options;
  // A tree asks for numbers as they stand in the table.
  const isPlain = options.as !== undefined || options.rule === 'tree';
  const scale = options.scale === 'standard' || (options.scale === undefined && !isPlain) ? 'standard' : 'none';
  const read = { format, sql, header, onError, rejects, threads, parsers, longestLine };
  return { ...read, label, positive, bits, scale, holdout, seed };
}

function checkRule(options: TrainCommandOptions): void {
  const { as, rule } = options;
  if (rule !== undefined && as !== undefined && rule !== presets[as].rule)
    throw usage(`--as ${as} is the rule ${presets[as].rule}; got --rule ${rule}`);
  const present = rule ?? (as === undefined ? defaultVariant.rule : presets[as].rule);
  for (const [name, { owners }] of ruleFlags())
    if (options[name as keyof AnyRuleOptions] !== undefined && !owners.includes(present))
      throw usage(`${flagOf(name)} is for --rule ${owners.join(' or ')}; got the rule ${present}`);
  if (present === 'tree' && options.scale !== undefined)
    throw usage(`--scale is not for --rule tree, which takes numbers as they are; got --scale ${options.scale}`);
  if (present === 'tree' && options.marginGap !== undefined)
    throw usage(`--margin-gap is not for --rule tree, which has no hyperplane; got --margin-gap ${options.marginGap}`);
  if (present !== 'tree' && options.drawing !== undefined)
    throw usage(`--drawing is for --rule tree; got the rule ${present}`);
  if (options.variant === 'pa' && options.aggressiveness !== undefined)
    throw usage('--aggressiveness is for --variant pa-1 or pa-2; got --variant pa');
}

/** The runs of a cross-validation follow the rules, not the lectures. */
function checkCalibration({ calibrate, as, order, scale }: TrainCommandOptions): void {
  if (calibrate === undefined) return;
  if (as !== undefined) throw usage(`--calibrate is not for the lectures' perceptrons; got --as ${as}`);
  if (order === 'random') throw usage('--calibrate is not for --order random');
  if (scale === 'unit-ball' || scale === 'max-norm')
    throw usage(`--calibrate is for --scale none or standard; got --scale ${scale}`);
}

/** Whether rule, options and passes are to be chosen: nothing was asked for that a choice could not heed. */
function isChosen({ rule, as, order, patience, ledger, scale }: TrainCommandOptions): boolean {
  const given = [rule, as, order, patience, ledger].some((value) => value !== undefined);
  return !given && (scale === undefined || scale === 'none' || scale === 'standard');
}

/** Those that were given. */
function ruleOptions(options: TrainCommandOptions): AnyRuleOptions {
  const given = [...ruleFlags().keys()].map((name) => [name, options[name as keyof AnyRuleOptions]]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function checkScale({ scale }: TrainCommandOptions, { format }: Input): void {
  if (scale === 'standard' && (format === 'libsvm' || format === 'vw'))
    throw usage(
      `--scale standard is for tables; ${format} text keeps its zeros only without it: none, unit-ball or max-norm`,
    );
}

function ledgerOf(path: string | undefined, writer: LedgerWriter | undefined): TrainingRun['ledger'] {
  return path === undefined || writer === undefined
    ? null
    : { path, bytes: writer.bytes, updateBytes: writer.updateBytes };
}

async function print(run: TrainingRun, options: TrainCommandOptions): Promise<void> {
  const output = openOutput();
  await output.write(options.json === true ? `${JSON.stringify(trainingJson(run))}\n` : trainingText(run));
  await output.finish();
  if (options.json !== true) printNotes(run.input.notes);
}
