import { check, maybe, only, shape, text } from '../../json.ts';
import type { NumberNotation } from '../table-encoding.ts';
import { isUnit } from './notation.ts';

const notationShape = shape({
  decimal: only('.', ','),
  group: maybe(only('.', ',', ' ', "'")),
  unit: maybe((value, path) => {
    const unit = text(value, path);
    check(isUnit(unit), path, 'a unit such as $ or %', unit);
    return unit;
  }),
});

/** Checks the notation of a column's numbers. @throws HalfspaceError `model-invalid`. */
export function parseNotation(value: unknown, path: string): NumberNotation {
  const notation = notationShape(value, path);
  check(notation.group !== notation.decimal, `${path}.group`, 'another mark than the decimal one', notation.group);
  return notation;
}
