import type { Plugin } from 'vite';
import { headOf, readTour } from './scripts/compile-tour.ts';

/** Tours as modules: `import tour from './lecture-9.md'`, and `'./lecture-9.md?head'` for what a list shows of it. */
export function tours(): Plugin {
  return {
    name: 'halfspace-tours',
    enforce: 'pre',
    load(id) {
      const [file, query] = id.split('?') as [string, string?];
      if (!/[\\/]tours[\\/](?:lectures[\\/])?[\w-]+\.md$/.test(file) || (query !== undefined && query !== 'head'))
        return null;
      this.addWatchFile(file);
      const tour = readTour(file);
      return { code: `export default ${JSON.stringify(query === 'head' ? headOf(tour) : tour)};`, map: null };
    },
  };
}
