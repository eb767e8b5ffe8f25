import { appendFileSync, existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
// Threads run what was built, so this reads as a user does: by the package's names.
import { HalfspaceError } from 'halfspace';
import { openBytes } from 'halfspace/node';
import { afterAll, describe, expect, test } from 'vitest';
import { bomb, frameOf, skippableFrame } from '../support/archives.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspace-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'archive');

/** The bytes, the number of bytes read of the archive, and the refusal if there is one. */
async function outcomeOf(threads: number, targetBytes: number) {
  const outputs: Uint8Array[] = [];
  let read = 0;
  const source = await openBytes(path, {
    threads,
    onRead: (bytes) => {
      read += bytes;
    },
  });
  expect(source.constructor.name).toBe(threads === 1 ? 'Object' : 'DecompressedFile');
  const target = new Uint8Array(targetBytes);
  let refusal = null;
  try {
    for (;;) {
      const count = await source.read(target);
      if (count === 0) break;
      outputs.push(target.slice(0, count));
    }
    expect(await source.read(target)).toBe(0);
  } catch (error) {
    if (!(error instanceof HalfspaceError)) throw error;
    refusal = { code: error.code, message: error.message, where: error.where };
  }
  source.close?.();
  expect(await source.read(target)).toBe(0);
  return { text: Buffer.concat(outputs), read, refusal };
}

const long = Buffer.from(Array.from({ length: 400_000 }, (_, i) => `${i} 1:${(i * 7919) % 1000}\n`).join(''));
const member = gzipSync(long, { level: 1 });
const frame = frameOf(long, { block: 100_000 });
const changed = (bytes: Uint8Array, at: number) => {
  const copy = Uint8Array.from(bytes);
  copy[at]! ^= 4;
  return copy;
};
const archives: readonly [what: string, bytes: Uint8Array][] = [
  ['gzip of several members, also empty ones', Buffer.concat([member, gzipSync(''), member])],
  ['gzip of nothing', gzipSync('')],
  ['gzip that is cut', member.subarray(0, -5)],
  ['gzip that is damaged', changed(member, member.length >> 1)],
  ['gzip and something else', Buffer.concat([member, Buffer.from('1 1:1\n')])],
  ['zstd of several frames, also skippable ones', Buffer.concat([frame, skippableFrame(Buffer.from('x')), frame])],
  ['zstd much longer than its archive', bomb(200)],
  ['zstd that is cut', frame.subarray(0, -5)],
  ['zstd with a wrong checksum', changed(frame, frame.length >> 1)],
];

describe('a thread that decompresses', () => {
  test.each(archives)('gives the same bytes and the same refusal as the caller: %s', async (what, bytes) => {
    writeFileSync(path, bytes);
    const alone = await outcomeOf(1, 1 << 20);
    const ahead = await outcomeOf(2, 1 << 20);
    expect(ahead.refusal).toEqual(alone.refusal);
    if (alone.refusal === null) {
      expect(ahead.text.equals(alone.text)).toBe(true);
      expect(ahead.read).toBe(bytes.length);
      expect(/several|much|nothing/.test(what)).toBe(true);
    }
  });

  test('fills targets of any length, also those that end within a block', async () => {
    writeFileSync(path, member);
    expect((await outcomeOf(2, 12_347)).text.equals(long)).toBe(true);
  });

  test('stops when the reader closes the file, which is closed only then', async () => {
    writeFileSync(path, member);
    const source = await openBytes(path, { threads: 2 });
    await source.read(new Uint8Array(10));
    source.close!();
    const isOpen = () => readdirSync('/proc/self/fd').some((fd) => linkOf(`/proc/self/fd/${fd}`) === path);
    while (existsSync('/proc/self/fd') && isOpen()) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  test('finds that the file has grown', async () => {
    writeFileSync(path, member);
    const source = await openBytes(path, { threads: 2 });
    const target = new Uint8Array(1000);
    await source.read(target);
    appendFileSync(path, gzipSync('1 1:1\n'));
    await expect(
      (async () => {
        while ((await source.read(target)) > 0);
      })(),
    ).rejects.toMatchObject({ code: 'source-changed' });
    source.close!();
  });
});

function linkOf(place: string): string {
  try {
    return readlinkSync(place);
  } catch {
    return '';
  }
}
