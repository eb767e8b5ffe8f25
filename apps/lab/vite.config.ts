import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { constants } from './vite-constants.ts';
import { formulas } from './vite-formulas.ts';
import { tours } from './vite-tours.ts';

export default defineConfig({
  // Any web server may hold the files, under any path.
  base: './',
  plugins: [constants(), formulas(), tours(), svelte()],
  worker: { format: 'es' },
  build: { target: 'es2022', assetsInlineLimit: 0, reportCompressedSize: false, modulePreload: { polyfill: false } },
});
