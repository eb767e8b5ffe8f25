import type { StoredBatch } from '../batch.ts';
import { type Breathe, createBreathe } from '../data/breathe.ts';
import { digested } from '../data/digest.ts';
import type { ExampleSource } from '../data/source.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { checkOptionNames } from '../features/option-names.ts';
import { forEachNonzero } from '../kernels/batch-view.ts';
import { loadKernels } from '../kernels/load-late.ts';
import type { LinearParameters } from '../rules/learner.ts';
import { hasHyperplanes, hasPasses, type RuleName } from '../rules/registry.ts';
import { EarlyStopping } from './early-stopping.ts';
import { finishRun } from './finish.ts';
import type { Following } from './guide.ts';
import type { Intake } from './intake.ts';
import { StateKeeper } from './keep-state.ts';
import { checkRecordable, LedgerRecorder } from './ledger-recorder.ts';
import { BracketObserver } from './margins.ts';
import type { RunObserver, RunState } from './observer.ts';
import { planTraining, type RunOptions, runOptionNames, type TrainStep } from './options.ts';
import { type Passed, PassLoop } from './pass-loop.ts';
import { defaultVariant, type StopWhen } from './presets.ts';
import type { TrainingResult } from './report.ts';
import { RunExamples } from './run-examples.ts';
import { type StopRule, stopRuleOf } from './stop-rule.ts';

const { stop } = defaultVariant;
/** Options of {@link trainOnce} for learners in passes, with their only allowed value, the default. */
const ofPasses: Readonly<Record<string, unknown>> = {
  start: defaultVariant.start,
  order: defaultVariant.order,
  passes: stop.passes,
  patience: null,
};
/** Options for hyperplanes, likewise. */
const { rule: _, updateWhen: __, stop: ___, ...variant } = defaultVariant;
const ofHyperplanes: Readonly<Record<string, unknown>> = { ...variant, multiclass: 'one-vs-rest' };

/** @throws HalfspaceError `option-invalid` for options that do not apply to a rule without passes. */
function checkBatchRun(rule: RuleName, options: RunOptions): void {
  const refuse = (name: string, value: unknown) => {
    throw new HalfspaceError('option-invalid', `${name} is not for the rule ${rule}; got ${quote(value)}`);
  };
  const allowed = hasHyperplanes(rule) ? ofPasses : { ...ofHyperplanes, ...ofPasses };
  for (const [name, value] of Object.entries(options)) {
    const isDefault = value === allowed[name] || (name === 'order' && value === 'auto');
    if (value !== undefined && name in allowed && !isDefault) refuse(name, value);
  }
  for (const [name, value] of Object.entries(options.stop ?? {}))
    if (value !== undefined && value !== stop[name as keyof StopWhen]) refuse('stop', options.stop);
}

/**
 * Learns a model from a source of examples. Reads the source once: the first pass learns while it reads if the variant
 * allows it, and later passes use the stored examples.
 *
 * @throws HalfspaceError `option-invalid`, `source-empty`, `label-missing`, `label-classes`, `weights-overflow`,
 *   `interrupted`, and any error of the source.
 */
export async function trainOnce(source: ExampleSource, options: RunOptions = {}): Promise<TrainingResult> {
  checkOptionNames(options, runOptionNames, 'train');
  return trainFrom(source, options, {});
}

/** Makes the passes of a run elsewhere, with the same bits: on several threads. Null: it does not pay. */
export type PassesElsewhere = (examples: RunExamples, stop: StopRule, breathe: Breathe) => Promise<Passed | null>;

/** Parts of a run besides its source and options. */
export interface RunOrigin {
  /** Examples that are read already. */
  readonly intake?: Intake | undefined;
  /** Another run, which this one follows. */
  readonly following?: Following | undefined;
  /** Used for passes that nothing observes but `onProgress`. */
  readonly elsewhere?: PassesElsewhere | undefined;
}

/** {@link trainOnce} for a run with a given origin. */
export async function trainFrom(
  given: ExampleSource,
  options: RunOptions,
  { intake, following, elsewhere }: RunOrigin,
): Promise<TrainingResult> {
  const plan = planTraining(options);
  const { ledger } = options;
  if (ledger !== undefined) {
    checkRecordable(plan.variant.rule);
    if (intake !== undefined)
      throw new HalfspaceError(
        'option-invalid',
        'a ledger is for a run that reads its source; got examples read before',
      );
  }
  const { rule } = plan.variant;
  if (!hasPasses(rule)) checkBatchRun(rule, options);
  const kernels = options.kernels ?? (await loadKernels());
  const digest = ledger === undefined ? null : digested(given);
  const examples = new RunExamples(digest ?? given, plan, { options, kernels, intake, following });
  try {
    if (!hasPasses(rule)) return await learnAtOnce(examples, options);
    const recorder = ledger === undefined ? null : new LedgerRecorder(ledger, examples);
    const result = await learn(examples, options, { recorder, following, elsewhere });
    await recorder?.close(result, digest!.digest);
    return result;
  } finally {
    examples.free();
  }
}

async function learn(
  examples: RunExamples,
  options: RunOptions,
  { recorder, following, elsewhere }: Pick<RunOrigin, 'following' | 'elsewhere'> & { recorder: LedgerRecorder | null },
): Promise<TrainingResult> {
  const { plan, intake } = examples;
  const { onStep, onBracket, onProgress, ledger, signal } = options;
  const guide = following?.guide ?? null;
  const early = plan.patience === null ? null : new EarlyStopping(examples, options.goal ?? null);
  const keeper = options.keepState === true ? new StateKeeper(examples, early) : null;
  const observers: RunObserver[] = [
    plan.variant.start === 'example' ? startingFromExample(examples) : null,
    recorder,
    guide,
    onStep === undefined ? null : new Steps(onStep, examples),
    onBracket === undefined ? null : new BracketObserver(examples, onBracket),
    early,
    keeper,
  ].filter((each) => each !== null);
  const isObserved = observers.length > 0;
  if (onProgress !== undefined) observers.push(telling(onProgress));
  const pause = createBreathe(signal, () => `expected to finish training; stopped in pass ${loop.pass}`);
  const breathe: Breathe = ledger === undefined ? pause : () => ledger.flush().then(pause);
  const loop = new PassLoop(examples.createLearner(), observers, breathe);
  try {
    await read(examples, loop, breathe);
    const stop = stopRuleOf(plan, intake);
    if (examples.streams) loop.endPass(stop);
    else {
      examples.arrange();
      if (examples.scale()) loop.replaceLearner(examples.createLearner());
      examples.startRandomly(loop.learner);
    }
    const isHere = isObserved || examples.streams || examples.from !== null;
    const passed = isHere ? null : await elsewhere?.(examples, stop, breathe);
    if (passed != null) loop.replaceLearner(passed.learner);
    const log = passed?.log ?? (await loop.run(examples, guide?.done === true ? { ...stop, passes: 0 } : stop));
    return await finishRun(examples, {
      learner: loop.learner,
      log: guide?.progressive === undefined ? log : { ...log, progressive: guide.progressive },
      best: guide?.done === true ? null : early,
      keeper,
      validation: options.validation,
      separability: options.separability ?? null,
      breathe,
    });
  } catch (error) {
    throw atLargestValue(error, examples);
  } finally {
    loop.learner.free();
  }
}

/** Runs a rule that looks at all examples at once. Its code is loaded on demand, because most runs learn in passes. */
async function learnAtOnce(examples: RunExamples, options: RunOptions): Promise<TrainingResult> {
  const { rule } = examples.plan.variant;
  const breathe = createBreathe(options.signal, () => `expected to finish training; stopped within the rule ${rule}`);
  if (!examples.wereRead) for await (const _ of examples.intake.batches()) await breathe();
  examples.endReading();
  examples.arrange();
  if (!hasHyperplanes(rule)) return (await import('./tree-run.ts')).trainTree(examples, options, breathe);
  const { minimumOf } = await import('./logistic-run.ts');
  try {
    const minimum = await minimumOf(examples, breathe);
    const { validation, separability = null } = options;
    return await finishRun(examples, { ...minimum, best: null, keeper: null, validation, separability, breathe });
  } catch (error) {
    throw atLargestValue(error, examples);
  }
}

/** Reads the source; the first pass learns meanwhile if the examples stream. */
async function read(examples: RunExamples, loop: PassLoop, breathe: Breathe): Promise<void> {
  const { plan, intake } = examples;
  const { quiet } = plan.variant.stop;
  const knownMany = intake.many;
  if (!examples.wereRead) {
    // Limits that depend on the number of examples cannot be reached within this pass.
    loop.learner.limit({ cleanStreak: typeof quiet === 'number' ? quiet : Infinity });
    for await (const batch of intake.batches()) {
      if (examples.streams) loop.show(batch, loop.shown);
      await breathe();
    }
    if (intake.many && !knownMany) {
      // At a third class, everything learned from two classes is discarded.
      examples.streams = false;
      loop.restart(examples.createLearner());
    }
  }
  examples.endReading();
}

/** Creates an observer that starts the learner at w = y·x of the first example. */
function startingFromExample(examples: RunExamples): RunObserver {
  return {
    begin(batch, { learner }) {
      const { weights, bias } = firstExample(batch, examples.biasConstant);
      learner.start!(weights, bias);
    },
  };
}

function telling(onProgress: NonNullable<RunOptions['onProgress']>): RunObserver {
  return {
    batch: ({ pass, passes, shown: rows, rowsInPass, updates }) =>
      onProgress({ phase: 'training', pass, passes, rows, rowsInPass, updates }),
  };
}

/** Returns w = y·x and b = y·c for the first example of a batch, for the start `example`. */
function firstExample(batch: StoredBatch, biasConstant: number): LinearParameters {
  const y = batch.labels[0]!;
  const weights = new Float64Array(batch.dimension);
  forEachNonzero(batch, 0, (j, x) => {
    weights[j]! += y * x;
  });
  return { weights, bias: y * biasConstant };
}

/** Adds the row with the largest value to the error of an overflow, if the examples were kept. */
function atLargestValue(error: unknown, run: RunExamples): unknown {
  if (!(error instanceof HalfspaceError && error.code === 'weights-overflow' && run.intake.complete)) return error;
  let largest = -1;
  let row = 0;
  let first = 0;
  for (const batch of run.intake.store.batches()) {
    for (let i = 0; i < batch.rows; i++)
      forEachNonzero(batch, i, (_, x) => {
        const size = Math.abs(x) * (batch.importance?.[i] ?? 1);
        if (size < largest) return;
        const number = run.rowOf(first + i, 0);
        // The first one in the data, whatever their order in the store.
        row = size === largest ? Math.min(row, number) : number;
        largest = size;
      });
    first += batch.rows;
  }
  return error.at({ source: run.source.name, row: row + 1 });
}

/** Shows examples one at a time, and calls back after each until it returns false. The model keeps its bits. */
class Steps implements RunObserver {
  readonly #call: (step: TrainStep) => unknown;
  readonly #examples: RunExamples;
  #over = false;

  constructor(call: (step: TrainStep) => unknown, examples: RunExamples) {
    this.#call = call;
    this.#examples = examples;
  }

  show(batch: StoredBatch, { learner, pass, shown, numbers }: RunState): number | undefined {
    if (this.#over) return undefined;
    const step = { pass, position: 0, row: 0, updated: false, learner };
    let { updates } = learner.progress;
    for (let i = 0; i < batch.rows; i++) {
      if (learner.learn(batch, i, i + 1) === 0) return i;
      const { progress } = learner;
      step.position = shown + i;
      step.row = this.#examples.rowOf(numbers, i);
      step.updated = progress.updates > updates;
      updates = progress.updates;
      this.#over = this.#call(step) === false;
      if (this.#over) return i + 1 + learner.learn(batch, i + 1);
    }
    return batch.rows;
  }
}
