/** A number as people read it: so many digits that count, thousands apart, a true minus sign. */
export function numberText(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '–' : value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text =
    size >= 1e7 || size < 1e-4
      ? value.toExponential(digits - 1).replace('e+', 'e')
      : Number(value.toPrecision(digits)).toLocaleString('en', { maximumFractionDigits: 8 });
  return text.replace(/-/g, '−');
}

/** A share of 1 in per cent: `96.4 %`. */
export function percentText(share: number): string {
  const percent = 100 * share;
  return `${percent === 100 || percent === 0 ? percent : percent.toFixed(1)} %`;
}

/** `1 update`, `2 updates`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
