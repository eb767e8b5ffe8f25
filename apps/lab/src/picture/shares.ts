/** Writes a share in [0, 1] in per cent: `96.4 %`. */
export function percentText(share: number): string {
  const percent = 100 * share;
  return `${percent === 100 || percent === 0 ? percent : percent.toFixed(1)} %`;
}

/** `1 update`, `2 updates`. */
export function amountText(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
