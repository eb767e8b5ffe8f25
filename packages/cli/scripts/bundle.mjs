// Bundles the command and the library into a few CommonJS files, because Node loads many small modules, or ES modules, more
// slowly than a small training takes. Code that only some runs need is in separate files. DuckDB's JavaScript part is
// bundled too: its two hundred files load ten times as slowly as its native part, which stays a package
// (@duckdb/node-bindings).
//
//   main.js             the arguments and the help
//   library.js          halfspace with its subpaths, once
//   commands-train.js   and other files: one for each module that is imported by `import()`
//   certify.js          halfspace-certify, once, for the commands that need it; its solver, highs, stays a package
//   server.js           halfspace-server, for `halfspace serve`; Fastify and its plugins stay packages
//   site.js             halfspace-server/site, for `halfspace lab`, which loads nothing else of the service
//   lab/                the page that `halfspace lab` serves, built by apps/lab
//   python/             what `export --check` runs in Python
//   *-worker.js, *-thread.js  threads of the library and of the service, each complete, where `new URL('./name.js', import.meta.url)` finds them
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** What of the library the command imports. All of it is in one file, because classes are compared with instanceof. */
const libraryEntries = [
  'halfspace',
  ...['rules', 'metrics', 'margins', 'ledger', 'tree', 'export', 'node'].map((name) => `halfspace/${name}`),
  ...['checks', 'models', 'runs', 'online', 'shards', 'tables'].map((name) => `halfspace/${name}`),
];
const libraryEntry = new RegExp(`^(${libraryEntries.join('|')})$`);

/** Modules in the library's `src/node/parallel` that run in a thread, without their ending. */
const workers = ['parse-worker', 'decompress-worker', 'fold-thread'];

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const lab = join(root, '../../apps/lab');
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const options = {
  absWorkingDir: root,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  external: Object.keys({ ...dependencies, ...optionalDependencies }),
  // `import()` becomes a late `require`, which does not load Node's ES module loader.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'moduleUrl' },
  inject: ['scripts/module-url.mjs'],
  // Names stay as they are: HALFSPACE_DEBUG prints stacks.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
};

/** Entry points of the files. Bundling one adds those that it imports by `import()`. */
const parts = ['src/main.ts'];

const sharedLibrary = {
  name: 'shared-library',
  setup({ onResolve }) {
    onResolve({ filter: libraryEntry }, () => ({
      path: './library.js',
      external: true,
      sideEffects: false,
    }));
  },
};

const separateParts = {
  name: 'separate-parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: libraryEntry }, () => ({
      path: './library.js',
      external: true,
      sideEffects: false,
    }));
    onResolve({ filter: /^halfspace-certify$/ }, () => ({ path: './certify.js', external: true, sideEffects: false }));
    onResolve({ filter: /^halfspace-server$/ }, () => ({ path: './server.js', external: true, sideEffects: false }));
    onResolve({ filter: /^halfspace-server\/site$/ }, () => ({
      path: './site.js',
      external: true,
      sideEffects: false,
    }));
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      // What the lab loads late, `picture` needs at once.
      if (resolveDir.startsWith(lab)) return undefined;
      const part = relative(root, resolve(resolveDir, path)).replaceAll('\\', '/');
      if (!parts.includes(part)) parts.push(part);
      return { path: `./${fileOf(part)}`, external: true };
    });
    // commander loads it to run commands that are separate programs. We have none, and loading it takes milliseconds.
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path: 'none', namespace: 'none' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'none' }, () => ({ contents: '' }));
    // vega waits for a package of pictures while it loads, which a bundle cannot; without one it draws SVG all the
    // same.
    onLoad({ filter: /vega-canvas\.node\.js$/ }, () => ({
      contents: 'const none = () => null;\nexport { none as canvas, none as domCanvas, none as image };\n',
    }));
  },
};

/** `src/commands/train.ts` → `commands-train.js` */
function fileOf(part) {
  return part
    .replace(/^src\//, '')
    .replaceAll('/', '-')
    .replace(/ts$/, 'js');
}

/** Folders of third-party packages in the bundle. The library carries the code of zstddec in a module of its own. */
const bundledPackages = new Set([join(dirname(fileURLToPath(import.meta.resolve('zstddec/stream'))), '..')]);

/** Modules of Node that many runs import and few use. They load Node's streams, which takes milliseconds. */
const lateModules = /\brequire\("(node:(?:crypto|worker_threads))"\)/g;

/** Files that need these modules in every run. */
const loadsAtOnce = /-(worker|thread)\.js$|^server\.js$/;

/** Returns the code with such modules loaded at the first use of a member. */
function loadedLate(code) {
  const changed = code.replace(lateModules, 'loadedLate(() => require("$1"))');
  if (changed === code) return code;
  const late = 'function loadedLate(load){let m;return new Proxy({},{get:(_,name)=>(m??=load())[name]})}\n';
  return changed.replace(/^("use strict";)?/, `$1${late}`);
}

async function bundle(entry, outfile, plugins = []) {
  const { metafile, outputFiles } = await build({
    ...options,
    ...entry,
    outfile: join('dist', outfile),
    plugins,
    write: false,
  });
  const [{ text }] = outputFiles;
  writeFileSync(join(dist, outfile), loadsAtOnce.test(outfile) ? text : loadedLate(text));
  for (const input of Object.keys(metafile.inputs)) {
    const [folder] = /.*node_modules\/(@[^/]+\/)?[^/]+/.exec(input) ?? [];
    if (folder !== undefined) bundledPackages.add(join(root, folder));
  }
}

function licences() {
  const texts = [...bundledPackages].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
    if (licence === undefined) throw new Error(`expected a licence in ${folder}; found none`);
    return `${name} ${version}\n\n${readFileSync(join(folder, licence), 'utf8').trim()}\n`;
  });
  const page = readFileSync(join(root, '../server/page-licences.txt'), 'utf8');
  const own = `The files beside this one contain code of these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
  return `${own}\n${'-'.repeat(80)}\n\nOf the page of the service: ${page}`;
}

mkdirSync(dist, { recursive: true });
for (const name of readdirSync(dist)) if (name !== '.tsbuildinfo') rmSync(join(dist, name), { recursive: true });
// The package.json of the command says that .js files are ES modules.
writeFileSync(join(dist, 'package.json'), '{ "type": "commonjs" }\n');

const library = libraryEntries.map((entry) => `export * from '${entry}';\n`).join('');
await bundle({ stdin: { contents: library, resolveDir: root } }, 'library.js');
await bundle({ stdin: { contents: "export * from 'halfspace-certify';\n", resolveDir: root } }, 'certify.js', [
  sharedLibrary,
]);
await bundle({ stdin: { contents: "export * from 'halfspace-server';\n", resolveDir: root } }, 'server.js', [
  sharedLibrary,
]);
await bundle({ stdin: { contents: "export * from 'halfspace-server/site';\n", resolveDir: root } }, 'site.js', [
  sharedLibrary,
]);
for (const part of parts) await bundle({ entryPoints: [part] }, fileOf(part), [separateParts]);
const threads = dirname(fileURLToPath(import.meta.resolve('halfspace/node/parsers')));
const server = dirname(fileURLToPath(import.meta.resolve('halfspace-server')));
await bundle({ entryPoints: [join(server, 'models/part-thread.js')] }, 'part-thread.js');
await bundle({ entryPoints: [join(server, 'http/content-thread.js')] }, 'content-thread.js');
for (const worker of workers) await bundle({ entryPoints: [join(threads, `${worker}.js`)] }, `${worker}.js`);
const page = join(lab, 'dist');
if (!existsSync(join(page, 'index.html')))
  throw new Error('expected the lab to be built first: npm run build at the root');
cpSync(page, join(dist, 'lab'), { recursive: true });
cpSync(join(root, '../halfspace/python/halfspace_pipeline.py'), join(dist, 'python/halfspace_pipeline.py'));
writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licences());
