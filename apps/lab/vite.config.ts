import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin, runnerImport } from 'vite';
import { headOf, readTour } from './scripts/compile-tour.ts';
import { fonts } from './vite-fonts.ts';
import { formulas } from './vite-formulas.ts';
import { licences } from './vite-licences.ts';
import { sharePicture } from './vite-share-picture.ts';

/**
 * Writes `sw.js`, a service worker that keeps every file of the build, so that the page opens without a network after the first visit. Files
 * with their content in their names come from what is kept; the page itself from the network first, so that a new version shows at once.
 */
function offline(): Plugin {
  return {
    name: 'halfspace-offline',
    apply: 'build',
    writeBundle({ dir }) {
      const files = filesIn(dir!).filter((file) => file !== 'sw.js' && !file.startsWith('.'));
      const hash = createHash('sha256');
      for (const file of files) hash.update(file).update(readFileSync(join(dir!, file)));
      const version = hash.digest('hex').slice(0, 12);
      writeFileSync(join(dir!, 'sw.js'), serviceWorker(version, ['./', ...files.map((file) => `./${file}`)]));
    },
  };
}

function filesIn(folder: string, under = ''): string[] {
  return readdirSync(join(folder, under), { withFileTypes: true })
    .flatMap((entry) => {
      const path = under === '' ? entry.name : `${under}/${entry.name}`;
      return entry.isDirectory() ? filesIn(folder, path) : [path];
    })
    .sort();
}

function serviceWorker(version: string, files: readonly string[]): string {
  return `const cacheName = 'halfspace-lab-${version}';
const files = ${JSON.stringify(files)};

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files)).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  const others = (names) => names.filter((name) => name.startsWith('halfspace-lab-') && name !== cacheName);
  event.waitUntil(
    caches.keys().then((names) => Promise.all(others(names).map((name) => caches.delete(name)))).then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  // Data that a command serves are always asked for.
  if (request.method !== 'GET' || url.origin !== location.origin || url.pathname.includes('/data/')) return;
  const kept = () => caches.match(request, { cacheName, ignoreSearch: true });
  event.respondWith(
    request.mode === 'navigate'
      ? fetch(request).catch(() => kept().then((found) => found ?? caches.match('./', { cacheName })))
      : kept().then((found) => found ?? fetch(request)),
  );
});
`;
}

const title = 'Why the perceptron must stop';
const description = 'The convergence theorem, step by step, with the numbers of your own points.';

/**
 * Writes `theorem.html`: the page of the lab with another head and another place for its content. As a second entry of the bundle it would split
 * the lab's code into more files, and the first load would be two per cent larger.
 */
function theorem(): Plugin {
  return {
    name: 'halfspace-theorem',
    configureServer(server) {
      server.middlewares.use('/theorem.html', (_request, response, next) => {
        const html = theoremPage(readFileSync(new URL('./index.html', import.meta.url), 'utf8'));
        server.transformIndexHtml('/theorem.html', html).then((text) => response.end(text), next);
      });
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const index = bundle['index.html'];
        if (index?.type !== 'asset') throw new Error('expected index.html in the bundle');
        this.emitFile({ type: 'asset', fileName: 'theorem.html', source: theoremPage(String(index.source)) });
      },
    },
  };
}

function theoremPage(html: string): string {
  const replaced = [
    [/<div id="lab"><\/div>/, '<div id="theorem"></div>'],
    [/<title>[^<]*<\/title>/, `<title>${title}</title>`],
    [/(<meta name="description" content=")[^"]*/, `$1${description}`],
    [/(<meta property="og:title" content=")[^"]*/, `$1${title}`],
    [/(<meta property="og:description" content=")[^"]*/, `$1${description}`],
  ] as const;
  return replaced.reduce((text, [from, to]) => {
    if (!from.test(text)) throw new Error(`expected ${from} in index.html`);
    return text.replace(from, to);
  }, html);
}

const { page, worker } = licences();

export default defineConfig({
  // Any web server may hold the files, under any path.
  base: './',
  plugins: [constants(), formulas(), tours(), svelte(), fonts(), page, sharePicture(), theorem(), offline()],
  worker: {
    format: 'es',
    plugins: () => [worker()],
    // One file for what the worker always needs: many small ones compress worse.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'engine', tags: ['$initial'] }] } } },
  },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
});

/**
 * Modules named `….constant.ts` are evaluated when the page is built, and only their exports ship, as JSON: what they import does not.
 * Tests in Node import them as they are.
 */
function constants(): Plugin {
  return {
    name: 'constants',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith('.constant.ts')) return null;
      const { module } = await runnerImport<Record<string, unknown>>(id, { resolve: { external: true } });
      const lines = Object.entries(module).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`);
      return { code: lines.join('\n'), map: null, moduleType: 'js' };
    },
  };
}

/** Tours as modules: `import tour from './lecture-9.md'`, and `'./lecture-9.md?head'` for what a list shows of it. */
function tours(): Plugin {
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
