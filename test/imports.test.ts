import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const folders = [
  'packages/halfspace/src',
  'packages/certify/src',
  'packages/distributed/src',
  'packages/server/src',
  'packages/cli/src',
  'apps/lab/src',
  'apps/page/src',
];

/**
 * The imports of every source file, by its path from the root. An import is a path from the root or the name of a
 * package.
 */
const imports = new Map(
  folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter((file) => /\.(ts|svelte)$/.test(file))
    .sort()
    .map((file) => [file, importsOf(file)]),
);

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const named = text.matchAll(
    /^ *(?:import|export)\b[^'";]*?from '([^']+)'|^ *import '([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  return Array.from(named, ([, from, bare, dynamic]) => (from ?? bare ?? dynamic)!).map((name) =>
    name.startsWith('.') ? join(dirname(file), name.replace(/\?.*$/, '')) : name,
  );
}

/**
 * The lines of docs/architecture.md of the form `    FOLDER: a, b ← c ← d`, for packages and for folders of sources.
 * Each name may be imported by the names right of it and by its neighbours between two arrows.
 */
const orders = Array.from(
  readFileSync(join(root, 'docs/architecture.md'), 'utf8').matchAll(/^ {4}(\S+): (.+ ← .+)$/gm),
  ([, folder, line]) => ({ folder: folder!, ranks: line!.split(' ← ').map((names) => names.split(', ')) }),
);

test('docs/architecture.md draws the order of the packages and of every folder of sources', () => {
  expect(orders.map(({ folder }) => folder)).toEqual(['packages', ...folders]);
});

/** The name of the package that a file belongs to. */
const packageOf = (file: string): string =>
  JSON.parse(readFileSync(join(root, file.split('/').slice(0, 2).join('/'), 'package.json'), 'utf8')).name;

describe.each(orders)('$folder', ({ folder, ranks }) => {
  const isSource = folder !== 'packages';
  /** The name in the drawing that a file belongs to: its package, or its folder, or its own name without the ending. */
  const nameOf = (file: string) =>
    isSource
      ? relative(folder, file)
          .split('/')[0]!
          .replace(/\.(ts|svelte|json|css)$/, '')
      : packageOf(file);
  /** The name that an import leads to; null if it leads out of what is drawn. */
  const nameOfImport = (to: string) => {
    if (isSource) return to.startsWith(`${folder}/`) ? nameOf(to) : null;
    return to.startsWith('halfspace') ? to.split('/')[0]! : null;
  };
  const rankOf = (name: string) => ranks.findIndex((names) => names.includes(name));
  const files = [...imports.keys()].filter((file) => !isSource || file.startsWith(`${folder}/`));

  test('every name has a place in the drawing, and the drawing names nothing else', () => {
    expect([...new Set(files.map(nameOf))].sort()).toEqual(ranks.flat().sort());
  });

  test('imports run one way: from the right to the left', () => {
    const wrong = files.flatMap((file) =>
      imports.get(file)!.flatMap((to) => {
        const name = nameOfImport(to);
        return name !== null && rankOf(name) > rankOf(nameOf(file)) ? [`${file} → ${to}`] : [];
      }),
    );
    expect(wrong).toEqual([]);
  });
});

test('no circle of files imports itself, types included', () => {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]) => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '));
    else if (!done.has(file)) for (const to of imports.get(file) ?? []) visit(to, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  expect(circles).toEqual([]);
});

const node = /^node:|^halfspace\/node/;
const outsideNode = /^packages\/halfspace\/src\/(?!node\/)/;

test.each<[claim: string, from: RegExp, refused: RegExp]>([
  ['the library uses Node in node/ only', outsideNode, /^node:|^packages\/halfspace\/src\/node\//],
  ['certificates are made in browsers too', /^packages\/certify\//, node],
  [
    'the checker imports types and its own files only',
    /^packages\/certify\/src\/((check|cones|exact-rows|digest|members)\.ts$|interior\/)/,
    /^(?!packages\/certify\/src\/((certificate|cones|exact-rows|digest|members)\.ts$|interior\/)|halfspace(\/rules)?$)/,
  ],
  ['the client of the service is small', /^packages\/server\/src\/client\//, /^(?!packages\/server\/src\/client\/)/],
  ['the pages run in browsers', /^apps\//, node],
  ['packages use the published exports of others', /^/, /^halfspace(-certify)?\/(src|dist)\b/],
  ['files of a package stay inside it', /^packages\/cli\//, /^(packages\/(?!cli\/)|apps\/)/],
  ['files of a package stay inside it', /^packages\/certify\//, /^(packages\/(?!certify\/)|apps\/)/],
  ['files of a package stay inside it', /^packages\/halfspace\//, /^(packages\/(?!halfspace\/)|apps\/)/],
  ['files of the lab stay inside it', /^apps\/lab\//, /^(packages\/|apps\/(?!lab\/))/],
  ['files of the page stay inside it', /^apps\/page\//, /^(packages\/|apps\/(?!page\/))/],
])('%s (files %s, imports %s)', (_, from, refused) => {
  const wrong = [...imports].flatMap(([file, names]) =>
    from.test(file) ? names.filter((name) => refused.test(name)).map((name) => `${file} → ${name}`) : [],
  );
  expect(wrong).toEqual([]);
});

describe.each(['checks', 'models', 'online', 'runs', 'shards', 'tables'])('the entry halfspace/%s', (entry) => {
  const source = readFileSync(join(root, `packages/halfspace/src/face/${entry}.ts`), 'utf8');
  const namesIn = (list: string) => Array.from(list.matchAll(/(?:^|,)\s*(?:type )?(\w+)/g), ([, name]) => name!);

  test('says first whom it is for', () => {
    expect(source).toMatch(/^\/\*\*\n( \*.*\n)+ \* @module\n/);
  });

  test('hands out only what other packages import', () => {
    const imported = new RegExp(`\\{([^}]*)\\} from 'halfspace/${entry}'`, 'g');
    const files = [...imports.keys()].filter((file) => !file.startsWith('packages/halfspace/'));
    const used = files.flatMap((file) =>
      Array.from(readFileSync(join(root, file), 'utf8').matchAll(imported), ([, list]) => namesIn(list!)).flat(),
    );
    const handed = Array.from(source.matchAll(/^export (?:type )?\{([^}]*)\}/gm), ([, list]) => namesIn(list!)).flat();
    expect(handed.filter((name) => !used.includes(name))).toEqual([]);
  });
});
