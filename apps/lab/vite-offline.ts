import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Writes `sw.js`, a service worker that keeps every file of the build, so that the page opens without a network after the first visit. Files
 * with their content in their names come from what is kept; the page itself from the network first, so that a new version shows at once.
 */
export function offline(): Plugin {
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
