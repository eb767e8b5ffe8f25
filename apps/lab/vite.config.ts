import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { licences } from './vite-licences.ts';
import { offline } from './vite-offline.ts';

const { page, worker } = licences();

export default defineConfig({
  // Any web server may hold the files, under any path.
  base: './',
  plugins: [svelte(), page, offline()],
  worker: { format: 'es', plugins: () => [worker()] },
  build: { target: 'es2022', assetsInlineLimit: 0, reportCompressedSize: false, modulePreload: { polyfill: false } },
});
