import type { FeatureEncoding, Model } from 'halfspace';
import { readModel } from '../data/model-file.ts';
import { openOutput } from '../output.ts';
import { featureLines, strongest } from '../report/features.ts';
import { count, counted, number, percent, section } from '../report/format.ts';

export interface InspectCommandOptions {
  readonly top: number;
  readonly json?: boolean;
}

/** `halfspace inspect`. */
export async function inspect(modelPath: string, options: InspectCommandOptions): Promise<void> {
  const model = readModel(modelPath);
  const output = openOutput();
  await output.write(
    options.json === true
      ? `${JSON.stringify(inspectionJson(model, options.top))}\n`
      : inspectionText(model, modelPath, options.top),
  );
  await output.finish();
}

function inspectionJson(model: Model, top: number): object {
  const { rule, as, classes, tie, bias, biasConstant, divisor, training, features } = model;
  return {
    rule,
    as,
    classes,
    tie,
    bias,
    biasConstant,
    divisor,
    features: features.kind === 'named' ? { kind: 'named' } : features,
    weights: model.weights.length,
    nonzeroWeights: nonzero(model),
    strongest: strongest(features, model.weights, top),
    training,
  };
}

function inspectionText(model: Model, path: string, top: number): string {
  const { training, classes, features } = model;
  const shown = strongest(features, model.weights, top);
  return [
    section('Model', [
      `${path}: ${model.as === null ? model.rule : `${model.rule} as in ${model.as}`}`,
      `${classes[1]} where the score is above 0${model.tie > 0 ? ', or 0' : ''}, else ${classes[0]}`,
    ]),
    section('Reads', readsLines(features)),
    section('Trained', [
      `${counted(training.examples, 'row')}, ${counted(training.features, 'feature')}, ${counted(training.nonzeros, 'value')}; order ${training.order}, seed ${training.seed}`,
      `${counted(training.passes, 'pass', 'passes')}, ${counted(training.updates, 'update')}; stopped: ${training.stop}`,
      ...accuracies(model),
    ]),
    section('Weights', [
      `bias ${number(model.bias * model.biasConstant)}; ${counted(nonzero(model), 'feature')} of ${count(model.weights.length)} with a weight${model.divisor === 1 ? '' : `; x divided by ${number(model.divisor)}`}`,
    ]),
    shown.length === 0 ? '' : section('Strongest', featureLines(shown, classes)),
  ].join('');
}

function accuracies({ training }: Model): string[] {
  const parts: [string, number | null][] = [
    ['first pass', training.progressiveAccuracy],
    ['rows learned from', training.trainAccuracy],
    ['rows held out', training.holdoutAccuracy],
  ];
  const known = parts.flatMap(([what, share]) => (share === null ? [] : [`${percent(share)} of ${what}`]));
  return known.length === 0 ? [] : [`right: ${known.join(', ')}`];
}

function readsLines(features: FeatureEncoding): string[] {
  switch (features.kind) {
    case 'indexed':
      return ['libsvm text: features by number'];
    case 'named':
      return [`Vowpal Wabbit text: ${counted(features.names.length, 'feature')} by name`];
    case 'hashed':
      return [`Vowpal Wabbit text: features hashed to 2^${features.bits}`];
    case 'table':
      return tableLines(features);
  }
}

/** The columns a table model reads, kind by kind, and what it does about missing values. */
function tableLines({ label, columns, leftOut, scale }: Extract<FeatureEncoding, { kind: 'table' }>): string[] {
  const named = (kind: string) => columns.filter((column) => column.kind === kind);
  const list = (names: readonly string[]) =>
    names.length <= 12 ? names.join(', ') : `${names.slice(0, 12).join(', ')} and ${names.length - 12} more`;
  const lines = [`a table, to tell its column ${label.column}`];
  for (const kind of ['number', 'date', 'boolean', 'category'] as const) {
    const own = named(kind);
    const names = own.map((column) =>
      column.kind === 'category' ? `${column.name} (${column.levels.length})` : column.name,
    );
    if (own.length > 0) lines.push(`${kind === 'category' ? 'categories' : `${kind}s`}: ${list(names)}`);
  }
  const missing = columns
    .filter((column) => column.missing.count > 0)
    .map(({ name, missing: { count: n } }) => `${name} (${n})`);
  if (scale === 'standard') lines.push('numbers and dates as (x − mean) / deviation of the training rows');
  if (missing.length > 0)
    lines.push(`missing in training: ${list(missing)}; they get the mean, or no level, and a feature that says so`);
  if (leftOut.length > 0) lines.push(`left out: ${list(leftOut.map(({ name, reason }) => `${name} (${reason})`))}`);
  return lines;
}

function nonzero({ weights }: Model): number {
  return weights.reduce((sum, w) => sum + (w === 0 ? 0 : 1), 0);
}
