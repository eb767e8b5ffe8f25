// Sets the versions of our packages in examples/*/package.json to the current ones. `npm run versions` runs it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const versions = new Map(
  ['halfspace', 'certify', 'cli']
    .map((folder) => read(`packages/${folder}/package.json`))
    .map(({ name, version }) => [name, version]),
);

for (const name of readdirSync('examples')) {
  const path = join('examples', name, 'package.json');
  if (!existsSync(path)) continue;
  const manifest = read(path);
  for (const dependency of Object.keys(manifest.dependencies ?? {}))
    if (versions.has(dependency)) manifest.dependencies[dependency] = `^${versions.get(dependency)}`;
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
}
