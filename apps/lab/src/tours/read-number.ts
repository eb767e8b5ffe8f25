/** Signs between groups of three digits that nobody uses for decimals: spaces and apostrophes. */
const spaced = /(?<=\d)[ \u00a0\u2009\u202f'’](?=\d{3}(?!\d))/g;

/**
 * Reads a number or a fraction as people type it. Returns NaN for anything else.
 *
 * A point is a decimal point, as everywhere on the page. One comma with three digits after it, as in `1,234`, stands
 * between groups of digits, as the page writes 1234. All other signs have one reading: `0,5`, `1.234,5`, `1,234.5`,
 * `1’234` and `−3`.
 */
export function readNumber(text: string): number {
  const parts = text
    .trim()
    .replace(/[−–]/g, '-')
    .split(/\s*\/\s*/);
  if (parts.length > 2) return Number.NaN;
  const [above, below = 1] = parts.map(readDecimal);
  const value = above! / below;
  return Number.isFinite(value) ? value : Number.NaN;
}

function readDecimal(text: string): number {
  const [, sign, written] = /^([-+]?)\s*(.*)$/.exec(text)!;
  const plain = plainDecimal(written!.replace(spaced, ''));
  return /^(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(plain) ? Number(`${sign}${plain}`) : Number.NaN;
}

/** Returns digits with one decimal point at most, where they are grouped well; other text as it is. */
function plainDecimal(text: string): string {
  const whole = String.raw`[1-9]\d{0,2}`;
  const pointed = new RegExp(`^${whole}(?:,\\d{3})+(?:\\.\\d*)?$`);
  const comma = new RegExp(`^${whole}(?:\\.\\d{3})+,\\d*$|^${whole}(?:\\.\\d{3}){2,}$`);
  if (pointed.test(text)) return text.replaceAll(',', '');
  if (comma.test(text)) return text.replaceAll('.', '').replace(',', '.');
  return text.replace(',', '.');
}
