// Bundles the entries of the library for Node, which loads hundreds of modules slowly. Runs after tsc, in the library's
// folder. Bundlers of users get the modules, of which they leave out more than of a bundle.
//
//   errors.js           HalfspaceError, once, because it is compared with instanceof
//   predict.js, …       small entries, and threads, where `new URL('./name.js', import.meta.url)` finds them; complete
//   library.js          all that runs in a page too; the other entries name their exports of it
//   node.js, …          entries for files and threads
//   chunk-*.js          what several files need, or one needs later
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const doors = ['checks', 'models', 'runs', 'online', 'shards', 'tables'];
const together = ['index', ...doors, 'rules', 'metrics', 'margins', 'tree', 'ledger', 'export'];
const alone = ['predict', 'predict-text', 'printable'];
const threads = ['parse-worker', 'decompress-worker', 'fold-thread'];

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const modules = new Map(
  Object.values(exports)
    .filter(({ node }) => node !== undefined)
    .map(({ node, default: module }) => [basename(node, '.js'), module]),
);
const outdir = 'dist/bundled';

async function bundle(entryPoints) {
  const { outputFiles } = await build({
    ...{ entryPoints, outdir, chunkNames: 'chunk-[hash]', write: false },
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'es2022', charset: 'utf8' },
    // Names stay as they are, for stacks.
    ...{ minifyWhitespace: true, minifySyntax: true, logLevel: 'warning' },
    plugins: [
      {
        name: 'outside',
        setup({ onResolve }) {
          onResolve({ filter: /\/errors\.js$/ }, ({ kind }) =>
            kind === 'entry-point' ? undefined : { path: './errors.js', external: true, sideEffects: false },
          );
          onResolve({ filter: /^#/ }, ({ path }) => ({ path, external: true }));
          onResolve({ filter: /^library$/ }, () => ({ path: 'library', namespace: 'library' }));
        },
      },
      {
        name: 'library',
        setup: ({ onLoad }) =>
          onLoad({ filter: /./, namespace: 'library' }, () => ({
            contents: together.map((name) => `export * from '${modules.get(name)}';`).join('\n'),
            resolveDir: '.',
          })),
      },
    ],
  });
  // No module has side effects, so an import without names does nothing.
  for (const { path, text } of outputFiles) writeFileSync(path, text.replace(/import"\.\/chunk-[^"]+";/g, ''));
}

rmSync(outdir, { recursive: true, force: true });
mkdirSync(outdir);
await bundle({ errors: './dist/errors.js' });
for (const name of alone) await bundle({ [name]: modules.get(name) });
for (const name of threads) await bundle({ [name]: `./dist/node/parallel/${name}.js` });
const others = [...modules].filter(([name]) => !together.includes(name) && !alone.includes(name));
await bundle({
  library: 'library',
  ...Object.fromEntries(others),
  // package.json names them `#files` and `#threads`.
  'file-access': './dist/node/file-access.js',
  'fold-threads': './dist/node/parallel/fold-threads.js',
});

/** The value of each name in the library. An entry must not mean another value by it. */
const values = new Map();
for (const name of together) {
  const exported = Object.entries(await import(pathToFileURL(resolve(modules.get(name)))));
  for (const [key, value] of exported) {
    if ((values.get(key) ?? value) !== value) throw new Error(`expected one ${key} in the library; got two`);
    values.set(key, value);
  }
  writeFileSync(`${outdir}/${name}.js`, `export{${exported.map(([key]) => key).join()}}from"./library.js";\n`);
}
