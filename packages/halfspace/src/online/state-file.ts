import type { Label } from '../data/label.ts';
import { quote } from '../errors.ts';
import { storedFormats } from '../features/date/format-names.ts';
import { parseNotation } from '../features/number/parse-notation.ts';
import { parseEncoding } from '../features/parse-encoding.ts';
import { listItems } from '../features/set/list.ts';
import { checkSeparator } from '../features/set/separator.ts';
import { cellText } from '../features/table-cell.ts';
import { type CellForm, type ColumnKind, columnKinds, compareCodePoints } from '../features/table-encoding.ts';
import {
  check,
  checkDistinct,
  checkRising,
  flag,
  list,
  type Members,
  members,
  number,
  oneOf,
  positive,
  readAs,
  text,
  texts,
  unfit,
  whole,
} from '../json.ts';
import * as layout from '../kernels/layout.ts';
import { digestOf } from '../model/digest.ts';
import { type FileContents, openFile } from '../model/file-contents.ts';
import type { LinearLearnerState } from '../rules/learner.ts';
import { decodeValue, encodeValue } from '../rules/learner-file.ts';
import { checkDoubles } from '../rules/learner-state.ts';
import { checkLearnerState, followTheLeader, type RuleOptions } from '../rules/registry.ts';
import { OnlineCalibration } from './calibration/online-calibration.ts';
import { type LabelTypesState, mostClasses, OnlineClasses } from './classes.ts';
import { restoreDetector } from './drift/detectors.ts';
import { EncodedRows } from './encoded-rows.ts';
import { learningRulesOf } from './follow-the-leader.ts';
import { levelsOf } from './measured-column.ts';
import { machinesOf } from './one-versus-rest.ts';
import { type OnlineOptions, type OnlinePlan, planOf } from './options.ts';
import { otherBits } from './positions.ts';
import { PrequentialMetrics, type PrequentialState } from './prequential-metrics.ts';
import type { RowLearnersState } from './row-learners.ts';
import type { RowsState } from './rows.ts';
import { isSilent, mostFirst } from './undecided-column.ts';

/** Everything that a classifier needs to continue with the same bits; plain data. */
export interface OnlineState {
  readonly plan: OnlinePlan;
  /** In the order in which they came. */
  readonly classes: readonly string[];
  readonly labelTypes: LabelTypesState;
  readonly learners: RowLearnersState;
  readonly rows: RowsState | null;
  /** All rows so far, in order; null: more came, or they cannot be learned again. */
  readonly first: readonly FirstRow[] | null;
  readonly examples: number;
  readonly nonzeros: number;
  readonly metrics: PrequentialState;
  /** State of the drift detector; null: none. */
  readonly drift: object | null;
  /** States of the calibrations, one for each rule that learns; null: none. */
  readonly calibrations: readonly object[] | null;
}

/** A row that may be learned again. */
export interface FirstRow {
  /** Name and value of each field, in the order of the row. */
  readonly fields: readonly (readonly [name: string, value: unknown])[];
  readonly label: Label;
  readonly importance: number;
}

const format = 'halfspace-online';
const version = 2;

/** Returns a state as JSON, with a digest that detects changes. */
export function encodeOnline(state: OnlineState): Readonly<Record<string, unknown>> {
  const body = { format, version, state: encodeValue(state) };
  return { ...body, digest: digestOf(body) };
}

/**
 * Reads the result of {@link encodeOnline}. Checks everything, so the file may be untrusted: the classifier will work,
 * but its weights may be anything. Memory follows the length of the file.
 *
 * @throws HalfspaceError `model-invalid`.
 */
export function decodeOnline(file: FileContents): OnlineState {
  const writer = 'OnlineClassifier.save';
  const { state } = openFile(file, { name: 'state of a classifier', format, version, writer });
  return readAs({ code: 'model-invalid', prefix: 'in the state of a classifier, ' }, () =>
    checkState(decodeValue(state)),
  );
}

function checkState(value: unknown): OnlineState {
  const from = members(value, 'state', stateMembers);
  const plan = checkPlan(from.plan);
  const classes = checkClasses(from.classes, plan);
  checkLabelTypes(from.labelTypes);
  const examples = whole(from.examples, 'examples');
  const dimension = checkRows(from.rows, plan, examples);
  if (from.first !== null) checkFirstRows(from.first, plan, examples, classes);
  checkLearners(from.learners, plan, classes.length, dimension);
  whole(from.nonzeros, 'nonzeros');
  const { rows, classes: counted, window } = PrequentialMetrics.from(from.metrics).state();
  check(rows <= examples && window === plan.window, 'metrics', `those of ${examples} rows`, rows);
  const outcomes = plan.positive === null ? classes.length : 2;
  check(counted === outcomes, 'metrics.classes', `${outcomes}`, counted);
  check((from.drift === null) === (plan.drift === null), 'drift', 'that of the option', from.drift);
  if (plan.calibrate === null) check(from.calibrations === null, 'calibrations', 'null', from.calibrations);
  else {
    const calibrations = list(from.calibrations, 'calibrations');
    const { answers } = learningRulesOf(plan);
    check(calibrations.length === answers, 'calibrations', `${answers}`, calibrations.length);
    for (const each of calibrations) {
      const fitted = OnlineCalibration.from(each).state();
      check(fitted.window === plan.calibrate.window, 'calibration.window', `${plan.calibrate.window}`, fitted.window);
    }
  }
  if (from.drift !== null) {
    const { name } = restoreDetector(from.drift);
    check(
      name === (typeof plan.drift === 'string' ? plan.drift : plan.drift?.name),
      'drift.name',
      'that of the option',
      name,
    );
  }
  return { ...(from as unknown as OnlineState), plan, classes };
}

const stateMembers = [
  ...['plan', 'classes', 'labelTypes', 'learners', 'rows', 'first', 'examples', 'nonzeros'],
  ...['metrics', 'drift', 'calibrations'],
];
const planMembers = [
  ...['rule', 'ruleOptions', 'classes', 'positive', 'label', 'columns', 'scale'],
  ...['maxFeatures', 'maxFields', 'window', 'calibrate', 'drift'],
];

function checkPlan(value: unknown): OnlinePlan {
  const { rule, ruleOptions, classes, positive, calibrate, drift, ...rest } = members(value, 'plan', planMembers);
  const options = {
    ...rest,
    rule: { ...members(ruleOptions, 'ruleOptions'), name: text(rule, 'rule') },
    classes: classes === null ? undefined : texts(classes, 'classes'),
    positive: positive === null ? undefined : text(positive, 'positive'),
    calibrate: calibrate === null ? undefined : calibrate,
    drift: drift === null ? undefined : drift,
  };
  const plan = planOf(options as unknown as OnlineOptions);
  const stored = ruleOptions as RuleOptions;
  const names = Object.keys(plan.ruleOptions);
  const same =
    names.length === Object.keys(stored).length && names.every((name) => plan.ruleOptions[name] === stored[name]);
  check(same, 'ruleOptions', `all options of ${plan.rule}`, stored);
  return plan;
}

function checkClasses(value: unknown, { classes, positive }: OnlinePlan): readonly string[] {
  const names = texts(value, 'classes', mostClasses);
  for (const name of names) if (cellText(name) !== name) throw unfit('classes', 'names of classes', name);
  checkDistinct(names, 'classes', 'each name once');
  if (positive !== null && !names.includes(positive)) throw unfit('classes', `names with ${quote(positive)}`, names);
  if (classes === null) return names;
  const same = names.length === classes.length && classes.every((name, k) => names[k] === name);
  check(same, 'classes', `those of the option, ${classes.join(', ')}`, names);
  return names;
}

function checkLabelTypes(value: unknown): void {
  const types = ['bigint', 'boolean', 'number', 'string'] as const;
  const { given, learned } = members(value, 'labelTypes', ['given', 'learned']);
  for (const seen of [given, learned]) {
    const names = texts(seen, 'labelTypes', types.length);
    for (const name of names) oneOf(name, 'labelTypes', types);
    checkRising(names, 'labelTypes', compareCodePoints);
  }
}

function checkFirstRows(value: unknown, plan: OnlinePlan, examples: number, classes: readonly string[]): void {
  const rows = list(value, 'first', mostFirst - 1);
  check(rows.length === examples, 'first', `${examples} rows`, rows.length);
  const given = plan.classes ?? (plan.positive === null ? [] : [plan.positive]);
  const own = new OnlineClasses(plan.classes !== null, given);
  for (const each of rows) {
    const { fields, label, importance } = members(each, 'first', ['fields', 'label', 'importance']);
    for (const field of list(fields, 'first.fields')) {
      const pair = list(field, 'first.fields', 2);
      text(pair[0], 'first.fields');
    }
    if (own.find(label) < 0) own.join(own.nameOf(label));
    checkImportance(importance, 'first.importance');
  }
  const same = own.size === classes.length && own.names.every((name, k) => classes[k] === name);
  check(same, 'first', `rows of the classes ${classes.join(', ')}`, own.names.join(', '));
}

function checkImportance(value: unknown, path: string): void {
  check(positive(value, path) < 2 ** 53, path, 'below 2⁵³', value);
}

/** Checks the rows and returns the number of features. */
function checkRows(value: unknown, plan: OnlinePlan, examples: number): number {
  if (value === null) {
    check(examples === 0, 'rows', 'there', value);
    return 0;
  }
  check(examples > 0, 'examples', 'above 0', examples);
  const form = oneOf(members(value, 'rows').form, 'rows.form', ['records', 'numbers', 'bags', 'encoded'] as const);
  if (form === 'encoded') {
    const { features } = members(value, 'rows', ['form', 'features']);
    return new EncodedRows({ form, features: parseEncoding(features) }).dimension;
  }
  if (form === 'numbers') {
    const from = members(value, 'rows', ['form', 'dimension', 'zero']);
    flag(from.zero, 'rows.zero');
    return whole(from.dimension, 'rows.dimension', 0, plan.maxFeatures);
  }
  check((form === 'bags') === (plan.columns === 'bag'), 'rows.form', 'that of the option', form);
  if (form === 'bags') {
    const names = texts(members(value, 'rows', ['form', 'names']).names, 'rows.names', plan.maxFeatures);
    checkDistinct(names, 'rows.names', 'each name once');
    return names.length;
  }
  const from = members(value, 'rows', ['form', 'dimension', 'columns', 'notes']);
  texts(from.notes, 'rows.notes');
  const columns = list(from.columns, 'rows.columns', plan.maxFields);
  const positions: number[] = [];
  const names = columns.map((column) => checkColumn(column, plan, examples, positions));
  checkDistinct([plan.label, ...names], 'rows.columns', 'each name once, and not that of the label');
  // Features of a kind that a field had before it was decided are left behind.
  const dimension = whole(from.dimension, 'rows.dimension', positions.length);
  for (const position of positions) whole(position, 'positions', 0, dimension - 1);
  check(new Set(positions).size === positions.length, 'positions', 'no feature twice', positions.length);
  return dimension;
}

/** Checks a column, adds the positions of its features to a list, and returns its name. */
function checkColumn(value: unknown, plan: OnlinePlan, examples: number, positions: number[]): string {
  const kind = oneOf(members(value, 'column').kind, 'column.kind', columnKinds);
  const own =
    kind === 'category' || kind === 'set'
      ? ['levels', 'positions', 'others', ...(kind === 'set' ? ['separator'] : [])]
      : kind === 'text'
        ? ['terms', 'positions', 'frequencies', 'others', 'otherFrequencies']
        : ['form', 'position', 'weight', 'mean', 'squares'];
  const from = members(value, 'column', ['first', 'kind', 'name', 'indicator', 'present', ...own]);
  const present = whole(from.present, 'present', 1, examples);
  if (from.first !== null) checkFirstValues(from.first, present, examples);
  if (kind === 'category' || kind === 'set') {
    if (kind === 'set' && from.separator !== null) checkSeparator(from.separator, 'separator');
    const count = checkWords(from.levels, 'levels', plan);
    addPositions(from.positions, count, positions);
    addOthers(from.others, count, plan, positions);
  } else if (kind === 'text') {
    const count = checkWords(from.terms, 'terms', plan);
    addPositions(from.positions, count, positions);
    const others = addOthers(from.others, count, plan, positions);
    const shared = wholes(from.otherFrequencies, 'otherFrequencies', others);
    check(
      shared.every((each) => each <= present),
      'otherFrequencies',
      `numbers up to ${present}`,
      'others',
    );
    const frequencies = wholes(from.frequencies, 'frequencies', count);
    check(
      frequencies.every((each) => each >= 1 && each <= present),
      'frequencies',
      `numbers in [1, ${present}]`,
      'others',
    );
  } else {
    const levels = from.form === null ? 0 : levelsOf(checkForm(kind, from.form));
    checkMoments(from, levels, positions);
  }
  if (from.indicator !== -1) positions.push(whole(from.indicator, 'indicator'));
  return text(from.name, 'name');
}

function checkFirstValues(value: unknown, present: number, examples: number): void {
  const values = list(value, 'column.first', mostFirst - 1);
  whole(values.length, 'column.first', present, examples);
  for (const each of values) {
    const { value: cell, importance } = members(each, 'column.first', ['value', 'importance']);
    const isValue = typeof cell !== 'object' || cell instanceof Date || listItems(cell) !== null;
    check(!isSilent(cell) && isValue, 'column.first', 'values', cell);
    checkImportance(importance, 'column.first.importance');
  }
}

/** Checks the form in which numbers or dates are written. */
function checkForm(kind: ColumnKind, form: unknown): CellForm {
  if (kind === 'date') return oneOf(form, 'column.form', storedFormats);
  if (kind === 'number') return parseNotation(form, 'column.form');
  throw unfit('column.form', 'null', form);
}

function checkMoments(from: Members, levels: number, positions: number[]): void {
  const position = whole(from.position, 'position');
  for (let k = 0; k <= levels; k++) positions.push(position + k);
  positive(from.weight, 'weight');
  number(from.mean, 'mean');
  number(from.squares, 'squares', 0);
}

/** Checks levels or terms, and returns their number. */
function checkWords(value: unknown, path: string, { maxFeatures }: OnlinePlan): number {
  const words = texts(value, path, maxFeatures);
  const least = path === 'levels' ? 0 : 1;
  check(words.length >= least && !words.includes(''), path, 'names', words.length === 0 ? 'none' : 'an empty one');
  if (path === 'levels') for (const word of words) if (word.trim() !== word) throw unfit(path, 'names of levels', word);
  checkDistinct(words, path, 'each name once');
  return words.length;
}

function addPositions(value: unknown, count: number, positions: number[]): void {
  for (const position of wholes(value, 'positions', count)) positions.push(position);
}

/** Checks the features of levels or terms beyond the bound, and returns their number. */
function addOthers(value: unknown, count: number, { maxFeatures }: OnlinePlan, positions: number[]): number {
  if (value === -1) return 0;
  const first = whole(value, 'others', 0, 2 ** 32);
  check(count === maxFeatures, 'others', '−1 below the bound', value);
  for (let k = 0; k < 2 ** otherBits; k++) positions.push(first + k);
  return 2 ** otherBits;
}

function wholes(value: unknown, path: string, count: number): Uint32Array {
  if (!(value instanceof Uint32Array) || value.length !== count) throw unfit(path, `${count} whole numbers`, 'others');
  return value;
}

function checkLearners(value: unknown, plan: OnlinePlan, classes: number, dimension: number): void {
  const { rules, answers } = learningRulesOf(plan);
  if (plan.rule !== followTheLeader) {
    checkMachines(value, plan, rules[0]!.rule, classes, dimension);
    return;
  }
  const from = members(value, 'learners', ['learners', 'mistakes', 'drift']);
  const learners = list(from.learners, 'learners.learners', rules.length);
  check(learners.length === rules.length, 'learners.learners', `${rules.length} rules`, learners.length);
  rules.forEach(({ rule }, l) => {
    checkMachines(learners[l], plan, rule, classes, dimension);
  });
  for (const mistakes of checkDoubles(from.mistakes, 'learners.mistakes', answers)) number(mistakes, 'mistakes', 0);
  const { name } = restoreDetector(from.drift);
  check(name === 'adwin', 'learners.drift', 'adwin', name);
}

/** Checks the learners of one rule. */
function checkMachines(value: unknown, plan: OnlinePlan, name: string, classes: number, dimension: number): void {
  const from = members(value, 'learners', ['machines', 'nobody', 'classes']);
  const open = plan.classes === null && plan.positive === null;
  const count = plan.positive === null ? classes : 2;
  check(from.classes === count, 'learners.classes', `${count}`, from.classes);
  const machines = list(from.machines, 'learners.machines');
  check(machines.length === machinesOf(count), 'learners.machines', `${machinesOf(count)} learners`, machines.length);
  check((from.nobody !== null) === open, 'learners.nobody', open ? 'a learner' : 'null', from.nobody);
  for (const machine of open ? [...machines, from.nobody] : machines) {
    const { rule, weights, scalars } = checkLearnerState(machine) as LinearLearnerState;
    check(rule === name, 'learners', `learners by the rule ${name}`, rule);
    check(weights?.length === dimension, 'learners', `${dimension} weights`, weights?.length);
    const constant = scalars[layout.biasConstant] === 1 && scalars[layout.tie] === -1;
    check(constant, 'learners', 'the constant feature 1 and the class −1 of score 0', 'others');
  }
}
