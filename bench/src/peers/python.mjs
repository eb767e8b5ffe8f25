import { output } from '../run/process.mjs';

/**
 * The interpreter itself: version managers put a shell script in its place, whose start-up would be charged to the
 * peers.
 *
 * @param {string} name
 * @returns {string | null}
 */
export function findPython(name) {
  return output([name, '-c', 'import sys; print(sys.executable)'])?.trim() ?? null;
}
