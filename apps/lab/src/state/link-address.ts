/** Whether a page's hash is a link that brings a state back, whole or not; link.ts, which reads it, is loaded only then. */
export function isLink(hash: string): boolean {
  return hash.startsWith('#lab=');
}
