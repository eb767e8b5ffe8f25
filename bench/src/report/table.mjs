/**
 * A Markdown table; columns of numbers are set to the right.
 *
 * @param {string[]} header
 * @param {string[][]} rows
 */
export function table(header, rows) {
  const rule = header.map((_, j) =>
    rows.some((row) => row[j] !== '') && !rows.some((row) => /[a-z]/i.test(row[j])) ? '--:' : '---',
  );
  return [header, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** @param {import('../run/statistics.mjs').Spread | null} spread */
export function range(spread, digits) {
  if (spread === null) return '';
  const { min, median, max } = spread;
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

/** @param {number | null | undefined} value */
export function number(value, digits) {
  return value === null || value === undefined ? '' : value.toFixed(digits);
}
