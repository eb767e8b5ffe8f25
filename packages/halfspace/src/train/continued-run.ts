import { KnownLabels } from '../data/labels.ts';
import type { ExampleSource } from '../data/source.ts';
import { wrappedSource } from '../data/wrapped-source.ts';
import { HalfspaceError, quote } from '../errors.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import type { TrainState } from './train-state.ts';

/** Options that a state decides. */
const decided = ['rule', 'bias', 'tie', 'scaling', 'multiclass'] as const;
/** Options for which a run must start with weights 0. */
const forFreshRuns = ['as', 'ledger', 'marginGap', 'positive'] as const;

/** The options of a run that concern its state. */
type Continuable = { readonly [Name in (typeof decided)[number] | (typeof forFreshRuns)[number]]?: unknown } & {
  readonly start?: unknown;
  readonly stop?: { readonly quiet?: unknown } | undefined;
  readonly seed?: number | undefined;
};

/**
 * Returns the options of a run that continues from a state: those given, and those of the state.
 *
 * @throws HalfspaceError `option-invalid` for an option that differs from the state's, or that such a run cannot have.
 */
export function continuedOptions<Options extends Continuable>(options: Options, from: TrainState): Options {
  if (typeof from?.rule !== 'string' || typeof from.options !== 'object' || from.options === null)
    throw new HalfspaceError(
      'option-invalid',
      `from must be a state, such as decodeTrainState(text) or the state of a run with keepState; got ${quote(from)}`,
    );
  const refuse = (name: string, expected: unknown, got: unknown) => {
    const message = `a run that continues has the state's ${name}, ${quote(expected)}; got ${quote(got)}`;
    throw new HalfspaceError('option-invalid', message);
  };
  for (const name of forFreshRuns)
    if (options[name] !== undefined)
      throw new HalfspaceError('option-invalid', `${name} is for a run from the beginning; got one that continues`);
  if (options.start !== undefined && options.start !== 'zero') refuse('start', 'zero', options.start);
  if (options.stop?.quiet != null) refuse('stop.quiet', null, options.stop.quiet);
  for (const name of decided) {
    const [own, given] = [from[name], options[name]];
    if (own !== null && given !== undefined && given !== own) refuse(name, own, given);
  }
  for (const [name, own] of Object.entries(from.options)) {
    const given = (options as Readonly<Record<string, unknown>>)[name];
    if (given !== undefined && given !== own) refuse(name, own, given);
  }
  const { rule, bias, tie, scaling, seed } = from;
  const multiclass = from.multiclass ?? options.multiclass;
  return { ...options, ...from.options, rule, bias, tie, scaling, multiclass, seed: options.seed ?? seed };
}

/**
 * Returns a source with the labels of a state's classes.
 *
 * @throws HalfspaceError `label-classes` for a source of other classes, or from `batches()` for another label.
 */
export function withClassesOf(
  { classes, labelType }: Pick<TrainState, 'classes' | 'labelType'>,
  source: ExampleSource,
): ExampleSource {
  const { name } = source;
  if (source.classes !== null) {
    if (source.classes.length === classes.length && source.classes.every((each, k) => each === classes[k]))
      return wrappedSource(source, { labelType });
    const message = `expected the classes of the state, ${classes.join(', ')}; got ${source.classes.join(', ')}`;
    throw new HalfspaceError('label-classes', message, { source: name });
  }
  return wrappedSource(source, {
    classes,
    labelType,
    async *batches() {
      const labels = new KnownLabels(source, classes, classes.length > 2);
      let before = 0;
      for await (const batch of source.batches()) {
        const first = before;
        labels.map(batch.labels.subarray(0, batch.rows), (i) => first + i + 1);
        before += batch.rows;
        yield batch;
      }
    },
  });
}

/** Checks that features have the positions of a state; new ones may follow. @throws HalfspaceError `option-invalid`. */
export function checkFeaturesOf({ features }: TrainState, source: ExampleSource): void {
  if (continues(source.encoding(), features)) return;
  throw new HalfspaceError(
    'option-invalid',
    'expected features encoded as in the state; got others: open the source with the encoding of the state',
    { source: source.name },
  );
}

function continues(now: FeatureEncoding, before: FeatureEncoding): boolean {
  if (now.kind === 'indexed' && before.kind === 'indexed') {
    const [far, farBefore] = [now.far?.indices ?? [], before.far?.indices ?? []];
    const sameDirect = before.far === undefined || before.far.direct === now.far?.direct;
    const fits = now.far === undefined || before.far !== undefined || before.dimension <= now.far.direct;
    return now.dimension >= before.dimension && sameDirect && fits && farBefore.every((index, k) => far[k] === index);
  }
  if (now.kind === 'named' && before.kind === 'named') return before.names.every((name, j) => now.names[j] === name);
  return JSON.stringify(now) === JSON.stringify(before);
}
