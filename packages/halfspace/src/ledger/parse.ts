import { quote } from '../errors.ts';
import { parseEncoding } from '../features/parse-encoding.ts';
import { check, checkRising, isObject, list, type Members, members, readAs, text, texts, whole } from '../json.ts';
import { checkRecordable } from '../train/ledger-recorder.ts';
import type { LedgerClosing, LedgerOpening } from '../train/ledger-sink.ts';
import { planTraining } from '../train/options.ts';
import { misfit } from './bytes.ts';
import { trainOptionsOf } from './ledger.ts';

/** Reads the opening of an untrusted ledger. @throws HalfspaceError `ledger-invalid`. */
export function parseOpening(bytes: Uint8Array): LedgerOpening {
  return readAs({ code: 'ledger-invalid' }, () => {
    const fields = parseFields(bytes);
    members(fields.variant, 'variant');
    members(fields.ruleOptions, 'ruleOptions');
    check(typeof fields.holdout === 'number', 'holdout', 'a number', fields.holdout);
    const positive = fields.positive === null ? null : text(fields.positive, 'positive');
    const opening = fields as unknown as LedgerOpening;
    const { marginGap: _, ...plan } = planTraining(trainOptionsOf({ opening }));
    checkRecordable(plan.variant.rule);
    return { ...plan, positive };
  });
}

/** Reads the closing of an untrusted ledger. @throws HalfspaceError `ledger-invalid`. */
export function parseClosing(bytes: Uint8Array): LedgerClosing {
  return readAs({ code: 'ledger-invalid' }, () => {
    const fields = parseFields(bytes);
    const rows = whole(fields.rows, 'rows');
    text(fields.digest, 'digest');
    if (fields.leftOut !== undefined)
      checkRising(wholeNumbers(fields.leftOut, 'leftOut', rows - 1), 'leftOut', (a, b) => a - b);
    if (fields.heldOut !== undefined)
      checkRising(wholeNumbers(fields.heldOut, 'heldOut', rows - 1), 'heldOut', (a, b) => a - b);
    const classes = texts(fields.classes, 'classes');
    check(classes.length >= 2, 'classes', 'two names or more', classes);
    const { length } = wholeNumbers(fields.classExamples, 'classExamples');
    check(length === classes.length, 'classExamples', 'a whole number for each class', length);
    whole(fields.updates, 'updates');
    wholeNumbers(fields.updatesPerPass, 'updatesPerPass');
    text(fields.stop, 'stop');
    check(typeof fields.progressive === 'object', 'progressive', 'an object or null', fields.progressive);
    return { ...(fields as unknown as LedgerClosing), features: parseEncoding(fields.features) };
  });
}

function wholeNumbers(value: unknown, path: string, most?: number): number[] {
  return list(value, path).map((each) => whole(each, path, 0, most));
}

function parseFields(bytes: Uint8Array): Members {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw misfit('JSON', 'other text');
  }
  if (!isObject(value)) throw misfit('an object', quote(value));
  return value;
}
