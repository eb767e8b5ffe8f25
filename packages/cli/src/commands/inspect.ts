import type {
  DualModel,
  LinearFunction,
  LinearModel,
  Model,
  MulticlassModel,
  WeightInterval,
  WeightIntervals,
} from 'halfspace';
import { functionsOf, nonzero, strongest } from 'halfspace/models';
import { writeWhole } from 'halfspace/node';
import { treeSize } from 'halfspace/tree';
import { readModel } from '../data/model-file.ts';
import { claimFiles } from '../files/claim.ts';
import type { CommandOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { calibrationLines, evenJson } from '../report/calibration.ts';
import { fit, strongestLines } from '../report/features.ts';
import { count, counted, listed, number, percent, section } from '../report/format.ts';
import { classesOf, mistakeLines, mistakenLines, mistakenRows } from '../report/mistakes.ts';
import { readsLines } from '../report/table-features.ts';
import { drawingOf, treeLines, treeSummary } from '../report/tree.ts';
import { holdsData, inspectData } from './inspect-data.ts';
import { checkIntervals, intervalsOf } from './intervals.ts';

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
  const functions = functionsOf(model).map((linear) => ({
    bias: linear.bias,
    biasConstant: linear.biasConstant,
    divisor: linear.divisor,
    nonzeroWeights: nonzero(linear),
    strongest: strongest(model.features, linear, top),
  }));
  const length = lengthOf(functionsOf(model)[0]!);
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
  return functionsOf(model).map((linear, k) => {
    const { bias, biasConstant, divisor } = linear;
    const whose = model.kind === 'linear' ? '' : `${model.classes[k]}: `;
    return `${whose}bias ${number(bias * biasConstant)}; ${counted(nonzero(linear), 'feature')} of ${count(lengthOf(linear))} with a weight${divisor === 1 ? '' : `; x divided by ${number(divisor)}`}`;
  });
}

/** Returns the number of weights, zeros included. */
const lengthOf = ({ sparse, weights }: LinearFunction) => (sparse ?? weights).length;

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
