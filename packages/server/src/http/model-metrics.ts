import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { PrequentialResult } from 'halfspace';
import type { ServedModel } from '../models/contract.ts';
import type { WatchReport } from '../watch/watcher.ts';
import type { Context } from './context.ts';
import type { TeachingCounts } from './teaching.ts';

/*
 * Figures of models for Prometheus, as text. They are bounded: first come those of all models, then those of columns
 * and classes, as many as there is room for. Names of columns and classes come from examples; long ones are shortened.
 */

/** Largest number of samples of an answer; about 80 bytes each. */
const mostSamples = 10_000;
/** Time in milliseconds after which others get a turn. */
const turnMs = 5;

/** A model, with what takes time to find out. */
interface Facts {
  readonly model: ServedModel;
  readonly metrics: PrequentialResult | null;
  readonly watch: WatchReport | null;
  readonly counts: TeachingCounts;
  /** Records of the writer that are not here; null: the service follows no other one. */
  readonly behind: number | null;
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number | null];

/** A metric, by its name without `halfspace_model_`; one that ends in `_total` is a counter. */
type Family = readonly [
  name: string,
  help: string,
  /** Returns the samples of a model, with labels besides its name. */
  samples: (facts: Facts) => readonly Sample[],
];

const one =
  (value: (facts: Facts) => number | null): Family[2] =>
  (facts) => [[{}, value(facts)]];

/** A figure over all examples, and over the latest ones. */
const figure = (name: 'accuracy' | 'logLoss', metrics: PrequentialResult | null | undefined): readonly Sample[] =>
  metrics == null
    ? []
    : [
        [{ window: 'all' }, metrics[name]],
        [{ window: 'latest' }, metrics.window[name]],
      ];
const sizes =
  (name: 'bytes' | 'features' | 'classes'): Family[2] =>
  ({ model }) =>
    (model.usage?.learners ?? []).map((each) => [{ learner: each.learner }, each[name]]);
const ofColumns =
  (value: (column: WatchReport['columns'][number]) => number | null): Family[2] =>
  ({ watch }) =>
    (watch?.columns ?? []).map((column) => [{ column: column.name }, value(column)]);
const byName = (counts: Iterable<readonly [string, number]>, label: string): readonly Sample[] =>
  Array.from(counts, ([name, count]) => [{ [label]: name }, count]);

/** Of every model that learns. */
const ofModels: readonly Family[] = [
  ['learned_examples_total', 'Examples in the journal.', one(({ model }) => model.version.sequence)],
  [
    'refused_examples_total',
    'Examples that were refused since the start, by the reason.',
    ({ counts }) => byName(counts.refused, 'code'),
  ],
  [
    'duplicate_examples_total',
    'Examples that had been learned before, since the start.',
    one(({ counts }) => counts.duplicates),
  ],
  ['pending_examples', 'Examples that wait for the disk and the learner.', one(({ counts }) => counts.pending)],
  ['behind_records', 'Records of the writer that are not here yet.', one(({ behind }) => behind)],
  [
    'read_only',
    '1 if the model takes no examples, because its disk failed.',
    one(({ model }) => (model.fault === null ? 0 : 1)),
  ],
  ['memory_bytes', 'Memory that counts against budget.bytes.', sizes('bytes')],
  ['features', 'Features so far; budget.features bounds them.', sizes('features')],
  ['classes', 'Classes so far; budget.classes bounds them.', sizes('classes')],
  [
    'kept_rows_bytes',
    'Rows that wait for their labels; budget.keptBytes bounds them.',
    one(({ model }) => model.usage?.keptBytes ?? null),
  ],
  ['accuracy_ratio', 'Share of right answers before learning.', ({ metrics }) => figure('accuracy', metrics)],
  ['log_loss_nats', 'Mean of −ln p of the answers before learning.', ({ metrics }) => figure('logLoss', metrics)],
  [
    'error_alarms_total',
    'Alarms of drift of the errors.',
    ({ watch }) => byName(Object.entries(watch?.errorAlarms ?? {}), 'detector'),
  ],
  [
    'calibration_error_ratio',
    'Expected calibration error of the latest answers.',
    one(({ watch }) => watch?.calibration?.expectedCalibrationError ?? null),
  ],
  [
    'shadow_accuracy_ratio',
    'Share of right answers of the shadow.',
    ({ model }) => figure('accuracy', model.shadow?.metrics),
  ],
];

/** Largest number of classes with a label of their own; the names of columns are bounded by the watcher. */
const mostClasses = 100;

/** Of columns and classes. */
const ofParts: readonly Family[] = [
  ['input_alarms_total', 'Alarms of drift of the mean of a column.', ofColumns(({ alarms }) => alarms)],
  [
    'missing_ratio',
    'Share of the latest examples without a value of a column.',
    ofColumns(({ latest }) => latest.missing / latest.examples),
  ],
  [
    'unseen_ratio',
    'Share of the latest examples with a level that was new.',
    ofColumns(({ latest }) => latest.unseen / latest.examples),
  ],
  [
    'class_share_ratio',
    'Share of the latest examples of a class.',
    ({ watch }) => {
      const { classes = [], examples = 0, window = 0 } = watch ?? {};
      const named = classes.filter(({ name }) => name !== null).slice(0, mostClasses);
      return named.map((each) => [{ class: each.name! }, each.latest / Math.min(examples, window)]);
    },
  ],
];

/** Returns the figures of models as text. Those that have no room are left out whole, and counted. */
export async function metricsOf(
  models: readonly ServedModel[],
  { teaching, following }: Pick<Context, 'teaching' | 'following'>,
): Promise<string> {
  const texts = new Map<Family, string[]>([...ofModels, ...ofParts].map((family) => [family, []]));
  let room = mostSamples;
  let since = performance.now();
  const leftOut = { models: 0, parts: 0 };
  /** Adds samples of a model if there is room for all. */
  const add = (families: readonly Family[], facts: Facts): boolean => {
    const found = families.map((family) => ({ family, lines: linesOf(family, facts) }));
    const count = found.reduce((sum, { lines }) => sum + lines.length, 0);
    if (count > room) return false;
    room -= count;
    for (const { family, lines } of found) texts.get(family)!.push(...lines);
    return true;
  };
  const all: Facts[] = [];
  for (const model of models) {
    if (model.kind === 'frozen') continue;
    // Where the first of equal models has no room, the others have none.
    if (leftOut.models > 0) {
      leftOut.models++;
      continue;
    }
    const { metrics, watch, name } = model;
    const facts = { model, metrics, watch, counts: teaching.countsOf(name), behind: following?.behind(name) ?? null };
    if (add(ofModels, facts)) all.push(facts);
    else leftOut.models++;
    if (performance.now() - since < turnMs) continue;
    await setImmediate();
    since = performance.now();
  }
  for (const facts of all) if (!add(ofParts, facts)) leftOut.parts++;
  const ends = [
    `# HELP halfspace_models_left_out Models whose figures had no room here; /v1/models/NAME/metrics has them.`,
    `# TYPE halfspace_models_left_out gauge`,
    ...Object.entries(leftOut).map(([figures, count]) => `halfspace_models_left_out{figures="${figures}"} ${count}`),
  ];
  const families = Array.from(texts, ([[name, help], lines]) => {
    const kind = name.endsWith('_total') ? 'counter' : 'gauge';
    return [`# HELP halfspace_model_${name} ${help}`, `# TYPE halfspace_model_${name} ${kind}`, ...lines].join('\n');
  });
  return `${[...families, ends.join('\n')].join('\n')}\n`;
}

function linesOf([name, , samples]: Family, facts: Facts): string[] {
  return samples(facts).flatMap(([labels, value]) => {
    if (value === null || !Number.isFinite(value)) return [];
    const all = Object.entries({ model: facts.model.name, ...labels });
    return `halfspace_model_${name}{${all.map(([label, text]) => `${label}="${labelText(text)}"`).join(',')}} ${value}`;
  });
}

const longestName = 64;

/** Returns a name of at most {@link longestName} characters, escaped. Different names stay different. */
function labelText(name: string): string {
  const isShort = name.length <= longestName;
  const digest = isShort ? '' : `…${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
  const text = isShort ? name : name.slice(0, longestName - 17) + digest;
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
