import { type Check, maybe, only, shape, text } from '../../json.ts';
import { levelMembers } from '../parse-table-encoding.ts';
import type { SetColumn } from '../table-encoding.ts';
import { checkSeparator } from './separator.ts';

/** Reads a column of sets of an encoding from JSON. @throws HalfspaceError `model-invalid`. */
export const parseSetColumn: Check<SetColumn> = shape({
  kind: only('set'),
  name: text,
  separator: maybe(checkSeparator),
  ...levelMembers,
});
