/** Returns the feature of a level that is not listed, see {@link OtherLevels}, from 0. */
export function hashedLevel(level: string, bits: number): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < level.length; i++) h = Math.imul(h ^ level.charCodeAt(i), 0x01000193);
  return h & (2 ** bits - 1);
}
