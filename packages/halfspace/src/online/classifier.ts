import { createBreathe } from '../data/breathe.ts';
import { type Label, labelValue } from '../data/label.ts';
import { checkSource } from '../data/open-source.ts';
import type { ExampleSource, Source } from '../data/source.ts';
import { HalfspaceError, quote, quoteNames } from '../errors.ts';
import { similarNote, writeAlike } from '../features/class-names.ts';
import { checkOptionNames } from '../features/option-names.ts';
import type { TableLabel } from '../features/table-encoding.ts';
import { notClass } from '../features/table-label.ts';
import type { PlainRow } from '../kernels/plain-row.ts';
import type { Calibration } from '../model/calibration.ts';
import { classProbabilities, isJoint } from '../model/class-probabilities.ts';
import { type Explanation, RowExplainer, type RowExplanationOptions } from '../model/explain-row.ts';
import type { FileContents } from '../model/file-contents.ts';
import { type Model, tieOf } from '../model/model.ts';
import { FeatureList, type RawRow } from '../model/raw-features.ts';
import { byClass } from '../model/row-predictor.ts';
import { beyondDoubles, classPosition } from '../model/scorer.ts';
import { OneReading, readable } from '../readable.ts';
import type { LinearParameters } from '../rules/learner.ts';
import type { LearnedAnswer, LearnedRows, OnlineAnswer, OnlineMember } from './answers.ts';
import { OnlineCalibration } from './calibration/online-calibration.ts';
import { keptLabel, mostClasses, type OnlineClasses } from './classes.ts';
import type { OnlineColumn } from './column.ts';
import type { DriftDetector } from './drift/detector.ts';
import { createDetector, restoreDetector } from './drift/detectors.ts';
import { EncodedRows, type EncodedRowsState } from './encoded-rows.ts';
import { createRowLearners } from './follow-the-leader.ts';
import { type FromModelOptions, stateFrom } from './from-model.ts';
import { atRow, bytesOfRow, checkList, importanceOf, type LearnOptions, plainCopy } from './given.ts';
import { classesOf } from './given-classes.ts';
import { largestScore } from './largest-value.ts';
import { machinesOf } from './one-versus-rest.ts';
import { type DriftEvent, type OnlineOptions, type OnlinePlan, type OnlineRuleName, planOf } from './options.ts';
import { PrequentialMetrics, type PrequentialResult } from './prequential-metrics.ts';
import { rawExamples } from './raw-examples.ts';
import type { RowLearners } from './row-learners.ts';
import type { OnlineField, OnlineRows } from './rows.ts';
import { rowsFor, rowsOf } from './rows-of.ts';
import { type Growth, nameBytes, type OnlineSize, weightBytes } from './size.ts';
import { modelOf } from './snapshot.ts';
import { decodeOnline, encodeOnline, type FirstRow, type OnlineState } from './state-file.ts';
import { mostFirst } from './undecided-column.ts';

/** A row that was learned from, as it met the model. Valid until the classifier is called again. */
export interface LearnedRow {
  /** Fields in the order in which they came, with their cells; null for rows of numbers. */
  readonly cells: readonly OnlineColumn[] | null;
  /** The numbers of a row of numbers; null for a record. */
  readonly numbers: PlainRow | null;
  /** Number of features so far. */
  readonly dimension: number;
  /** Name of the row's class; null if there are too many classes besides the positive one. */
  readonly class: string | null;
  /** Probability that was given to the answered class; null if none was. */
  readonly confidence: number | null;
  /** Name of the detector of the option `drift`; null without it. */
  readonly detector: string | null;
}

/** Returns the row that a classifier learned from last, for watchers of streams; null since it was made or loaded. */
export let lastLearned: (classifier: OnlineClassifier) => LearnedRow | null;

/**
 * Returns a copy of a classifier that answers, learns and refuses as the classifier does, and has no figures,
 * calibration and drift detector. It shares no memory with it.
 *
 * @param admit gets the size that the copy will have, before it learns a row that nothing else refuses. If it throws,
 *   the copy is unchanged.
 */
export let bareCopy: (classifier: OnlineClassifier, admit?: (then: OnlineSize) => void) => OnlineClassifier;

/** Returns the probabilities of a row; null before enough rows were learned. @throws as `probabilities` otherwise. */
export let probabilitiesOf: (classifier: OnlineClassifier, row: RawRow) => number[] | null;

/** Returns the size of a classifier. */
export let sizeOf: (classifier: OnlineClassifier) => OnlineSize;

/**
 * Returns the state of a classifier as plain data, which shares no memory with it and may be sent to another thread.
 */
export let stateOf: (classifier: OnlineClassifier) => object;

/** Continues from the result of {@link stateOf}, which is not checked. */
export let fromState: (state: object) => OnlineClassifier;

interface LatestRow {
  readonly row: PlainRow;
  /** Position in the order in which the classes came; −1: too many. */
  readonly class: number;
  readonly scores: readonly number[];
  readonly answeredAt: number;
  /** The calibration before the row; null: none. */
  readonly calibration: Calibration | null;
}

/**
 * Learns from one raw row at a time, and answers at any moment. L is the type of the labels; predictions have it too.
 *
 * A row is a record (an object of fields by name), a list of numbers, or indices and values; the first row that is
 * learned decides between records and numbers. Fields, levels, words and classes join when they first come. The first
 * 50 values of a field decide its kind; if one of the first 50 rows shows another, all are learned again. One call
 * per row, calls of `learnMany`, and saving and loading between any of them give the same bits.
 *
 * A row that is refused with an error changes nothing.
 *
 * @example
 * const classifier = new OnlineClassifier();
 * classifier.learn({ sender: 'friend', links: 0 }, 'ham');
 * classifier.learn({ sender: 'unknown', links: 7 }, 'spam');
 * console.log(classifier.predict({ sender: 'unknown', links: 9 })); // spam
 */
export class OnlineClassifier<L extends Label = Label> {
  readonly #plan: OnlinePlan;
  readonly #classes: OnlineClasses;
  #learners: RowLearners;
  #rows: OnlineRows | null = null;
  /** All rows so far, to learn them again if fields turn out to be of other kinds; null: no longer. */
  #first: FirstRow[] | null = [];
  /** True if classes may join. */
  readonly #open: boolean;
  /** The position of the positive class of the option `positive` among the classes; −1: none. */
  readonly #positive: number = -1;
  readonly #metrics: PrequentialMetrics;
  readonly #drift: DriftDetector | null;
  /** One for each rule of the learners; null: no probabilities. */
  #calibrations: readonly OnlineCalibration[] | null;
  readonly #onDrift: ((event: DriftEvent) => void) | null;
  #examples = 0;
  #nonzeros = 0;
  /** Names of the negative and the positive class of the option `positive`; null without it. */
  #pair: readonly [string, string] | null = null;
  /** The parameter of {@link bareCopy}. */
  #admit: ((then: OnlineSize) => void) | null = null;
  readonly #raw: number[] = [];
  readonly #reading = new OneReading();
  /** Position of the class that was answered last, as {@link #outcomeOf} numbers them; −1: none. */
  #answered = -1;
  /** Position of the same class in the order of its probabilities. */
  #answeredAt = 0;
  /** The row that was learned from last, for {@link lastLearned}. */
  #latest: LatestRow | null = null;
  /** True if the one score of two classes is that of the negative class. */
  #opposite = false;
  /** The snapshot, for answers that need a model; null: rows were learned since. */
  #model: Model<L> | null = null;
  /** Positions of the features of the snapshot, as of `RowsSnapshot`. */
  #positions: readonly number[] | null = null;
  #explainer: RowExplainer | null = null;

  static {
    lastLearned = (classifier) => classifier.#lastLearned();
    probabilitiesOf = (classifier, row) => classifier.#probabilities(row);
    sizeOf = (classifier) =>
      classifier.#size(classifier.#rows?.dimension ?? 0, classifier.#rows?.bytes ?? 0, classifier.#classes.size);
    stateOf = (classifier) => classifier.#state();
    fromState = (state) => continued(new Origin((state as OnlineState).plan, state as OnlineState));
    bareCopy = (classifier, admit) => {
      const state = classifier.#state();
      const plan = { ...state.plan, calibrate: null, drift: null, window: 1 };
      const metrics = new PrequentialMetrics({ window: 1 }).state();
      const copy = continued(new Origin(plan, { ...state, plan, metrics, drift: null, calibrations: null }));
      copy.#admit = admit ?? null;
      return copy;
    };
  }

  /** @throws HalfspaceError `option-invalid`. */
  constructor(options?: OnlineOptions<L>);
  constructor(options: OnlineOptions<L> = {}, origin?: unknown) {
    const { plan, state } = origin instanceof Origin ? origin : new Origin(planOf(options));
    this.#plan = plan;
    this.#classes = classesOf(plan, state, options);
    const { positive } = plan;
    if (positive !== null) this.#positive = this.#classes.find(positive);
    this.#open = plan.classes === null && positive === null;
    const classes = positive !== null ? 2 : this.#open ? 0 : this.#classes.size;
    this.#learners = createRowLearners(plan, this.#open, classes, state?.learners);
    this.#onDrift = options.onDrift ?? null;
    this.#orient();
    if (state === undefined) {
      const { window, drift, calibrate } = plan;
      this.#metrics = new PrequentialMetrics({ window });
      this.#drift = drift === null ? null : createDetector(drift);
      this.#calibrations = calibrate === null ? null : this.#learners.rules.map(() => new OnlineCalibration(calibrate));
    } else {
      this.#metrics = PrequentialMetrics.from(state.metrics);
      this.#drift = state.drift === null ? null : restoreDetector(state.drift);
      this.#calibrations = state.calibrations?.map(OnlineCalibration.from) ?? null;
      this.#rows = state.rows === null ? null : rowsOf(this.#plan, state.rows);
      this.#first = state.first?.map(({ fields, label, importance }) => ({ fields, label, importance })) ?? null;
      this.#examples = state.examples;
      this.#nonzeros = state.nonzeros;
    }
    this.#metrics.grow(this.#pair === null ? this.#classes.size : 2);
  }

  /**
   * Continues from the result of {@link save} or {@link toJSON}. Runs no code from it and checks every number.
   *
   * @param state its text, the bytes of the text, or its parsed JSON, as a column `jsonb` of a database returns it.
   * @param options the option `onDrift`, which is not saved.
   * @throws HalfspaceError `model-invalid` for a state of another kind, truncated, edited, or with impossible numbers.
   */
  static load<L extends Label = Label>(
    state: FileContents,
    options: Pick<OnlineOptions, 'onDrift'> = {},
  ): OnlineClassifier<L> {
    checkOptionNames(options, ['onDrift'], 'OnlineClassifier.load');
    const known = decodeOnline(state);
    return continued(new Origin(known.plan, known), options);
  }

  /**
   * Goes on from a model that was trained: with its encoding, which stays as it is, its classes, its weights and its
   * rule. What a model does not have begins again: the variances of `arow`, the step sizes and the mean of `sgd`. The
   * mean of `averaged` takes the model for that of its training rows. Probabilities need the option `calibrate`.
   *
   * @param options `rule`: another rule, which goes on from the weights; `window`, `calibrate`, `drift`, `onDrift`.
   * @throws HalfspaceError `option-invalid` for a model that cannot learn row by row, with the reason: kernel models
   *   and trees, several classes that were learned together, hashed text, no bias, a rule that needs all rows.
   */
  static from<L extends Label = Label>(model: Model<L>, options: FromModelOptions = {}): OnlineClassifier<L> {
    checkOptionNames(options, ['rule', 'window', 'calibrate', 'drift', 'onDrift'], 'OnlineClassifier.from');
    const state = readable('a model', () => stateFrom(model, options), 'option-invalid');
    return continued(new Origin(state.plan, state), options);
  }

  /** Returns the text from which {@link load} continues with the same bits. */
  save(): string {
    return `${JSON.stringify(this)}\n`;
  }

  /** Returns the same state as JSON, for `JSON.stringify`, so a classifier may be a member of other JSON. */
  toJSON(): Readonly<Record<string, unknown>> {
    return encodeOnline(this.#state());
  }

  #state(): OnlineState {
    return {
      plan: this.#plan,
      classes: this.#classes.names,
      labelTypes: this.#classes.types,
      learners: this.#learners.state(),
      rows: this.#rows?.state() ?? null,
      first: this.#first,
      metrics: this.#metrics.state(),
      drift: this.#drift?.state() ?? null,
      calibrations: this.#calibrations?.map((each) => each.state()) ?? null,
      examples: this.#examples,
      nonzeros: this.#nonzeros,
    };
  }

  /** Name of the update rule. */
  get rule(): OnlineRuleName {
    return this.#plan.rule;
  }

  /** The rules that `follow-the-leader` compares; none for another rule. {@link model} is of the one that answers. */
  get members(): readonly OnlineMember[] {
    const { rules, leader, mistakes } = this.#learners;
    return mistakes.map((each, m) => ({ ...rules[m]!, mistakes: each, answers: m === leader }));
  }

  /** Name of the label's field, which is no feature. */
  get label(): string {
    return this.#plan.label;
  }

  /**
   * Fields of records so far, in the order in which they came, each with its kind; none for rows of numbers. The kind
   * is decided by the option `columns`, or after 50 values; until then further values may show another one.
   */
  get columns(): OnlineField[] {
    return this.#rows?.columns ?? [];
  }

  /** Notes on fields whose kind is decided and may not be what was meant, and on classes that look alike. */
  get notes(): readonly string[] {
    const similar = similarNote(this.classes, undefined, writeAlike);
    return [...(this.#rows?.notes ?? []), ...(similar === null ? [] : [similar])];
  }

  /** Number of rows learned from. */
  get examples(): number {
    return this.#examples;
  }

  /**
   * Names of the classes so far, in the order of scores: that of the option `classes`, else numbers by value, others by
   * code points.
   */
  get classes(): readonly string[] {
    const { names, order } = this.#classes;
    return this.#pair === null ? order.map((k) => names[k]!) : [...this.#pair];
  }

  /** The classes so far as labels of the type that was learned, in the order of {@link classes}. */
  get labels(): readonly L[] {
    const { labelType } = this.#classes;
    return this.classes.map((name) => labelValue(name, labelType) as L);
  }

  /**
   * Figures of the answers to rows before they were learned from: of all rows, and of the latest ones (`window`), with
   * the classes in the order of {@link classes}. Rows before the first class was known are not counted.
   */
  get metrics(): PrequentialResult {
    if (this.#pair !== null) return this.#metrics.result(this.#pair);
    return this.#metrics.result(this.#classes.names, this.#classes.order);
  }

  /**
   * Learns from a row.
   *
   * @returns the answer to the row before it was learned from, in new objects.
   * @throws HalfspaceError `label-missing`, `label-classes`, `row-malformed`, `number-invalid`, `index-invalid`,
   *   `option-invalid`; `weights-overflow` if the weights diverge; the classifier is then unchanged.
   */
  learn(row: RawRow, label: L, options?: LearnOptions): LearnedAnswer<L> {
    const importance = options === undefined ? 1 : importanceOf(options);
    const answer = this.#reading.run(() => this.#learn(row, label, importance));
    if (answer.drift) this.#onDrift?.({ examples: this.#examples, detector: this.#drift!.name });
    return answer;
  }

  #learn(given: RawRow, label: L, importance: number): LearnedAnswer<L> {
    const classes = this.#classes;
    let k = classes.find(label);
    if (k < 0) this.#checkNew(label);
    const [rows, row, asked] = readable('a row', () => {
      const rows = this.#rows ?? rowsFor(this.#plan, given);
      // The first rows are read several times. A copy runs no code of the user when it is read again.
      const row = this.#first === null || rows.copyOf === undefined ? given : plainCopy(given);
      return [rows, row, rows.ask(row, importance)] as const;
    });
    const scores = this.#answer(asked);
    const answered = this.#answered;
    const answer = this.#labelOf(answered);
    if (importance > 0) this.#checkScores(asked);
    if (importance === 0) return { class: answer, scores, right: null, drift: false };

    const again = this.#learnedAgain(rows, row, label, importance);
    this.#admit?.(this.#sizeWith(again === null ? rows : again.#rows!, again === null, row, k < 0 ? label : null));

    // From here on nothing can be refused.
    this.#model = null;
    this.#explainer = null;
    classes.learn(label);
    const isKnown = k >= 0;
    const calibration = this.#calibrationOf(scores.length);
    // A row of a class that was new then has no score of it.
    const probability = isKnown && answered >= 0 ? this.#calibrate(scores, this.#outcomeOf(k), importance) : null;
    if (!isKnown) k = this.#join(classes.nameOf(label));
    let learned: PlainRow;
    if (again === null) {
      this.#rows = rows;
      const dimension = rows.dimension;
      learned = rows.join();
      if (rows.dimension > dimension) this.#learners.reserve(rows.dimension);
      const isAnswered = isKnown && learned === asked && rows.dimension === dimension;
      this.#learners.learn(learned, this.#outcomeOf(k), importance, isAnswered);
      this.#nonzeros += learned.count;
    } else learned = this.#take(again);
    this.#keep(row, label, importance);
    const actual = this.#outcomeOf(k);
    this.#examples++;
    this.#latest = { row: learned, class: k, scores, answeredAt: this.#answeredAt, calibration };
    if (answered < 0) return { class: answer, scores, right: null, drift: false };
    const right = answered === actual;
    this.#metrics.add(answered, actual, importance, probability);
    return { class: answer, scores, right, drift: this.#drift?.update(right ? 0 : 1) ?? false };
  }

  /**
   * Learns from rows, in order, as {@link learn} does for each.
   *
   * @param options `importance`: one for each row.
   * @throws HalfspaceError `option-invalid` for what is no list; as {@link learn}, with the number of the row, from 1;
   *   the rows before it are learned from.
   */
  learnMany(
    rows: Iterable<RawRow>,
    labels: Iterable<L>,
    options: { readonly importance?: ArrayLike<number> | undefined } = {},
  ): LearnedAnswer<L>[] {
    checkOptionNames(options, ['importance'], 'learnMany');
    const { importance: given } = options;
    checkList(rows, 'rows');
    checkList(labels, 'labels');
    const answers: LearnedAnswer<L>[] = [];
    const each = labels[Symbol.iterator]();
    let row = 0;
    for (const fields of rows) {
      const { value, done } = each.next();
      row++;
      if (done === true)
        throw new HalfspaceError('label-missing', `expected one label for each row; got ${row - 1}`, { row });
      if (given !== undefined && given.length < row)
        throw new HalfspaceError('row-malformed', `expected one importance for each row; got ${given.length}`, { row });
      const importance = given === undefined ? 1 : given[row - 1]!;
      answers.push(atRow(row, () => this.learn(fields, value, { importance })));
    }
    if (each.next().done !== true)
      throw new HalfspaceError('label-missing', `expected one label for each row; got more than ${row}`);
    return answers;
  }

  /**
   * Learns from the rows of a source in order, as {@link learn} does for each: `csv`, `ndjson`, `rows`, `arrays`,
   * `libsvm`, or `vw` for a classifier that goes on from a model of named features. The same rows in several sources
   * give the same state as in one.
   *
   * @param options `signal` ends the learning between two rows, also while one is awaited.
   * @returns counts of the rows of this call.
   * @throws HalfspaceError `interrupted`; as {@link learn} and the reading, with the place. The rows before it are
   *   learned.
   */
  async learnFrom(
    source: Source | ExampleSource,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<LearnedRows> {
    checkOptionNames(options, ['signal'], 'learnFrom');
    checkSource(source);
    const { signal } = options;
    const counts = { rows: 0, answered: 0, right: 0 };
    const breathe = createBreathe(signal, () => `expected to learn every row; stopped after ${counts.rows}`);
    const encoding = this.#rows instanceof EncodedRows ? (this.#rows.state() as EncodedRowsState).features : null;
    await breathe();
    for await (const { row, label, importance, place } of rawExamples(source, this.label, encoding, signal)) {
      await breathe();
      try {
        const { right } = this.learn(row, label as L, { importance });
        if (importance > 0) counts.rows++;
        if (right !== null) counts.answered++;
        if (right === true) counts.right++;
      } catch (error) {
        throw error instanceof HalfspaceError ? error.at(place) : error;
      }
    }
    return counts;
  }

  /** Returns the class of a row by its scores; null before a class is known. @throws HalfspaceError as `Predictor`. */
  predict(row: RawRow): L | null {
    return this.#ask(row).class;
  }

  /** Returns the probability of each class by its name. @throws HalfspaceError as {@link probabilities}. */
  probabilitiesByClass(row: RawRow): Record<string, number> {
    return byClass(this.classes, this.probabilities(row));
  }

  /** Returns the class of each row, as {@link predict} does. @throws HalfspaceError with the number of the row. */
  predictMany(rows: Iterable<RawRow>): (L | null)[] {
    checkList(rows, 'rows');
    return Array.from(rows, (fields, i) => atRow(i + 1, () => this.predict(fields)));
  }

  /** Returns the scores of a row, with the bits of `new Predictor(classifier.model()).scores(row)`. */
  scores(row: RawRow): Float64Array {
    return Float64Array.from(this.#ask(row).scores);
  }

  /**
   * Returns the probability of each class, in the order of {@link classes}; they add up to 1.
   *
   * @throws HalfspaceError as `Predictor`; `option-invalid` without the option `calibrate`, and before enough rows were
   *   learned from: 20 of each of two classes, or 50 of more.
   */
  probabilities(row: RawRow): number[] {
    const probabilities = this.#probabilities(row);
    if (probabilities !== null) return probabilities;
    throw new HalfspaceError(
      'option-invalid',
      `expected 20 rows of each of two classes, or 50 rows of more classes, for probabilities; got ${this.#examples} rows`,
    );
  }

  #probabilities(row: RawRow): number[] | null {
    const { scores } = this.#ask(row);
    if (this.#calibrations === null)
      throw new HalfspaceError(
        'option-invalid',
        'expected the option "calibrate" for probabilities; got a classifier without',
      );
    const calibration = this.#calibrationOf(scores.length);
    return calibration === null ? null : classProbabilities([calibration], scores, 0, scores.length);
  }

  /**
   * Lists the fields of a row that no row that was learned from had, as `Predictor.unknownFields` does.
   *
   * @throws HalfspaceError `row-malformed` for a record that is none.
   */
  unknownFields(row: RawRow): string[] {
    return this.#reading.run(() => readable('a row', () => (this.#rows ?? rowsFor(this.#plan, row)).unknown(row)));
  }

  /**
   * Explains the score of a row, as `Predictor.explain` does for {@link model}, and with the same bits. After each row
   * that is learned from, the first call makes a model.
   */
  explain(row: RawRow, options?: L | RowExplanationOptions): Explanation {
    const model = this.model();
    const scores = this.scores(row);
    return this.#reading.run(() => {
      this.#explainer ??= new RowExplainer(model);
      const rows = this.#rows!;
      const features = readable('a row', () => rows.ask(row, 0));
      const predicted = classPosition(scores, 0, scores.length, tieOf(model));
      return {
        ...this.#explainer.explain(this.#placed(features), scores, predicted, options),
        unknown: readable('a row', () => rows.unknown(row)),
      };
    });
  }

  /** Returns the features of a row by their positions in the model, in rising order. */
  #placed({ indices, values, count }: PlainRow): FeatureList {
    const order = Array.from({ length: count }, (_, k) => k);
    let places: Int32Array | null = null;
    if (this.#positions !== null) {
      places = new Int32Array(this.#rows!.dimension).fill(-1);
      for (const [j, position] of this.#positions.entries()) places[position] = j;
    }
    const placeOf = (k: number) => (places === null ? indices[k]! : places[indices[k]!]!);
    const list = new FeatureList();
    for (const k of order.sort((a, b) => placeOf(a) - placeOf(b))) list.add(placeOf(k), values[k]!);
    return list;
  }

  /**
   * Returns a snapshot as an ordinary model. It shares no memory with the classifier.
   *
   * @throws HalfspaceError `label-classes` before two classes are known; `source-empty` before a row was learned from.
   */
  model(): Model<L> {
    this.#model ??= this.#snapshot() as Model<L>;
    return this.#model;
  }

  #snapshot(): Model {
    if (this.#rows === null)
      throw new HalfspaceError('source-empty', 'expected rows to make a model of; none was learned from yet');
    const label = this.#label();
    if (label.classes.length < 2)
      throw new HalfspaceError(
        'label-classes',
        `expected two classes for a model; got ${label.classes.length === 0 ? 'none' : `one, ${quoteNames(label.classes)}`}`,
      );
    const { order } = this.#classes;
    const snapshot = this.#rows.snapshot(this.#examples, label);
    this.#positions = snapshot.positions;
    const functions = this.#learners.parameters();
    const calibration = this.#calibrationOf(functions.length);
    const ordered =
      functions.length === 1
        ? [this.#opposite ? negative(functions[0]!) : functions[0]!]
        : order.map((k) => functions[k]!);
    return modelOf({
      ...this.#learners.rules[this.#learners.leader]!,
      rows: snapshot,
      classes: this.classes,
      labelType: this.#classes.labelType,
      functions: ordered,
      calibration: calibration === null ? null : [calibration],
      examples: this.#examples,
      nonzeros: this.#nonzeros,
      updates: this.#learners.updates,
      accuracy: this.#metrics.rows === 0 ? null : this.#metrics.accuracy,
    });
  }

  #label(): TableLabel {
    const { names, order, type } = this.#classes;
    const classes = order.map((k) => names[k]!);
    const positive = this.#plan.positive !== null ? names[this.#positive]! : classes.length === 2 ? classes[1]! : null;
    const negative = classes.length === 2 ? classes.find((name) => name !== positive)! : null;
    return { column: this.#plan.label, type, classes, positive, negative };
  }

  /** Answers a row that is not learned from. */
  #ask(row: RawRow): OnlineAnswer<L> {
    return this.#reading.run(() => {
      const scores = this.#answer(readable('a row', () => (this.#rows ?? rowsFor(this.#plan, row)).ask(row, 0)));
      return { class: this.#labelOf(this.#answered), scores };
    });
  }

  /** Returns the scores of a row in a new list, and sets `#answered`. */
  #answer(row: PlainRow): number[] {
    const { order } = this.#classes;
    const raw = this.#raw;
    const count = this.#learners.answerInto(row, raw);
    for (let k = 0; k < count; k++) if (raw[k]! - raw[k]! !== 0) throw beyondDoubles(raw[k]!);
    if (count === 1) {
      const score = this.#opposite ? 0 - raw[0]! : raw[0]!;
      const position = score > 0 ? 1 : 0;
      this.#answeredAt = position;
      this.#answered = this.#pair === null ? order[position]! : position;
      return [score];
    }
    if (count === 0) {
      this.#answered = order.length - 1;
      return [];
    }
    const scores: number[] = [];
    let best = 0;
    for (let p = 0; p < count; p++) {
      scores.push(raw[order[p]!]!);
      if (scores[p]! > scores[best]!) best = p;
    }
    this.#answeredAt = best;
    this.#answered = order[best]!;
    return scores;
  }

  /** Refuses to learn on if weights diverge; then they are still far from the range of doubles. */
  #checkScores(asked: PlainRow): void {
    const most = this.#learners.prepare(asked, this.#raw);
    if (most <= largestScore) return;
    throw new HalfspaceError(
      'weights-overflow',
      `expected scores of at most ${largestScore} to learn on; got ${most}: scale the data, or choose smaller steps`,
    );
  }

  /** Returns the label of an outcome, see {@link #outcomeOf}; null for −1. */
  #labelOf(outcome: number): L | null {
    if (outcome < 0) return null;
    const { labels, labelType } = this.#classes;
    return (this.#pair === null ? labels[outcome]! : labelValue(this.#pair[outcome]!, labelType)) as L;
  }

  /** Learns from scores for probabilities. Returns the probability that the row's class had before; null: none. */
  #calibrate(scores: readonly number[], actual: number, importance: number): number | null {
    if (this.#calibrations === null || scores.length === 0) return null;
    const { prepared, leader } = this.#learners;
    const probabilities = this.#calibrations.map((calibration, m) =>
      // In the order in which the classes came, so that those that join come last.
      scores.length > 1
        ? calibration.learn(prepared[m]!, actual, importance)
        : calibration.learn(
            [this.#opposite ? 0 - prepared[m]![0]! : prepared[m]![0]!],
            this.#opposite ? 1 - actual : actual,
            importance,
          ),
    );
    return probabilities[leader]!;
  }

  #lastLearned(): LearnedRow | null {
    const latest = this.#latest;
    if (latest === null) return null;
    const { row, class: k, scores, answeredAt, calibration } = latest;
    const { cells, dimension } = this.#rows!;
    return {
      cells,
      numbers: cells === null ? row : null,
      dimension,
      class: k < 0 ? null : this.#classes.names[k]!,
      confidence:
        calibration === null ? null : classProbabilities([calibration], scores, 0, scores.length)[answeredAt]!,
      detector: this.#drift?.name ?? null,
    };
  }

  /** Returns the calibration for this number of scores; null: none is fitted yet, or none was asked for. */
  #calibrationOf(scores: number): Calibration | null {
    const calibration = this.#calibrations?.[this.#learners.leader]?.calibration ?? null;
    return calibration !== null && isJoint(calibration) === scores > 1 ? calibration : null;
  }

  /** Returns the position of a class among the outcomes: itself, or 1 for the positive class and 0 for the others. */
  #outcomeOf(k: number): number {
    return this.#pair === null ? k : k === this.#positive ? 1 : 0;
  }

  /** Finds out anew which class is the positive one; call it when a class joined. */
  #orient(): void {
    const { positive, negative } = this.#label();
    if (this.#plan.positive !== null) this.#pair = [negative ?? notClass(positive!), positive!];
    this.#opposite = this.#pair === null && this.#classes.order[1] === 0;
  }

  /** Checks that a label may be that of a new class. */
  #checkNew(label: unknown): void {
    const name = this.#classes.nameOf(label);
    if (this.#plan.classes !== null)
      throw new HalfspaceError(
        'label-classes',
        `expected one of the classes ${quoteNames(this.#classes.names)}; got ${quote(name)}`,
      );
    if (this.#plan.positive === null) this.#classes.checkRoom(name);
  }

  /** Adds a class and returns its position; −1 if only the positive class matters and there are too many others. */
  #join(name: string): number {
    if (this.#plan.positive !== null && this.#classes.size === mostClasses) return -1;
    const k = this.#classes.join(name);
    if (this.#open) {
      this.#learners.join();
      this.#metrics.grow(this.#classes.size);
    }
    this.#orient();
    return k;
  }

  /**
   * Returns the size after a row.
   *
   * @param isAsked true: the row was asked of these rows, and did not join them. @param joining label of a new class.
   */
  #sizeWith(rows: OnlineRows, isAsked: boolean, row: RawRow, joining: L | null): OnlineSize {
    const growth: Growth = { features: rows.dimension, bytes: rows.bytes };
    if (isAsked) rows.growInto(growth);
    if (this.#first !== null && rows.copyOf !== undefined) growth.bytes += bytesOfRow(Object.values(row));
    if (joining !== null) growth.bytes += nameBytes(this.#classes.nameOf(joining));
    return this.#size(growth.features, growth.bytes, this.#classes.size + (joining === null ? 0 : 1));
  }

  #size(features: number, bytes: number, names: number): OnlineSize {
    const classes = this.#pair === null ? names : 2;
    // The last one reads rows.
    const learners = this.#learners.learners * (machinesOf(classes) + (this.#open ? 1 : 0)) + 1;
    const first = this.#first?.reduce((sum, { fields }) => sum + bytesOfRow(fields.map(([, value]) => value)), 0) ?? 0;
    const weights = features * learners * weightBytes;
    // The matrix of confusion may be twice as wide as needed.
    return { features, classes, bytes: bytes + this.#classes.bytes + first + weights + 8 * (2 * classes) ** 2 };
  }

  /** Keeps one of the first rows. */
  #keep(row: RawRow, label: unknown, importance: number): void {
    const kept = this.#first === null ? null : (this.#rows!.copyOf?.(row) ?? null);
    if (kept === null || this.#first!.push({ fields: kept, label: keptLabel(label), importance }) === mostFirst)
      this.#first = null;
  }

  /**
   * Returns another classifier that learned the first rows and this one, with the kinds of fields that they show
   * together; null if the row changes no kind, or if rows are no longer kept.
   */
  #learnedAgain(rows: OnlineRows, row: RawRow, label: Label, importance: number): OnlineClassifier | null {
    const held = this.#first === null ? null : (rows.revised ?? null);
    if (held === null) return null;
    const again = continued(new Origin(this.#plan));
    again.#rows = rowsOf(this.#plan, { form: 'records' }, held);
    again.#first = null;
    for (const { fields, ...first } of this.#first!)
      again.learn(Object.fromEntries(fields) as RawRow, first.label, { importance: first.importance });
    again.learn(row, label, { importance });
    again.#rows.release?.();
    return again;
  }

  /** Takes what another classifier learned from the same rows. Returns the last of them. */
  #take(again: OnlineClassifier): PlainRow {
    this.#learners = again.#learners;
    this.#rows = again.#rows;
    this.#calibrations = again.#calibrations;
    this.#nonzeros = again.#nonzeros;
    return again.#latest!.row;
  }
}

/** A checked plan, and the state of another classifier, from which one goes on. */
class Origin {
  readonly plan: OnlinePlan;
  readonly state: OnlineState | undefined;

  constructor(plan: OnlinePlan, state?: OnlineState) {
    this.plan = plan;
    this.state = state;
  }
}

/** Creates a classifier that goes on. The parameter of the constructor is no part of its public type. */
function continued<L extends Label>(
  origin: Origin,
  { onDrift }: Pick<OnlineOptions, 'onDrift'> = {},
): OnlineClassifier<L> {
  const Continued = OnlineClassifier as new (options: OnlineOptions<L>, origin: Origin) => OnlineClassifier<L>;
  return new Continued({ onDrift }, origin);
}

function negative({ weights, bias }: LinearParameters): LinearParameters {
  return { weights: weights.map((weight) => 0 - weight), bias: 0 - bias };
}
