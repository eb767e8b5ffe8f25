/** Maximum number of bytes decoded to text in one call. */
const most = 4096;

/** Returns the double nearest to the decimal number in bytes [from, to), if kernels cannot compute it exactly. */
export function parseDecimal(bytes: Uint8Array, from: number, to: number): number {
  let text = '';
  for (let at = from; at < to; at += most)
    text += String.fromCharCode.apply(null, bytes.subarray(at, Math.min(to, at + most)) as unknown as number[]);
  return Number(text);
}
