import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { benchFolder, output } from '../run/process.mjs';

/**
 * Compresses a file, as `gzip -6` and as `zstd -3 --check` do, unless that was done before.
 *
 * @param {string} file relative to the bench folder, as the results are
 * @param {string | null} python an interpreter that may have the module `zstandard`
 * @returns {{ gzip: string, zstd: string | null }} null without a program that compresses
 */
export function compressed(file, python) {
  const gzip = `${file}.gz`;
  if (!existsSync(join(benchFolder, gzip))) {
    writeFileSync(join(benchFolder, `${gzip}.making`), gzipSync(readFileSync(join(benchFolder, file)), { level: 6 }));
    renameSync(join(benchFolder, `${gzip}.making`), join(benchFolder, gzip));
  }
  const zstd = `${file}.zst`;
  if (existsSync(join(benchFolder, zstd))) return { gzip, zstd };
  const script =
    'import sys, zstandard\nwith open(sys.argv[1], "rb") as f, open(sys.argv[2], "wb") as to: zstandard.ZstdCompressor(3, write_checksum=True).copy_stream(f, to)';
  const made =
    output(['zstd', '-q', '-3', '--check', '-f', file, '-o', zstd]) ??
    (python === null ? null : output([python, '-c', script, file, zstd]));
  return { gzip, zstd: made === null ? null : zstd };
}
