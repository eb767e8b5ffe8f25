import type { Label } from '../data/label.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { checkOptionNames, optionNames } from '../features/option-names.ts';
import { checkSeparator } from '../features/set/separator.ts';
import { type ColumnKind, columnKinds } from '../features/table-encoding.ts';
import { readAs } from '../json.ts';
import {
  completeRuleOptions,
  definitionOf,
  followTheLeader,
  type RuleName,
  type RuleOptions,
  rules,
} from '../rules/registry.ts';
import { partsOf, type Rule, type RuleNamed } from '../rules/rule-with-options.ts';
import type { ReadAs } from '../table/kinds.ts';
import { OnlineCalibration, type OnlineCalibrationOptions } from './calibration/online-calibration.ts';
import { mostClasses, OnlineClasses } from './classes.ts';
import { createDetector, type DriftOption } from './drift/detectors.ts';
import { prequentialOptions } from './prequential-metrics.ts';

/**
 * A rule that learns row by row: `follow-the-leader`, which learns by several rules and answers by the one with the
 * fewest recent mistakes, or a single rule: all but those that look at all rows, keep mistakes or grow a tree.
 */
export type OnlineRuleName = typeof followTheLeader | SingleRuleName;
type SingleRuleName = {
  [R in RuleName]: (typeof rules)[R] extends { needsAllExamples: true } | { dual: true }
    ? never
    : (typeof rules)[R] extends { create: unknown }
      ? R
      : never;
}[RuleName];

/** The kind of a field; `set:;` also names the mark between the values of a cell. */
type OnlineKind = ColumnKind | `set:${string}`;

/** Returns how a field of this kind is read. */
export function readAsOf(given: OnlineKind): ReadAs {
  const [, separator] = /^set:(.*)$/s.exec(given) ?? [];
  return separator === undefined ? { kind: given as ColumnKind } : { kind: 'set', form: { separator } };
}

/** An alarm of the drift detector. */
export interface DriftEvent {
  /** Number of rows learned from so far, this one included. */
  readonly examples: number;
  /** Name of the detector. */
  readonly detector: string;
}

/** Options of `OnlineClassifier`. */
export interface OnlineOptions<L extends Label = Label> {
  /** The update rule: its name, or its name and its options. Default `follow-the-leader`. */
  readonly rule?: OnlineRuleName | RuleNamed<SingleRuleName> | { readonly name: typeof followTheLeader } | undefined;
  /**
   * All classes, two or more, in their order: of two, the second is positive. Other labels are refused, and learning
   * takes about half the time. Default: classes join when they first come, up to 1000, and are in the order of their
   * values or names.
   */
  readonly classes?: readonly L[] | undefined;
  /** Tells this class from all others, however many. Default: of two classes the later one by number or name. */
  readonly positive?: Label | undefined;
  /** Name of the label's field, for models; a field of this name is no feature. Default `label`. */
  readonly label?: string | undefined;
  /**
   * Kinds of fields by name; `set:;` are sets with `;` between values. `bag`: rows are bags of features, as of `bags`:
   * few of many names, and an absent one is 0.
   * Default: the first 50 values of a field decide; see docs/online.md.
   */
  readonly columns?: Readonly<Record<string, OnlineKind>> | 'bag' | undefined;
  /** `standard`: numbers and dates become (x − mean) / deviation, by the rows so far; `none`: as they are. */
  readonly scale?: 'standard' | 'none' | undefined;
  /**
   * Largest number of levels or words of a field, in [1, 2²⁴]; further ones are hashed to 4096 features. Also the
   * largest number of numbers of a row; longer rows are refused; and that of features of bags; later ones are ignored.
   * Default 2¹⁸.
   */
  readonly maxFeatures?: number | undefined;
  /** Largest number of fields, in [1, 2²⁰]; later ones are ignored. Default 4096. */
  readonly maxFields?: number | undefined;
  /** Number of the latest rows that `metrics.window` describes, in [1, 1,000,000]. Default 1000. */
  readonly window?: number | undefined;
  /**
   * True fits probabilities to the scores of the latest rows; `window` is their number, from 100 to 100,000. Default:
   * false; `window` 2000.
   */
  readonly calibrate?: boolean | OnlineCalibrationOptions | undefined;
  /** A detector of drift, by its name or its name and options. It watches the errors of the answers. Default: none. */
  readonly drift?: DriftOption | undefined;
  /** Called at each alarm, after the row was learned from. Not saved. */
  readonly onDrift?: ((event: DriftEvent) => void) | undefined;
}

const names = optionNames<OnlineOptions>()(
  'rule classes positive label columns scale maxFeatures maxFields window calibrate drift onDrift',
);

/** The options of a classifier with all defaults; plain data. */
export interface OnlinePlan {
  readonly rule: OnlineRuleName;
  readonly ruleOptions: RuleOptions;
  readonly classes: readonly string[] | null;
  readonly positive: string | null;
  readonly label: string;
  readonly columns: Readonly<Record<string, OnlineKind>> | 'bag';
  readonly scale: 'standard' | 'none';
  readonly maxFeatures: number;
  readonly maxFields: number;
  readonly window: number;
  readonly calibrate: OnlineCalibrationOptions | null;
  readonly drift: DriftOption | null;
}

/** Checks options and adds defaults. @throws HalfspaceError `option-invalid`. */
export function planOf(options: OnlineOptions): OnlinePlan {
  checkOptionNames(options, names, 'OnlineClassifier');
  const {
    rule = followTheLeader,
    classes,
    positive,
    label = 'label',
    columns = {},
    scale = 'standard',
    calibrate = false,
    drift,
    onDrift,
  } = options;
  if (classes !== undefined && (!Array.isArray(classes) || classes.length < 2 || classes.length > mostClasses))
    throw invalid(`classes must be 2 to ${mostClasses} labels; got ${quote(classes)}`);
  if (typeof label !== 'string') throw invalid(`label must be the name of a field; got ${quote(label)}`);
  if (scale !== 'standard' && scale !== 'none')
    throw invalid(`scale must be one of standard, none; got ${quote(scale)}`);
  if (columns !== 'bag' && (typeof columns !== 'object' || columns === null))
    throw invalid(`columns must be bag, or kinds by name; got ${quote(columns)}`);
  for (const [column, kind] of columns === 'bag' ? [] : Object.entries(columns))
    if (!columnKinds.includes(readAsOf(kind).kind))
      throw invalid(
        `columns must be kinds by name, each one of ${columnKinds.join(', ')}; got ${quote(kind)} for ${quote(column)}${/:(rising|falling)$/.test(kind) ? ': only train keeps a trend, with the rule logistic' : ''}`,
      );
    else if (kind.startsWith('set:'))
      readAs({ code: 'option-invalid' }, () => checkSeparator(kind.slice(4), `columns.${column}`));
  if (onDrift !== undefined && typeof onDrift !== 'function')
    throw invalid(`onDrift must be a function; got ${quote(onDrift)}`);
  return {
    ...onlineRule(rule),
    classes: classes === undefined ? null : classes.map((each) => nameOf(each, 'classes')),
    positive: positive === undefined ? null : nameOf(positive, 'positive'),
    label,
    columns: columns === 'bag' ? columns : ordered(columns),
    scale,
    maxFeatures: wholeIn('maxFeatures', options.maxFeatures ?? 2 ** 18, 2 ** 24),
    maxFields: wholeIn('maxFields', options.maxFields ?? 4096, 2 ** 20),
    window: wholeIn('window', options.window ?? prequentialOptions.window.default, prequentialOptions.window.to),
    calibrate: calibrate === false ? null : checkCalibrate(calibrate),
    drift: drift === undefined ? null : checkDrift(drift),
  };
}

/** Returns a rule that learns row by row, with all its options. @throws HalfspaceError `option-invalid`. */
export function onlineRule(rule: NonNullable<OnlineOptions['rule']>): Pick<OnlinePlan, 'rule' | 'ruleOptions'> {
  const { name: leading, ...none } = typeof rule === 'object' && rule !== null ? rule : { name: rule };
  if (leading === followTheLeader) {
    checkOptionNames(none, [], `the rule ${leading}`);
    return { rule: leading, ruleOptions: {} };
  }
  const { name, options: given } = partsOf(rule as Rule, onlineRules());
  const { create, needsAllExamples, dual, joint } = definitionOf(name);
  if (create === undefined || needsAllExamples === true || dual === true)
    throw invalid(`rule must be one of ${onlineRules().join(', ')}, which learn row by row; got ${name}`);
  const ruleOptions = completeRuleOptions(name, given);
  if (joint?.isFor(ruleOptions) === true)
    throw invalid(
      `rule must learn each class against all others, as classes may join; got ${name} with ${joint.name}, which learns all together`,
    );
  return { rule: name as OnlineRuleName, ruleOptions };
}

/** Returns the rules that learn row by row. */
export function onlineRules(): OnlineRuleName[] {
  const single = (Object.keys(rules) as RuleName[]).filter((name) => {
    const { create, needsAllExamples, dual } = definitionOf(name);
    return create !== undefined && needsAllExamples !== true && dual !== true;
  });
  return [followTheLeader, ...(single as OnlineRuleName[])];
}

function nameOf(label: Label, option: string): string {
  const as = { code: 'option-invalid', prefix: `in the option ${option}, ` } as const;
  return readAs(as, () => new OnlineClasses().nameOf(label));
}

/** Returns a copy of the option, with defaults. */
function checkCalibrate(calibrate: true | OnlineCalibrationOptions): OnlineCalibrationOptions {
  const given = calibrate === true ? {} : calibrate;
  if (typeof given !== 'object' || given === null)
    throw invalid(`calibrate must be true or { window: … }; got ${quote(given)}`);
  return { window: new OnlineCalibration(given).state().window };
}

/** Returns a copy of the option. */
function checkDrift(drift: DriftOption): DriftOption {
  createDetector(drift);
  return typeof drift === 'string' ? drift : ordered(drift);
}

/** Returns a copy with its members in the order of their names: equal options give equal bytes. */
function ordered<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1))) as T;
}

function wholeIn(name: string, value: unknown, most: number): number {
  if (!Number.isSafeInteger(value) || (value as number) < 1 || (value as number) > most)
    throw invalid(`${name} must be a whole number in [1, ${most}]; got ${quote(value)}`);
  return value as number;
}

function invalid(message: string): HalfspaceError {
  return new HalfspaceError('option-invalid', message);
}
