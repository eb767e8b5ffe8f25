/** Media types by endings of paths. */
export const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.csv': 'text/csv; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/** Endings of files that are compressed already. */
const compressed: readonly string[] = ['.woff2', '.png'];

/** Tests if files of an ending become smaller by compression. */
export function isCompressible(ending: string): boolean {
  return !compressed.includes(ending) && ending in contentTypes;
}
