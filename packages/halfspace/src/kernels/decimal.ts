/** The nearest double of the decimal number in bytes [from, to): what kernels use where one operation is not exact. */
export function parseDecimal(bytes: Uint8Array, from: number, to: number): number {
  let text = '';
  for (let i = from; i < to; i++) text += String.fromCharCode(bytes[i]!);
  return Number(text);
}
