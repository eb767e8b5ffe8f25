// Bundles the command and the library into a few files: starting Node on sixty small modules would take longer than many a
// training. What a run does not need (tables, progress bars, …) stays in files of its own and is loaded when it is used.
//
// DuckDB's JavaScript half is bundled as well: it has two hundred files, and loading them one by one takes ten times as long as
// loading its native half, which stays a package of its own.
import { copyFileSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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
  // What is bundled asks for the native half by `require`, which modules do not have.
  banner: {
    js: `import { createRequire as toRequire } from 'node:module'; const require = toRequire(import.meta.url);`,
  },
  legalComments: 'none',
  logLevel: 'warning',
});
copyFileSync(
  join(dirname(createRequire(import.meta.url).resolve('@duckdb/node-api/package.json')), 'LICENSE'),
  join(root, 'dist/duckdb-node-api.LICENSE'),
);
