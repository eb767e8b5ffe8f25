import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { csv, decodeModel, errorCodes, type HalfspaceError, libsvm, train } from 'halfspace';
import { readLedger } from 'halfspace/ledger';
import { globSync } from 'tinyglobby';
import { afterAll, describe, expect, test } from 'vitest';
import { readCertificate } from '../packages/cli/src/data/certificate-file.ts';
import { bytesSource } from '../packages/halfspace/src/data/in-memory.ts';
import { createReferenceKernels } from '../packages/halfspace/src/kernels/reference.ts';
import { FileState } from '../packages/halfspace/src/node/file-state.ts';
import { openWhole } from '../packages/halfspace/src/node/write.ts';

/*
 * docs/errors.md against the sources: every code that they can give is on the page, with its statuses, and no other.
 * The messages on the page are those of errors that happen here.
 */

const root = resolve(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/errors.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'halfspace-errors-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the text of a section of the page, without its heading. */
const section = (heading: string) => page.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;
const sources = (pattern: string) =>
  globSync(pattern, { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));

/** Returns the first `count` cells of each row of the table of a section. */
const table = (heading: string) =>
  [...section(heading).matchAll(/^\| `([a-z-]+)` \| ([^|]+) \|/gm)].map(([, code, cell]) => [code!, cell!] as const);

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

/** One refusal for each code of the library. */
const refusals: Record<keyof typeof errorCodes, () => unknown> = {
  'option-invalid': () => train(csv('a,label\n1,x\n2,y\n'), { seed: -1 }),
  'column-unknown': () => train(csv('a,b\n1,x\n2,y\n', { label: 'class' })),
  'source-unreadable': () => train(csv('mails.csv')),
  'source-changed': () => {
    const state = FileState.of(file('mails.csv', 'a,label\n1,'));
    file('mails.csv', 'a,label\n1,x\n2,');
    state.check();
  },
  'source-empty': () => train(csv('a,label\n')),
  'source-corrupt': () => train(csv(new Uint8Array([97, 44, 98, 10, 49, 44, 0xff, 10]))),
  'row-malformed': () => train(csv('a,b,label\n1,2,x\n3,y\n')),
  'number-invalid': () => train(libsvm('+1 1:2\n-1 1:two\n')),
  'index-invalid': () => train(libsvm('+1 2:1 1:1\n')),
  'label-missing': () => train(csv('a,label\n1,x\n2,\n')),
  'label-classes': () => train(csv('a,label\n1,x\n2,x\n')),
  'model-invalid': () => decodeModel('{}'),
  'certificate-invalid': () => readCertificate(file('proof.json', 'so')),
  'ledger-invalid': () => readLedger(bytesSource('label,x\n1,2\n', 'run.ledger')),
  'weights-overflow': () => train(libsvm('+1 1:1e308\n-1 1:-1e308 2:1e308\n'), { rule: 'perceptron' }),
  'memory-exhausted': () => createReferenceKernels().float64(1e300),
  'write-failed': () => openWhole(join(folder, 'no/such/folder/a.json')),
  interrupted: () => train(csv('a,label\n1,x\n2,y\n'), { signal: AbortSignal.abort() }),
};

describe('the page of errors', () => {
  test('has the codes of the library, in their order, and the statuses of each', () => {
    const listed = [
      ...section('The library and the command').matchAll(/^### (\S+)\n\nExit status (\d), HTTP (\d+): /gm),
    ];
    expect(listed.map(([, code, exit, http]) => [code, { exit: Number(exit), http: Number(http) }])).toEqual(
      Object.entries(errorCodes),
    );
  });

  test.each(Object.entries(refusals))('shows a message of %s', async (code, refused) => {
    const error = (await (async () => await refused())().catch((thrown) => thrown)) as HalfspaceError;
    expect(error.code).toBe(code);
    const [, shown] = new RegExp(`^### ${code}\n\n[^:]+: \`(.+)\`$`, 'm').exec(page)!;
    expect(error.message.replace(`${folder}/`, '')).toBe(shown);
  });

  test('has a cause and a cure of each', () => {
    const paragraphs = section('The library and the command').split(/^### /m).slice(1);
    for (const text of paragraphs) expect(text).toMatch(/^- \*\*Cause:\*\* [\s\S]+\n- \*\*Cure:\*\* /m);
  });

  test('has the codes of the service and its client, which its sources give', () => {
    const service = sources('packages/server/src/{http,models,serve}/**/*.ts').join('\n');
    const inPlace = [...service.matchAll(/new Refusal\(\s*(\d+),\s*'([a-z-]+)'/g)].map(([, status, code]) => [
      code!,
      status!,
    ]);
    const [, statuses] = /const statuses[^{]*\{([^}]*)\}/.exec(service)!;
    const ofModels = [...statuses!.matchAll(/'?([a-z-]+)'?: (\d+)/g)].map(([, code, status]) => [code!, status!]);
    const given = [...inPlace, ...ofModels];
    const framework = [...service.matchAll(/FST_[A-Z_]+: \['([a-z-]+)'/g)].map(([, code]) => code!);
    // The five others hand on codes: of the library, the models, the framework, the thread that reads contents, and
    // further ones of request-invalid.
    expect(service.match(/new Refusal\(/g)).toHaveLength(inPlace.length + 5);
    const listed = table('The service');
    const codes = (pairs: readonly (readonly string[])[]) => new Set(pairs.map(([code]) => code!));
    expect([...codes(listed)].sort()).toEqual([...new Set([...codes(given), ...framework])].sort());
    for (const [code, status] of given) expect(new Map(listed).get(code!), code).toContain(status);

    const client = sources('packages/server/src/client/*.ts').join('\n');
    const own = [...client.matchAll(/clientError\('([a-z-]+)'/g)].map(([, code]) => code!);
    expect(client.match(/clientError\((?!code:)/g)).toHaveLength(own.length);
    const known = [...codes(table('The client of the service')), 'option-invalid'];
    expect([...new Set(own)].sort()).toEqual(known.sort());
  });

  test('lists no code of the library that nothing gives', () => {
    const all = sources('packages/*/src/**/*.ts').filter((text) => !text.includes('export const errorCodes'));
    const unused = Object.keys(errorCodes).filter((code) => !all.some((text) => text.includes(`'${code}'`)));
    expect(unused).toEqual([]);
  });
});
