import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import { HalfspaceError } from 'halfspace';
import { openBytes } from 'halfspace/node';
import { bytesOf, same, type Target } from '../target.ts';
import { folder } from './tables.ts';

const text = Array.from({ length: 60 }, (_, i) => `${i % 2 === 0 ? 1 : -1} 1:${i / 7} 2:${(i * i) % 11}\n`).join('');
/** The zstd archive of "1 1:1\n-1 2:1\n" with a checksum. Node 20 cannot make one. */
const smallZstd = Buffer.from('KLUv/QRYaQAAMSAxOjEKLTEgMjoxCthSH9Q=', 'base64');

const zstdSeeds = (): Uint8Array[] => {
  const { zstdCompressSync } = zlib as unknown as { zstdCompressSync?: (bytes: Uint8Array) => Uint8Array };
  return zstdCompressSync === undefined ? [smallZstd] : [zstdCompressSync(bytesOf(text)), smallZstd];
};

/** Returns the result of a reader: the bytes as text, and the refusal if there is one. Reads at most 64 MiB. */
async function outcome(bytes: Uint8Array, pieces: number, kind: string): Promise<readonly [string, string | null]> {
  const path = join(folder, `x.${kind}`);
  writeFileSync(path, bytes);
  async function* cut() {
    for (let at = 0; at < bytes.length; at += pieces) yield bytes.slice(at, at + pieces);
  }
  const read: Buffer[] = [];
  let length = 0;
  try {
    const source = await openBytes(pieces === 0 ? path : '-', {
      name: 'x',
      ...(pieces === 0 ? {} : { stdin: cut() }),
    });
    const target = new Uint8Array(1 << 16);
    for (let count = await source.read(target); count > 0 && length < 1 << 26; count = await source.read(target)) {
      read.push(Buffer.from(target.subarray(0, count)));
      length += count;
    }
    source.close?.();
    return [Buffer.concat(read).toString('latin1'), null];
  } catch (error) {
    if (!(error instanceof HalfspaceError)) throw error;
    return [Buffer.concat(read).toString('latin1'), error.message];
  }
}

function archiveTarget(kind: string, seeds: () => readonly Uint8Array[]): Target {
  return {
    name: kind,
    words: ['\x1f\x8b', '\x28\xb5\x2f\xfd', '\x50\x2a\x4d\x18', '\x00\x00\x00\x00'],
    seeds,
    async run(bytes, choice) {
      const [, fault] = await outcome(bytes, 0, kind);
      const [, faultInPieces] = await outcome(bytes, 1 + (choice % 50), kind);
      // The byte in the message is the start of the piece that could not be decompressed.
      const words = (text: string | null) => text?.replace(/, byte \d+/, '') ?? null;
      same('pieces change nothing', words(faultInPieces), words(fault));
    },
  };
}

export const archiveTargets: readonly Target[] = [
  archiveTarget('gzip', () => [
    zlib.gzipSync(text),
    Buffer.concat([zlib.gzipSync(text.slice(0, 300)), zlib.gzipSync(text.slice(300))]),
    zlib.gzipSync(Buffer.alloc(100_000)),
  ]),
  archiveTarget('zstd', zstdSeeds),
];
