const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Writes a whole number as superscript: ⁻⁶ */
export function superscript(power: number): string {
  const digits = Array.from(String(Math.abs(power)), (digit) => raised[Number(digit)]).join('');
  return power < 0 ? `⁻${digits}` : digits;
}

/** Writes a whole number as subscript: ₁₂ */
export function subscript(index: number): string {
  return Array.from(String(index), (digit) => String.fromCharCode(0x2080 + Number(digit))).join('');
}

/**
 * Writes a number with a fixed count of significant digits, a true minus sign, and a power of ten where it is large
 * or small.
 */
export function numberText(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '–' : value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const sign = value < 0 ? '−' : '';
  const [mantissa, exponent] = Math.abs(value)
    .toExponential(digits - 1)
    .split('e') as [string, string];
  const power = Number(exponent);
  if (power < -3 || power > 5) return `${sign}${mantissa}·10${superscript(power)}`;
  const decimals = Math.max(0, digits - 1 - power);
  return (
    sign + Math.abs(value).toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
  );
}

/** Writes a count: 12,345. */
export function countText(count: number): string {
  if (Math.abs(count) >= 1e9) return numberText(count);
  return `${count < 0 ? '−' : ''}${Math.abs(count).toLocaleString('en', { maximumFractionDigits: 0 })}`;
}

/** Writes a count in the space of a tick: 2,500, 40k, 1.5M. */
export function tickText(count: number): string {
  const [size, unit] = Math.abs(count) >= 1e6 ? [1e6, 'M'] : Math.abs(count) >= 1e4 ? [1e3, 'k'] : [1, ''];
  if (Math.abs(count) >= 1e9) return decadeText(count);
  return `${(count / size).toLocaleString('en', { maximumFractionDigits: 2 }).replace('-', '−')}${unit}`;
}

/** Writes a tick of a logarithmic axis: 0.01, 500, 10⁶. */
export function decadeText(value: number): string {
  const power = Math.floor(Math.log10(value) + 1e-9);
  if (power >= -2 && power < 4) return value.toLocaleString('en', { maximumFractionDigits: 2 });
  const factor = Math.round(value / 10 ** power);
  return `${factor === 1 ? '' : `${factor}·`}10${superscript(power)}`;
}
