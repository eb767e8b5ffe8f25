import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';
import { compileTour, headOf } from './scripts/compile-tour.ts';

/** Tours as modules: `import tour from './lecture-9.md'`, and `'./lecture-9.md?head'` for what a list shows of it. */
export function tours(): Plugin {
  return {
    name: 'halfspace-tours',
    enforce: 'pre',
    async load(id) {
      const [file, query] = id.split('?') as [string, string?];
      if (!/[\\/]tours[\\/][\w-]+\.md$/.test(file) || (query !== undefined && query !== 'head')) return null;
      this.addWatchFile(file);
      const tour = compileTour(path.basename(file, '.md'), await readFile(file, 'utf8'));
      return { code: `export default ${JSON.stringify(query === 'head' ? headOf(tour) : tour)};`, map: null };
    },
  };
}
