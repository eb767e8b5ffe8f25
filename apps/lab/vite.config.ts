import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { constants } from './vite-constants.ts';
import { fonts } from './vite-fonts.ts';
import { formulas } from './vite-formulas.ts';
import { licences } from './vite-licences.ts';
import { offline } from './vite-offline.ts';
import { sharePicture } from './vite-share-picture.ts';
import { theorem } from './vite-theorem.ts';
import { tours } from './vite-tours.ts';

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
