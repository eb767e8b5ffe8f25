import type {
  ContradictionTest,
  ExampleSource,
  Model,
  RuleName,
  RuleWithOptions,
  Trained,
  TrainOptions,
} from 'halfspace';
import { LedgerWriter } from 'halfspace/ledger';
import { metricOf } from 'halfspace/metrics';
import { tieOf } from 'halfspace/models';
import { openWhole, type WholeFile } from 'halfspace/node';
import { type AnyRuleOptions, defaultVariant, hasHyperplanes, hasPasses, presets } from 'halfspace/rules';
import { withKernels } from 'halfspace/runs';
import { ColumnWatch } from 'halfspace/tables';
import { openInput } from '../data/input.ts';
import { checkLedgerFile } from '../data/ledger-file.ts';
import { modelText } from '../data/model-file.ts';
import type { DataOptions, Input } from '../data/opened.ts';
import { stateText } from '../data/state-file.ts';
import { claimFiles } from '../files/claim.ts';
import { expandPaths } from '../files/paths.ts';
import { type CommandOptions, flagOf } from '../options.ts';
import { openOutput, printResult } from '../output.ts';
import { calibrationWarning } from '../report/calibration.ts';
import { neverPredictedWarning } from '../report/quality.ts';
import { analyseScores } from '../report/score-analysis.ts';
import { judgedRows, type TrainingSummary, trainingJson, trainingText } from '../report/training.ts';
import { drawingOf } from '../report/tree.ts';
import { givenRuleOptions, ruleFlags } from '../rule-flags.ts';
import { interruptSignal } from '../signals.ts';
import { usage } from '../usage.ts';
import { type Continued, continuedFrom, noteNewFeatures } from './continued.ts';
import { checkCost } from './costs.ts';
import { type Reading, readingsOf, type Session, withInput, withReadings } from './with-input.ts';

type Given = CommandOptions<'train'> & AnyRuleOptions & { readonly rule?: RuleName };
type Scale = 'none' | 'standard' | 'unit-ball' | 'max-norm';

/** The options, with the first of several ways to read DATA. */
type Options = Omit<Given, 'features' | 'scale'> & Pick<Reading<Scale>, 'features' | 'scale'>;

/** Runs `halfspace train`. */
export async function train(data: readonly string[], given: Given): Promise<void> {
  const claimed = await claimFiles('train', { data }, given);
  const readings = readingsOf<Scale>(claimed);
  const { features, scale } = readings[0];
  const options: Options = { ...claimed, features, scale };
  const continued = continuedFrom(options);
  checkRule(continued === null ? options : { ...options, rule: options.rule ?? continued.state.rule });
  checkCalibration(options);
  checkMetric(options);
  if (options.model === '-' && options.json === true)
    throw usage('expected --json or --model -, which both write to standard output; got both');
  if (options.ledger !== undefined && (options.calibrate !== undefined || options.report !== undefined))
    throw usage(`--ledger is not for runs with --calibrate or --report; got --ledger ${options.ledger}`);
  const encoded = continued === null ? {} : { encodedFor: continued.state, grows: true };
  let watched: ColumnWatch | null = null;
  const watch: DataOptions['watch'] = (names, readings) => (watched = new ColumnWatch(names, readings, false));
  await withInput(
    data,
    { ...dataOptions(options), ...encoded, watch, triesLetters: isChosen(options) },
    async (session) => {
      const open: Open = { files: [], inputs: [], seen: watched?.columns() ?? null };
      try {
        await withReadings(data, dataOptions(options), readings, session, (sources) =>
          trainOn(session, { options, continued, open, sources, readings }),
        );
      } finally {
        for (const file of open.files) file.discard();
        for (const input of open.inputs) input.close();
      }
    },
  );
}

/** Files and inputs that a run opens. Its caller closes them. */
interface Open {
  readonly files: WholeFile[];
  readonly inputs: Input[];
  /** See `TrainingSummary`. */
  readonly seen: TrainingSummary['seen'];
}

interface Training {
  readonly options: Options;
  readonly continued: Continued | null;
  readonly open: Open;
  readonly sources: readonly ExampleSource[];
  readonly readings: TrainingSummary['readings'];
}

async function trainOn(session: Session, training: Training): Promise<void> {
  const { options, continued, open: opened, readings } = training;
  const { input, progress } = session;
  const modelPath = options.model!;
  // Opened before the work, to fail early if a place cannot be written to.
  const open = (path: string | undefined) => {
    if (path === undefined) return null;
    const file = openWhole(path);
    opened.files.push(file);
    return file;
  };
  const modelFile = modelPath === '-' ? null : open(modelPath);
  const ledgerFile = open(options.ledger);
  const ledger = ledgerFile === null ? null : new LedgerWriter(ledgerFile);
  const pageFile = open(options.report);
  const drawingFile = open(options.drawing);
  const stateFile = open(options.state);
  checkScale(options, input);
  if (options.validate !== undefined) await expandPaths([options.validate]);
  const learned = await learn(session, training, ledger);
  const { means = null } = learned.model;
  // Means for the report alone do not change the model.
  const result = options.means ? learned : { ...learned, model: withoutMeans(learned.model) };
  progress.stop();
  input.finish();
  for (const note of result.notes) if (!input.notes.includes(note)) input.notes.push(note);
  if (continued !== null) noteNewFeatures(continued, input);
  const modelJson = modelText(result.model, modelPath === '-' ? 'standard output' : modelPath);
  modelFile?.append(modelJson);
  if (ledgerFile !== null) await checkLedgerFile(ledgerFile, ledger!);
  drawingFile?.append(drawingOf(result.model));
  stateFile?.append(stateText(result.state!, options.state!));
  const { model, calibration, scores } = result;
  const warning = calibration === null ? null : calibrationWarning(calibration);
  if (warning !== null) input.notes.push(warning);
  const run: TrainingSummary = {
    ...result,
    means,
    analysis: scores === null ? null : analyseScores(scores, model.classes, tieOf(model), scores.probabilities),
    input,
    // The cells were watched in the first way to read them.
    seen: (result.search?.tried[result.search.taken]?.source ?? 0) === 0 ? opened.seen : null,
    readings,
    metric:
      result.search?.metric ?? metricOf({ ...options, classWeights: options.classWeight, calibrate: undefined }).name,
    verbose: options.verbose === true,
    modelPath,
    modelBytes: Buffer.byteLength(modelJson),
    pagePath: options.report ?? null,
    seconds: process.uptime(),
    ledger: ledger === null ? null : { path: options.ledger!, bytes: ledger.bytes, updateBytes: ledger.updateBytes },
    judgedOn: options.validate ?? null,
    continued,
    statePath: options.state ?? null,
  };
  const unseen = neverPredicted(run);
  if (unseen !== null) input.notes.push(unseen);
  if (pageFile !== null) {
    const { trainingPage } = await import('../report/page/training-page.ts');
    pageFile.append(await trainingPage(run));
  }
  // Finished only now: if one file cannot be written, older versions of the others stay.
  for (const file of opened.files) file.finish();
  if (modelFile === null) {
    const output = openOutput(undefined, true);
    await output.write(modelJson);
    await output.finish();
  }
  await printResult(
    options.json,
    { json: () => trainingJson(run), text: () => trainingText(run), notes: input.notes },
    modelFile === null,
  );
}

/** Returns a warning if a class occurs in the rows that the report shows, but is never predicted; else null. */
function neverPredicted(run: TrainingSummary): string | null {
  const judged = judgedRows(run);
  return judged === null ? null : neverPredictedWarning(judged.judgement, run.report.classes, judged.what);
}

async function learn(
  { input, kernels, progress }: Session,
  { options, continued, open: { inputs }, sources }: Training,
  ledger: LedgerWriter | null,
): Promise<Trained> {
  const { calibrate, report, validate, scale } = options;
  const training: TrainOptions = {
    as: options.as,
    rule: isChosen(options) ? 'auto' : namedRule(options, continued),
    calibrate,
    curves: report !== undefined,
    ledger: ledger ?? undefined,
    order: options.order,
    patience: options.patience,
    passes: options.passes,
    seed: options.seed,
    positive: options.positive,
    multiclass: options.multiclass,
    classWeights: options.classWeight,
    seconds: options.seconds,
    metric: options.metric,
    cost: options.cost,
    threshold: options.threshold,
    bend: options.bend,
    pairs: options.pairs,
    threads: options.threads,
    means: options.means || (report !== undefined && mayBend(options)),
    scaling: scale === 'unit-ball' || scale === 'max-norm' ? scale : undefined,
    holdout: options.holdout,
    signal: interruptSignal(),
    marginGap: options.marginGap,
    separability: options.rule !== undefined && !hasHyperplanes(options.rule) ? undefined : contradict,
    from: continued?.state,
    keepState: options.state !== undefined,
    onProgress: progress.train,
    onBracket: progress.bracket,
    validation:
      validate === undefined
        ? undefined
        : {
            name: validate,
            async open({ encoding, classes, keepsUnknown }) {
              const reading = { ...dataOptions(options), features: undefined, column: undefined, weight: undefined };
              const encodedFor = { features: encoding!, classes };
              const other = await openInput(
                [validate],
                { ...reading, rejects: input.rejects, encodedFor, keepsUnknown },
                kernels,
              );
              inputs.push(other);
              return other.source;
            },
          },
  };
  return withKernels(kernels).train(sources, training);
}

function withoutMeans<M extends Model>({ means: _, ...model }: M): M {
  return model as unknown as M;
}

/** Tests if numbers may be bent; then a report shows how many rows are in each interval. */
function mayBend(options: Options): boolean {
  return isChosen(options) || (options.rule === 'logistic' && options.continue === undefined);
}

/** Loaded on demand: few runs have rows that seem to contradict each other. */
const contradict: ContradictionTest = async (examples, candidates) =>
  (await import('halfspace-certify')).contradict(examples, candidates);

/** Returns the rule with its options; undefined leaves it to the lecture, or to the state. */
function namedRule({ as, rule, ...options }: Options, continued: Continued | null): TrainOptions['rule'] {
  const given = givenRuleOptions(options);
  const decided = as === undefined ? continued?.state.rule : presets[as].rule;
  if (rule === undefined && decided !== undefined && Object.keys(given).length === 0) return undefined;
  return { name: rule ?? decided ?? defaultVariant.rule, ...given } as RuleWithOptions;
}

function dataOptions(options: Options): DataOptions & Pick<Options, 'json'> {
  // A tree reads numbers as they are in the table, and so do the lectures.
  const isPlain = options.as !== undefined || (options.rule !== undefined && !hasHyperplanes(options.rule));
  const { scale = isPlain ? 'none' : undefined } = options;
  return { ...options, scale: scale === undefined || scale === 'standard' ? scale : 'none' };
}

function checkRule(options: Options): void {
  const { as, rule } = options;
  if (rule !== undefined && as !== undefined && rule !== presets[as].rule)
    throw usage(`--as ${as} is the rule ${presets[as].rule}; got --rule ${rule}`);
  const present = rule ?? (as === undefined ? defaultVariant.rule : presets[as].rule);
  for (const [name, { owners }] of ruleFlags())
    if (options[name as keyof AnyRuleOptions] !== undefined && !owners.includes(present))
      throw usage(`${flagOf(name)} is for --rule ${owners.join(' or ')}; got the rule ${present}`);
  if (!hasHyperplanes(present) && options.scale !== undefined)
    throw usage(`--scale is not for --rule ${present}, which takes numbers as they are; got --scale ${options.scale}`);
  if (!hasHyperplanes(present) && options.marginGap !== undefined)
    throw usage(
      `--margin-gap is not for --rule ${present}, which has no hyperplane; got --margin-gap ${options.marginGap}`,
    );
  if (!hasPasses(present) && options.state !== undefined)
    throw usage(`--state is not for --rule ${present}, which has no state to go on from; got --state ${options.state}`);
  if (hasHyperplanes(present) && options.drawing !== undefined)
    throw usage(`--drawing is for --rule tree; got the rule ${present}`);
  if (options.variant === 'pa' && options.aggressiveness !== undefined)
    throw usage('--aggressiveness is for --variant pa-1 or pa-2; got --variant pa');
}

/** Refuses what a cross-validation cannot do: its runs are not the lectures', and their order is not random. */
function checkCalibration({ calibrate, as, order, scale }: Options): void {
  if (calibrate === undefined) return;
  if (as !== undefined) throw usage(`--calibrate is not for the lectures' perceptrons; got --as ${as}`);
  if (order === 'random') throw usage('--calibrate is not for --order random');
  if (scale === 'unit-ball' || scale === 'max-norm')
    throw usage(`--calibrate is for --scale none or standard; got --scale ${scale}`);
}

function checkMetric(options: Options): void {
  const { metric, cost, patience, threshold, ledger } = options;
  const name = metric === undefined ? '--cost' : `--metric ${metric}`;
  checkCost(options);
  if (
    (metric !== undefined || cost !== undefined) &&
    !isChosen(options) &&
    patience === undefined &&
    threshold === undefined
  )
    throw usage(
      `${name} is for a choice of the rule, --patience or --threshold; got none of them, but options that name the rule`,
    );
  if (ledger !== undefined && patience !== undefined && (metric ?? 'accuracy') !== 'accuracy')
    throw usage(`--ledger records early stopping by accuracy only; got ${name}`);
}

/** Tests if the run chooses rule, options and passes: no option was given that determines them. */
function isChosen({ rule, as, order, patience, ledger, scale, continue: from }: Options): boolean {
  const given = [rule, as, order, patience, ledger, from].some((value) => value !== undefined);
  return !given && (scale === undefined || scale === 'none' || scale === 'standard');
}

function checkScale({ scale }: Options, { format }: Input): void {
  if (scale === 'standard' && (format === 'libsvm' || format === 'vw'))
    throw usage(
      `--scale standard is for tables; ${format} text keeps its zeros only without it: none, unit-ball or max-norm`,
    );
}
