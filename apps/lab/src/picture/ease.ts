/** Returns the share of a motion that begins and ends slowly, at a share of its time; shares outside [0, 1] are cut. */
export function eased(share: number): number {
  const t = Math.max(0, Math.min(1, share));
  return t * t * (3 - 2 * t);
}
