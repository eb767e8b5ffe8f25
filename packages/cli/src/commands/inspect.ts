import type { DualModel, LinearModel, Model, MulticlassModel, WeightInterval, WeightIntervals } from 'halfspace';
import { describeFunctions } from 'halfspace/models';
import { writeWhole } from 'halfspace/node';
import { withKernels } from 'halfspace/runs';
import { treeSize } from 'halfspace/tree';
import { readModel } from '../data/model-file.ts';
import { claimFiles } from '../files/claim.ts';
import { type CommandOptions, flagOf } from '../options.ts';
import { printResult } from '../output.ts';
import { calibrationLines, evenJson } from '../report/calibration.ts';
import { fit, strongestLines } from '../report/features.ts';
import { count, counted, listed, number, percent, section } from '../report/format.ts';
import { classesOf, mistakeLines, mistakenLines, mistakenRows } from '../report/mistakes.ts';
import { readsLines } from '../report/table-features.ts';
import { drawingOf, treeLines, treeSummary } from '../report/tree.ts';
import { interruptSignal } from '../signals.ts';
import { usage } from '../usage.ts';
import { holdsData, inspectData } from './inspect-data.ts';
import { withInput } from './with-input.ts';

/** Runs `halfspace inspect`. */
export async function inspect(
  modelPath: string,
  data: readonly string[],
  given: CommandOptions<'inspect'>,
): Promise<void> {
  if (await holdsData(modelPath, given)) return inspectData([modelPath, ...data], given);
  const options = await claimFiles('inspect', { model: modelPath, data }, given);
  const { top, drawing, report, json } = options;
  checkIntervals(data, options);
  const model = readModel(modelPath);
  const found = options.intervals === true ? await intervalsOf(model, data, options) : null;
  if (drawing !== undefined) writeWhole(drawing, drawingOf(model));
  if (report !== undefined) {
    const { modelPage } = await import('../report/page/model-page.ts');
    writeWhole(report, modelPage(model, modelPath));
  }
  await printResult(json, {
    json: () => ({ ...inspectionJson(model, top), ...(found === null ? {} : { intervals: found.intervals }) }),
    text: () => inspectionText(model, modelPath, top, found?.intervals),
    notes: found?.notes ?? [],
  });
}

export function inspectionJson(model: Model, top: number): object {
  const features = model.features.kind === 'named' ? { kind: 'named' } : model.features;
  if (model.kind === 'tree') {
    const { features: _, ...rest } = model;
    return { ...rest, ...evenJson(model), ...treeSize(model.tree), features };
  }
  const { kind, rule, options, as, classes, training, calibration } = model;
  const functions = model.kind === 'dual' ? dualJson(model, top) : weightsJson(model, top);
  return { kind, rule, options, as, classes, ...functions, features, calibration, ...evenJson(model), training };
}

function weightsJson(model: LinearModel | MulticlassModel, top: number): object {
  const described = describeFunctions(model);
  const functions = described.map(({ linear: { bias, biasConstant, divisor }, all }) => ({
    ...{ bias, biasConstant, divisor, nonzeroWeights: all.nonzero(), strongest: all.strongest(top) },
  }));
  const { length } = described[0]!;
  return model.kind === 'linear'
    ? { tie: model.tie, ...functions[0], weights: length }
    : { strategy: model.strategy, functions, weights: length };
}

function dualJson(model: DualModel, top: number): object {
  const { tie, functions, features } = model;
  const { kernel, aggregate, biasConstant, divisor } = functions[0]!;
  return {
    tie,
    kernel,
    aggregate,
    biasConstant,
    divisor,
    functions: functions.map((dual, k) => ({
      mistakes: dual.rows.length,
      supportRows: dual.support.offsets.length - 1,
      mostMistaken: mistakenRows(dual, features, classesOf(model, k), top),
    })),
  };
}

export function inspectionText(model: Model, path: string, top: number, intervals?: WeightIntervals): string {
  const { training, features } = model;
  return [
    section('Model', [
      `${path}: ${model.as === null ? model.rule : `${model.rule} as in ${model.as}`}${optionsText(model)}`,
      decisionText(model),
      ...calibrationLines(model),
    ]),
    section('Reads', readsLines(features)),
    section('Trained', [
      `${counted(training.examples, 'row')}, ${counted(training.features, 'feature')}, ${counted(training.nonzeros, 'value')}; order ${training.order}, seed ${training.seed}`,
      ...(model.kind === 'tree'
        ? []
        : [
            `${counted(training.passes, 'pass', 'passes')}, ${counted(training.updates, 'update')}; stopped: ${training.stop}`,
          ]),
      ...accuracies(model),
    ]),
    ...(model.kind === 'tree'
      ? [section('Tree', [...treeSummary(model), ...treeLines(model)])]
      : model.kind === 'dual'
        ? [section('Mistakes', mistakeLines(model)), top === 0 ? '' : section('Most often', mistakenLines(model, top))]
        : [
            section('Weights', weightLines(model)),
            intervals !== undefined
              ? section('Intervals', intervalLines(intervals, model.classes))
              : top === 0
                ? ''
                : section('Strongest', strongestLines(model, top)),
          ]),
  ].join('');
}

/** Returns the rule's options: `, margin 1`. */
function optionsText({ options }: Model): string {
  const own = Object.entries(options).filter(([name]) => name !== 'updateWhen');
  return own.map(([name, value]) => `, ${name} ${value}`).join('');
}

function decisionText(model: Model): string {
  const { classes } = model;
  if (model.kind === 'linear' || (model.kind === 'dual' && classes.length === 2))
    return `${classes[1]} if the score is above 0${model.tie > 0 ? ' or equal to 0' : ''}, else ${classes[0]}`;
  if (model.kind === 'tree') return `the most frequent class in the row's leaf, of ${listed(classes, 10)}`;
  const how =
    model.kind === 'multiclass' && model.strategy !== 'one-vs-rest' ? 'all at once' : 'each against all others';
  return `the class with the highest score, of ${listed(classes, 10)}; learned ${how}`;
}

function weightLines(model: LinearModel | MulticlassModel): string[] {
  return describeFunctions(model).map(({ linear: { bias, biasConstant, divisor }, class: name, length, all }) => {
    const whose = model.kind === 'linear' ? '' : `${name}: `;
    return `${whose}bias ${number(bias * biasConstant)}; ${counted(all.nonzero(), 'feature')} of ${count(length)} with a weight${divisor === 1 ? '' : `; x divided by ${number(divisor)}`}`;
  });
}

function accuracies({ training }: Model): string[] {
  const parts: [string, number | null][] = [
    ['first pass', training.progressiveAccuracy],
    ['training rows', training.trainAccuracy],
    ['held-out rows', training.holdoutAccuracy],
  ];
  const known = parts.flatMap(([what, share]) => (share === null ? [] : [`${percent(share)} of ${what}`]));
  return known.length === 0 ? [] : [`right: ${known.join(', ')}`];
}

/** Returns lines with the intervals of the bias and of the strongest weights, class by class. */
function intervalLines(told: WeightIntervals, classes: readonly string[]): string[] {
  const { runs, confidence, seed, examples, functions } = told;
  const head = [
    `weight, and the ends of ${percent(confidence)} of ${counted(runs, 'run')} on samples of ${counted(examples, 'row')}, seed ${seed}`,
  ];
  const isSingle = classes.length === 2;
  const lines = functions.flatMap(({ class: name, bias, weights }) => {
    const entries = [['(bias)', bias] as const, ...weights.map((each) => [each.feature, each] as const)];
    const width = Math.min(40, Math.max(...entries.map(([feature]) => [...feature].length)));
    const cells = entries.map(([, { weight, low, high }]) => [weight, low, high].map(number));
    const widths = [0, 1, 2].map((k) => Math.max(...cells.map((each) => each[k]!.length)));
    const own = entries.map(([feature, each], i) => {
      const [weight, low, high] = cells[i]!.map((text, k) => text.padStart(widths[k]!));
      return `${fit(feature, width)}  ${weight}   ${low} to ${high}   ${signText(each)}`;
    });
    return [...(isSingle ? [] : [`for ${name}`]), ...own];
  });
  return [...head, ...lines];
}

function signText({ sameSign }: WeightInterval): string {
  return sameSign === 1 ? 'same sign in all runs' : `same sign in ${percent(sameSign)}`;
}

/** Options that only intervals have. */
const ownOptions = ['runs', 'confidence', 'seed', 'passes', 'patience', 'classWeight', 'label'] as const;

/** Refuses DATA and options that only `--intervals` uses, and `--intervals` without DATA. */
function checkIntervals(data: readonly string[], options: CommandOptions<'inspect'>): void {
  const ofData = (['column', 'features', 'missing', 'positive', 'joinLabels'] as const).find((name) => options[name]);
  if (ofData !== undefined) throw usage(`${flagOf(ofData)} is for DATA; got a model`);
  const hasData = data.length > 0 || options.sql !== undefined;
  if (options.intervals === true) {
    if (!hasData) throw usage('--intervals needs DATA: the files that the model was trained on; got none');
    return;
  }
  if (hasData) throw usage('DATA is for --intervals; got no --intervals');
  const other = ownOptions.find((name) => options[name] !== undefined);
  if (other !== undefined) throw usage(`${flagOf(other)} is for --intervals; got no --intervals`);
}

/** The intervals, and notes about how DATA was read. */
interface FoundIntervals {
  readonly intervals: WeightIntervals;
  readonly notes: readonly string[];
}

/** Trains again on samples of DATA. @throws HalfspaceError as `weightIntervals` does. */
async function intervalsOf(
  model: Model,
  data: readonly string[],
  options: CommandOptions<'inspect'>,
): Promise<FoundIntervals> {
  return withInput(data, { ...options, encodedFor: model }, async ({ input, kernels, progress }) => {
    const intervals = await withKernels(kernels).weightIntervals(model, input.source, {
      runs: options.runs,
      confidence: options.confidence,
      seed: options.seed,
      most: options.top,
      passes: options.passes,
      patience: options.patience,
      classWeights: options.classWeight,
      threads: options.threads,
      signal: interruptSignal(),
      onProgress: ({ done, of }) => progress.stage(done / of, `run ${done}/${of} on a sample`),
    });
    progress.stop();
    input.finish();
    return { intervals, notes: input.notes };
  });
}
