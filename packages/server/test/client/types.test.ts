import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { temporaryFolder } from '../support/folder.ts';
import { naiveModels } from '../support/naive-models.ts';
import { typeOf } from '../support/types-of.ts';

const root = resolve(import.meta.dirname, '../../../..');
const client = resolve(import.meta.dirname, '../../src/client');

/** Compares types by their members, without `readonly`. */
const comparison = `
type Plain<T> = T extends readonly (infer U)[] ? Plain<U>[]
  : T extends object ? { -readonly [K in keyof T]: Exclude<Plain<T[K]>, Optional<T, K>> } : T;
/** \`undefined\` may stand for an absent member of a request. */
type Optional<T, K extends keyof T> = undefined extends T[K] ? undefined : never;
type Same<A, B> = (<T>() => T extends Plain<A> ? 1 : 2) extends (<T>() => T extends Plain<B> ? 1 : 2) ? true : false;
`;

test('the types of the client are those of /openapi.json', async () => {
  const app = await createApp(naiveModels());
  await app.ready();
  const { components, paths } = app.swagger() as unknown as {
    components: { schemas: Record<string, Parameters<typeof typeOf>[0]> };
    paths: Record<
      string,
      Record<string, { requestBody: { content: Record<string, { schema: { anyOf: object[] } }> } }>
    >;
  };
  await app.close();
  const declared = Object.entries(components.schemas).map(([name, schema]) => `type ${name} = ${typeOf(schema)};`);
  const bodyOf = (path: string, method: string) =>
    paths[`/v1/models/{name}${path}`]![method]!.requestBody.content['application/json']!.schema;
  const { row: _, ...example } = (bodyOf('/learn', 'post') as { properties?: Record<string, object> }).properties!;
  const { examples: __, ...members } = example;
  const requests = [
    `type Body_Example = ${typeOf({ type: 'object', properties: members, required: ['label'] })};`,
    `type Body_NewLearner = ${typeOf(bodyOf('', 'put').anyOf.at(-1)!)};`,
  ];
  const names = Object.keys(components.schemas).filter((name) => name !== 'Health');
  const exported = [...readFileSync(join(client, 'types.ts'), 'utf8').matchAll(/^export (?:interface|type) (\w+)/gm)];
  expect(exported.map(([, name]) => name)).toEqual(expect.arrayContaining(names));
  const folder = temporaryFolder();
  const same = [
    ...names.map((name) => `const same_${name}: Same<${name}, Client.${name}> = true;`),
    `const same_Example: Same<Body_Example, Omit<Client.Example, 'row'>> = true;`,
    'const same_NewLearner: Same<Body_NewLearner, Client.NewLearner> = true;',
    // The comparison can fail.
    'const different: Same<{ a: number; b?: string }, { a: number }> = false;',
  ];
  writeFileSync(
    join(folder, 'same.ts'),
    [`import type * as Client from '${join(client, 'index.ts')}';`, comparison, ...declared, ...requests, ...same].join(
      '\n',
    ),
  );
  const compilerOptions = {
    noEmit: true,
    noUnusedLocals: false,
    incremental: false,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: false,
    // A page knows no types of Node.
    lib: ['ES2022', 'DOM'],
    types: [],
  };
  const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions, files: ['same.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});
