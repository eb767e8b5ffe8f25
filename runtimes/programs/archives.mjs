// Writes archives of one text into the folder given: whole, joined, cut, damaged, with other things before and behind. Needs a runtime with zstd.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';

const [, , folder, textPath] = process.argv;
const text = readFileSync(textPath);
const lines = text.toString().split(/(?<=\n)/);
const halves = [lines.slice(0, lines.length / 2), lines.slice(lines.length / 2)].map((half) =>
  Buffer.from(half.join('')),
);
const checked = (bytes) => zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
const skippable = Buffer.concat([Buffer.from([0x50, 0x2a, 0x4d, 0x18, 5, 0, 0, 0]), Buffer.from('hello')]);

for (const [kind, compress] of [
  ['gz', gzipSync],
  ['zst', zstdCompressSync],
  ['checked.zst', checked],
]) {
  const write = (name, ...parts) => writeFileSync(join(folder, `${name}.svm.${kind}`), Buffer.concat(parts));
  const whole = compress(text);
  write('whole', whole);
  write('joined', ...halves.map(compress));
  write('empty-member', compress(Buffer.alloc(0)), whole, compress(Buffer.alloc(0)));
  write('zeros-behind', whole, Buffer.alloc(100));
  write('garbage-behind', whole, Buffer.from('garbage that is no archive'));
  write('magic-behind', whole, whole.subarray(0, 4));
  for (const share of [0.1, 0.5, 0.9, 0.999])
    write(`cut-${share}`, whole.subarray(0, Math.floor(whole.length * share)));
  write('second-cut', compress(halves[0]), compress(halves[1]).subarray(0, -3));
  for (let k = 0; k < 8; k++) {
    const damaged = Buffer.from(whole);
    const bit = Math.floor(((k + 0.5) / 8) * 8 * whole.length);
    damaged[bit >> 3] ^= 1 << (bit & 7);
    write(`bit-${k}`, damaged);
  }
  if (kind === 'gz') continue;
  write('skippable-before', skippable, whole);
  write('skippable-between', compress(halves[0]), skippable, compress(halves[1]));
  write('skippable-behind', whole, skippable);
}
