import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { licences } from '../lab/vite-licences.ts';

/** Address of a service, for `npm run dev -w halfspace-page`. */
const service = 'http://127.0.0.1:4310';

export default defineConfig({
  // A proxy may serve it under any path.
  base: './',
  plugins: [svelte(), licences().page],
  // The page is built before the server is.
  resolve: {
    alias: {
      'halfspace-server/client': fileURLToPath(new URL('../../packages/server/src/client/index.ts', import.meta.url)),
    },
  },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/v1': { target: service, changeOrigin: true } } },
});
