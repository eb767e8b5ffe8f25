import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { arrays, type ExampleSource, rows, type Source, train, vw } from 'halfspace';
import { toTypeScript } from 'halfspace/export';

export const root = resolve(import.meta.dirname, '../..');
const code = resolve(import.meta.dirname, '../user-code');

/** Writes the code of users into a folder, with the exported programs that it imports. */
export async function writeUserCode(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const file of ['accepted.ts', 'refused.ts', 'servers.ts', 'exported.ts'])
    copyFileSync(join(code, file), join(folder, file));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const fruit = Array.from({ length: 40 }, (_, i) => ({
    weight: 100 + ((i * 37) % 90),
    colour: ['red', 'green'][(i * 5) % 2],
    picked: new Date(Date.UTC(2024, i % 12, 1)),
    peel: ['thin', 'thick'][i % 2],
    constructor: ['Cox', 'Elstar', 'Boskoop'][i % 3],
    kind: (i * 37) % 90 > 45 ? 'pear' : 'apple',
  }));
  const write = async (name: string, source: Source | ExampleSource) => {
    const { model } = await train(source, { rule: 'averaged', passes: 2 });
    writeFileSync(join(folder, `${name}.ts`), toTypeScript(model));
  };
  await write('fruit', rows(fruit, { label: 'kind' }));
  await write('words', vw('1 | free:1 see\n-1 | see:2\n1 | free:3\n-1 | see:1\n'));
  await write(
    'points',
    arrays(
      [
        [1, 2],
        [3, 1],
        [0, 2],
        [5, 1],
      ],
      ['a', 'b', 'a', 'b'],
    ),
  );
}

/** Compiles files of a folder without writing. Resolves to what the compiler prints; nothing if all is well. */
export function compile(
  tsc: string,
  folder: string,
  files: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<string> {
  const name = `tsconfig.${Object.values(options).join('-')}.${files.length}.json`;
  const compilerOptions = {
    noEmit: true,
    strict: true,
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    ...options,
  };
  writeFileSync(join(folder, name), JSON.stringify({ compilerOptions, files }));
  return new Promise((done) => {
    execFile(process.execPath, [tsc, '-p', name, '--pretty', 'false'], { cwd: folder }, (_, out, err) =>
      done(out + err),
    );
  });
}
