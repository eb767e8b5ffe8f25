import { storeOptions } from '../data/input/file-access.ts';
import type { Label } from '../data/label.ts';
import { checkSource, openSource } from '../data/open-source.ts';
import type { ExampleSource, OpenSourceOptions, Source } from '../data/source.ts';
import { HalfspaceError } from '../errors.ts';
import { dimensionOf } from '../features/dimension.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { loadKernels } from '../kernels/load-late.ts';
import type { Model } from '../model/model.ts';
import { readable } from '../readable.ts';
import { hasHyperplanes, hasWeights } from '../rules/registry.ts';
import type { FeatureMeans } from '../train/feature-means.ts';
import { planTraining } from '../train/options.ts';
import { trainOnce } from '../train/train-once.ts';
import type { MetricSettings } from './metric-settings.ts';
import { defaultFolds, runNotes } from './run-notes.ts';
import type { RuleSearch } from './search.ts';
import type { SeveralRunsResult } from './several-runs.ts';
import { type OneOrMore, settingsOf, type TrainOptions, type TrainSettings } from './train-options.ts';
import type { CheckedOptions, ListedOptions, Trained } from './trained.ts';

/** No options. */
type None = Record<never, never>;

/** Members of the result if a single run is all. */
const singleRun = {
  search: null,
  calibration: null,
  crossValidation: null,
  curves: null,
  scores: null,
  threshold: null,
  notes: [],
};

/** {@link train} for a search over sources too: the same rows, read in several ways. */
export async function train<L extends Label = Label>(
  sources: readonly (Source<L> | ExampleSource)[],
  options: TrainOptions,
): Promise<Trained<TrainOptions, L>>;
/**
 * Learns a model from a source, as the command `halfspace train` does: the same data, options and seed give the same
 * model, byte for byte. Without `rule` and `as`, cross-validation chooses the rule, its options and the passes.
 *
 * The source is opened now and read once. A named rule learns while it reads, if its options allow it; a search,
 * `calibrate`, `folds` and `curves` read all examples first.
 *
 * @example
 * const { model, report } = await train(csv('mails.csv'), { rule: 'averaged' });
 * console.log(model.kind, report.stop, report.train?.accuracy); // linear separated 1
 *
 * @param source `csv(…)`, `rows(…)`, …, or a source of examples.
 * @returns the model and the report; the other members follow from the options.
 * @throws HalfspaceError `option-invalid`; `source-empty`, `label-missing`, `label-classes`, `weights-overflow`;
 *   `interrupted` by `signal`; and any error of the source.
 */
export async function train<const O extends TrainOptions = None, L extends Label = Label>(
  source: Source<L> | ExampleSource,
  options?: O & CheckedOptions<O> & ListedOptions<O>,
): Promise<Trained<O, L>>;
export async function train(source: OneOrMore<Source | ExampleSource>, options: TrainOptions = {}): Promise<Trained> {
  const result = await trainWith(await loadKernels(), source, options);
  const { holdout, examples } = result.report;
  if (options.holdout !== undefined && holdout === null)
    throw new HalfspaceError(
      'option-invalid',
      `holdout must hold out at least one row; got ${options.holdout}, which holds out none of ${examples}`,
    );
  return result;
}

/** {@link train} with given kernels, for options whose values are not known to the compiler. */
export async function trainWith(
  kernels: Kernels,
  source: OneOrMore<Source | ExampleSource>,
  options: TrainOptions = {},
): Promise<Trained> {
  const isList = readable('the source', () => Array.isArray(source), 'option-invalid');
  const sources = (isList ? source : [source]) as readonly (Source | ExampleSource)[];
  // First: train('data.csv', { label }) shall not be told that train has no option label.
  for (const each of sources) checkSource(each);
  const settings = settingsOf(options, sources.length);
  const { lists, searches } = settings;
  const { metric, goal, notes } = await metricOf(options, searches || lists !== null);
  const means = settings.means ? await featureMeans(settings) : undefined;
  const run = { ...settings.run, goal, means, kernels, store: await storeOptions(settings.run.store) };
  const { seed, holdout, variant, as } = planTraining(run);
  const { from } = run;
  const opening: OpenSourceOptions = {
    kernels,
    signal: run.signal,
    ...(from === undefined ? {} : { encoding: from.features, classes: from.classes, grows: true }),
    holdout: holdout > 0 ? { fraction: holdout, seed } : undefined,
    // The lectures and trees take numbers as they are, and another scaling replaces that of the columns.
    triesLetters: settings.searches,
    scale: as !== null || variant.scaling !== 'none' || !hasHyperplanes(variant.rule) ? 'none' : 'standard',
  };
  const opened: ExampleSource[] = [];
  for (const each of sources) opened.push(await openSource(each, opening));
  const trained =
    searches || lists !== null || settings.study !== null || settings.bend !== 'none'
      ? await severalRuns(opened, { ...settings, run, metric })
      : { ...singleRun, ...(await trainOnce(opened[0]!, run)) };
  const result = means === undefined ? trained : { ...trained, model: withMeans(trained.model, means) };
  const slow = kernels.name === 'wasm' ? null : (await import('../kernels/refused.ts')).refusedNote();
  const all = [
    ...(opened[result.search?.tried[result.search.taken]?.source ?? 0]!.notes ?? []),
    ...notes,
    ...(result.report.validation?.notes ?? []),
    ...result.notes,
    ...(slow === null ? [] : [slow]),
    ...runNotes(result.report, {
      holdout: run.holdout,
      patience: run.patience,
      folds: foldsOf(settings, result.search),
      calibrates: result.calibration !== null,
      isTable: result.model.features.kind === 'table',
    }),
  ];
  return { ...result, notes: all, state: result.state ?? null };
}

/** Loaded on demand, with the other code of choices: a page that follows accuracy does not need it. */
async function metricOf(options: TrainOptions, searches: boolean): Promise<MetricSettings> {
  const { metric, cost, classWeights, calibrate } = options;
  if ([metric, cost, classWeights, calibrate].every((each) => each === undefined))
    return { metric: { name: 'accuracy', cost: null }, goal: undefined, notes: [] };
  return (await import('./several-runs.ts')).metricSettings(options, searches);
}

/** Loaded on demand, because few models need them. @throws HalfspaceError for rules that learn no hyperplane. */
async function featureMeans({ run, searches }: TrainSettings): Promise<FeatureMeans> {
  const { rule } = planTraining(run).variant;
  if (!searches && !hasWeights(rule))
    throw new HalfspaceError('option-invalid', `means is for rules that learn a hyperplane; got the rule ${rule}`);
  return new (await import('../train/feature-means.ts')).FeatureMeans();
}

function withMeans(model: Model, means: FeatureMeans): Model {
  return { ...model, means: means.means(dimensionOf(model.features)) };
}

/** Loaded on demand: a page that trains one rule does not need the code. */
async function severalRuns(
  ...run: Parameters<typeof import('./several-runs.ts').trainBySeveralRuns>
): Promise<SeveralRunsResult & { readonly notes: readonly string[] }> {
  const { trainBySeveralRuns, lettersNote } = await import('./several-runs.ts');
  const result = await trainBySeveralRuns(...run);
  const note = lettersNote(result.search);
  return { ...result, notes: note === null ? [] : [note] };
}

/** Returns the number of folds of the cross-validation of the model, or of the choice; null if there is none. */
function foldsOf({ study }: TrainSettings, search: RuleSearch | null): number | null {
  if (study !== null) return study.folds ?? defaultFolds;
  // Those of a choice are counted in every repetition.
  const folds = Math.max(0, ...(search?.tried ?? []).map((each) => each.folds));
  return folds < 2 ? null : Math.min(folds, defaultFolds);
}
