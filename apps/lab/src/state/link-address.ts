/**
 * Whether a hash is a link to a saved state, damaged or not. It has a file of its own because `link.ts`, which
 * decodes links, is loaded only when there is one.
 */
export function isLink(hash: string): boolean {
  return hash.startsWith('#lab=');
}
