// Bundles the command and the library into a few files: starting Node on sixty small modules would take longer than many a
// training. What a run does not need (tables, progress bars, …) stays in files of its own and is loaded when it is used.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

await build({
  absWorkingDir: root,
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: Object.keys(dependencies),
  legalComments: 'none',
  logLevel: 'warning',
});

// The thread that parses, as one small file: the library finds it beside itself.
await build({
  absWorkingDir: root,
  entryPoints: { 'parse-worker': join(root, '../halfspace/src/node/parse-worker.ts') },
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
  logLevel: 'warning',
});
