// Makes `dist` of the package in the working folder hold what its sources make, before tsc runs:
//   node ../../scripts/sweep-dist.mjs && tsc -p tsconfig.json
// Deletes files that no source makes any more, because `npm pack` would ship them. If a file is missing, deletes what tsc
// remembers of the last build, because tsc would not write it again.
import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const memory = '.tsbuildinfo';
const filesIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true }).filter((file) => statSync(join(folder, file)).isFile())
    : [];

const made = new Set(
  filesIn('src')
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .flatMap((file) => ['.js', '.d.ts'].map((ending) => file.replace(/\.ts$/, ending))),
);
const present = new Set(filesIn('dist'));
for (const file of present) if (file !== memory && !made.has(file)) rmSync(join('dist', file));
if ([...made].some((file) => !present.has(file))) rmSync(join('dist', memory), { force: true });
removeEmptyFolders('dist');

function removeEmptyFolders(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
