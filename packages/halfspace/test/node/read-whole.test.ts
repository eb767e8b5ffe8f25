import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { HalfspaceError } from '../../src/errors.ts';
import { readWhole, readWholeText, type WholeKind, wholeKinds } from '../../src/node/read-whole.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspace-test-'));
const path = join(folder, 'file');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const kinds = Object.entries<WholeKind>(wholeKinds);
const small: WholeKind = { ...wholeKinds.model, mostBytes: 2 ** 20 };

function faultOf(act: () => unknown): HalfspaceError | null {
  try {
    act();
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(HalfspaceError);
    return error as HalfspaceError;
  }
}

test('a file at its limit is returned as it is, and one byte more is refused', () => {
  const bytes = Buffer.alloc(small.mostBytes, '{"a":"é"}\n');
  writeFileSync(path, bytes);
  expect(Buffer.from(readWhole(path, small)).equals(bytes)).toBe(true);
  writeFileSync(path, Buffer.concat([bytes, Buffer.from(' ')]));
  expect(faultOf(() => readWhole(path, small))?.message).toBe(
    `${path}: expected a model file of at most 1 MiB; got a longer file`,
  );
});

test.skipIf(process.platform === 'win32')('a pipe without an end is refused at the limit', () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const writer = spawn('sh', ['-c', `yes '{"a":1}' > ${pipe}`]);
  expect(faultOf(() => readWhole(pipe, small))?.message).toContain('of at most 1 MiB; got a longer file');
  writer.kill();
});

describe.skipIf(process.platform === 'win32')('a device without an end is refused by its beginning', () => {
  test.each(kinds)('%s', (_, kind) => {
    expect(faultOf(() => readWhole('/dev/zero', kind))).toMatchObject({ code: kind.code });
  });
});

test('UTF-8 and UTF-16 with byte order marks are read', () => {
  for (const bytes of [Buffer.from('\uFEFF{}'), Buffer.from('\uFEFF{}', 'utf16le'), Buffer.from(' {}')]) {
    writeFileSync(path, bytes);
    expect(readWholeText(path, small).trim()).toBe('{}');
  }
});

test('any file is returned byte by byte, or refused with the code of the kind', () => {
  forAll(200, fc.uint8Array({ maxLength: 200_000 }), fc.constantFrom(...kinds), (bytes, [, kind]) => {
    writeFileSync(path, bytes);
    const fault = faultOf(() => expect(Buffer.from(readWhole(path, kind)).equals(bytes)).toBe(true));
    if (fault !== null) expect(fault.code).toBe(kind.code);
  });
});
