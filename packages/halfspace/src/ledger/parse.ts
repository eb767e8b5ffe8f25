import { HalfspaceError, quote } from '../errors.ts';
import { decodeFeatures } from '../model/decode.ts';
import type { LedgerClosing, LedgerOpening } from '../train/ledger-sink.ts';
import { planTraining } from '../train/options.ts';
import { checkRecordable } from '../train/recording.ts';
import { trainOptionsOf } from './ledger.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a run is about to do, from anyone. @throws HalfspaceError `ledger-invalid`. */
export function parseOpening(bytes: Uint8Array): LedgerOpening {
  const fields = object(bytes);
  if (typeof fields.variant !== 'object' || fields.variant === null)
    throw unfit('variant', 'an object', fields.variant);
  if (typeof fields.ruleOptions !== 'object' || fields.ruleOptions === null)
    throw unfit('ruleOptions', 'an object', fields.ruleOptions);
  check(typeof fields.holdout === 'number', 'holdout', 'a number', fields.holdout);
  const { positive } = fields;
  check(positive === null || typeof positive === 'string', 'positive', 'a class or null', positive);
  const opening = fields as unknown as LedgerOpening;
  try {
    const { as, variant, ruleOptions, multiclass, classWeights, patience, seed, holdout } = planTraining(
      trainOptionsOf({ opening }),
    );
    checkRecordable(variant.rule);
    return {
      as,
      variant,
      ruleOptions,
      multiclass,
      classWeights,
      patience,
      seed,
      holdout,
      positive: positive as string | null,
    };
  } catch (error) {
    if (error instanceof HalfspaceError) throw new HalfspaceError('ledger-invalid', error.message);
    throw error;
  }
}

/** What a run did, from anyone. @throws HalfspaceError `ledger-invalid`. */
export function parseClosing(bytes: Uint8Array): LedgerClosing {
  const fields = object(bytes);
  const { rows, digest, leftOut = [], classes, classExamples, updates, updatesPerPass, stop, progressive } = fields;
  check(isCount(rows), 'rows', 'a whole number from 0', rows);
  check(typeof digest === 'string', 'digest', 'text', digest);
  const rising =
    isCounts(leftOut) && leftOut.every((row, k) => row < (rows as number) && (k === 0 || row > leftOut[k - 1]!));
  check(rising, 'leftOut', 'rising numbers of rows', leftOut);
  const names = Array.isArray(classes) && classes.length >= 2 && classes.every((name) => typeof name === 'string');
  check(names, 'classes', 'two names or more', classes);
  const counts = isCounts(classExamples) && classExamples.length === (classes as unknown[]).length;
  check(counts, 'classExamples', 'a whole number for each class', classExamples);
  check(isCount(updates), 'updates', 'a whole number from 0', updates);
  check(isCounts(updatesPerPass), 'updatesPerPass', 'whole numbers from 0', updatesPerPass);
  check(typeof stop === 'string', 'stop', 'text', stop);
  check(typeof progressive === 'object', 'progressive', 'an object or null', progressive);
  try {
    return { ...(fields as unknown as LedgerClosing), features: decodeFeatures(fields.features) };
  } catch (error) {
    if (error instanceof HalfspaceError) throw new HalfspaceError('ledger-invalid', error.message);
    throw error;
  }
}

function object(bytes: Uint8Array): Fields {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new HalfspaceError('ledger-invalid', 'expected JSON; got other text');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new HalfspaceError('ledger-invalid', `expected an object; got ${quote(value)}`);
  return value as Fields;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(isCount);
}

function check(fits: boolean, name: string, expected: string, got: unknown): void {
  if (!fits) throw unfit(name, expected, got);
}

function unfit(name: string, expected: string, got: unknown): HalfspaceError {
  return new HalfspaceError('ledger-invalid', `${name} must be ${expected}; got ${quote(got)}`);
}
