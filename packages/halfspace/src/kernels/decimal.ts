/** Bytes that become text in one call. */
const most = 4096;

/** The nearest double of the decimal number in bytes [from, to): what kernels use where one operation is not exact. */
export function parseDecimal(bytes: Uint8Array, from: number, to: number): number {
  let text = '';
  for (let at = from; at < to; at += most)
    text += String.fromCharCode.apply(null, bytes.subarray(at, Math.min(to, at + most)) as unknown as number[]);
  return Number(text);
}
