/**
 * Makes an input smaller while `stillFails` holds: removes parts, halves first, then smaller parts (Zeller &
 * Hildebrandt, "Simplifying and isolating failure-inducing input", 2002, without the complements).
 */
export async function minimise(
  input: Uint8Array,
  stillFails: (bytes: Uint8Array) => Promise<boolean>,
  mostTries = 400,
): Promise<Uint8Array> {
  let bytes = input;
  let tries = 0;
  for (let size = bytes.length >> 1; size >= 1 && tries < mostTries; size >>= 1)
    for (let at = 0; at < bytes.length && tries < mostTries; ) {
      const behind = bytes.subarray(Math.min(at + size, bytes.length));
      const shorter = new Uint8Array(at + behind.length);
      shorter.set(bytes.subarray(0, at));
      shorter.set(behind, at);
      tries++;
      if (await stillFails(shorter)) bytes = shorter;
      else at += size;
    }
  return bytes;
}
