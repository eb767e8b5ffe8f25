// Writes docs/reference: a page for each public name, and one for each import that lists them, from the declarations that tsc
// wrote into `dist`. The pages are not committed.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, LogLevel } from 'typedoc';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
const packages = ['halfspace', 'certify', 'distributed', 'server'];
/** Entries for the packages here, which may change with a minor version, and for tests. */
const notPublic = /^halfspace\/(checks|models|online|runs|shards|tables)$|^halfspace-server\/site$/;

/** Public entries of the packages with their files of declarations. */
const entries = packages.flatMap((folder) => {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
  return Object.entries(exports)
    .filter(([, target]) => target.types !== undefined)
    .map(([path, { types }]) => ({ name: name + path.slice(1), file: join(root, 'packages', folder, types) }))
    .filter((entry) => !notPublic.test(entry.name));
});

/** Returns all public names with their comments, each entry a module of this name. */
export async function readNames() {
  const app = await Application.bootstrapWithPlugins({
    entryPoints: entries.map(({ file }) => file),
    plugin: ['typedoc-plugin-markdown'],
    // The compiler of this folder: TypeScript 7 has no stable interface to its syntax trees.
    compilerOptions: {
      module: 'nodenext',
      moduleResolution: 'nodenext',
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
      types: [],
      skipLibCheck: true,
    },
    logLevel: LogLevel.Error,
    name: 'Every public name',
    router: 'member',
    entryFileName: 'index',
    readme: 'none',
    excludeExternals: true,
    excludePrivate: true,
    hidePageHeader: true,
    pageTitleTemplates: { module: '{name}', member: '{name}' },
    indexFormat: 'table',
    useCodeBlocks: true,
    parametersFormat: 'table',
    propertiesFormat: 'table',
    tableColumnSettings: { hideSources: true },
    groupOrder: ['Functions', 'Classes', 'Variables', 'Interfaces', 'Type Aliases'],
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('expected declarations without faults; got others');
  const names = new Map(entries.map(({ name, file }) => [file, name]));
  for (const module of project.children) module.name = names.get(module.sources[0].fullFileName);
  // Lines of built files and classes without a public name tell readers nothing.
  for (const reflection of Object.values(project.reflections)) {
    for (const kind of ['sources', 'overwrites', 'inheritedFrom', 'implementationOf']) delete reflection[kind];
  }
  return { app, project };
}

/** Writes the pages into a folder, whose old contents are removed. */
async function writeReference(folder) {
  const { app, project } = await readNames();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  app.options.setValue('out', folder);
  await app.generateOutputs(project);
  const rows = entries.map(({ name }) => {
    const { children = [] } = project.children.find((module) => module.name === name);
    return `| [${name}](${name}/index.md) | ${children.length} |`;
  });
  const text = `# Every public name\n\nEach import lists its names; each name has a page, made from the declarations.\n\n| import | names |\n| --- | --- |\n${rows.join('\n')}\n`;
  writeFileSync(join(folder, 'index.md'), text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeReference(join(root, 'docs/reference'));
