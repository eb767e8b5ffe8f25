/**
 * Tests if a hash is a link to a saved state, damaged or not. It is separate from `link.ts`, which decodes links and
 * is loaded only when there is one.
 */
export function isLink(hash: string): boolean {
  return hash.startsWith('#lab=');
}
