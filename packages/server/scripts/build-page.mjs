// Builds the page of the service (apps/page) into the module src/static/page-files.ts, so that the service answers it from
// memory, in every bundle: each file compressed by gzip and Brotli, with its path and type.
//
// The module begins with a hash of all that it was made from, and is left as it is while the hash is the same.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
const page = join(root, 'apps/page');
const module = join(root, 'packages/server/src/static/page-files.ts');
/** What the packages in the page ask to be kept with copies of them. */
const licences = join(root, 'packages/server/page-licences.txt');

const filesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/node_modules|[\\/]dist[\\/]/.test(file));

/** Files that the page is made from. The lab lends components, pictures and colours, the server its client. */
const inputs = [
  ...filesIn('apps/page'),
  ...['components', 'picture'].flatMap((folder) => filesIn(`apps/lab/src/${folder}`)),
  ...filesIn('packages/server/src/client'),
  ...['apps/lab/src/style.css', 'apps/lab/vite-licences.ts', 'package-lock.json'].map((file) => join(root, file)),
  fileURLToPath(import.meta.url),
].sort();
const hash = createHash('sha256');
for (const file of inputs) hash.update(readFileSync(file)).update('\n');
const first = `// Made by scripts/build-page.mjs from inputs with the hash ${hash.digest('hex').slice(0, 32)}.`;
if (existsSync(licences) && existsSync(module) && readFileSync(module, 'utf8').startsWith(`${first}\n`)) process.exit();

const { build } = await import('vite');
const { output } = await build({ root: page, logLevel: 'warn', build: { write: false } });
const built = output.map((part) => [part.fileName, Buffer.from(part.type === 'chunk' ? part.code : part.source)]);
for (const file of readdirSync(join(page, 'public'))) built.push([file, readFileSync(join(page, 'public', file))]);
writeFileSync(licences, Buffer.from(output.find(({ fileName }) => fileName === 'licences.txt').source));
const entries = built
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, bytes]) => {
    const gzip = gzipSync(bytes, { level: 9 }).toString('base64');
    const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
    return `  { path: '/${name}', gzip: '${gzip}', brotli: '${brotli.toString('base64')}' },\n`;
  });
writeFileSync(
  module,
  `${first}
import type { PackedFile } from './static-file.ts';

export const pageFiles: readonly PackedFile[] = [
${entries.join('')}];
`,
);
