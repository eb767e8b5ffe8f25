import { check, text } from '../../json.ts';

/** Longest mark between values. */
const longestSeparator = 8;

/** Checks the mark between the values of a set. @throws HalfspaceError `model-invalid`. */
export function checkSeparator(value: unknown, path: string): string {
  const separator = text(value, path);
  check(
    separator.length >= 1 && separator.length <= longestSeparator && !/[\p{L}\p{N}"[\]{}]/u.test(separator),
    path,
    `a mark of 1 to ${longestSeparator} characters without letters, digits, quotes and brackets`,
    value,
  );
  return separator;
}
