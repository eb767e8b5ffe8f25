/**
 * Decompresses a file alone, with the decoder that halfspace uses: zlib of Node in pieces of 1 MiB, or its own decoder of
 * zstd. Prints {"seconds", "bytes"}, without the start of the process.
 */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

const [file] = process.argv.slice(2);
const pieces = createReadStream(file, { highWaterMark: 1 << 20 });
const decoder = file.endsWith('.gz') ? null : await zstdDecoder();
const began = performance.now();
let bytes = 0;
if (decoder === null) {
  for await (const output of pieces.pipe(createGunzip({ chunkSize: 1 << 20 }))) bytes += output.length;
} else {
  for await (const piece of pieces) for (const output of decoder.decode(piece)) bytes += output.length;
}
console.log(JSON.stringify({ seconds: (performance.now() - began) / 1000, bytes }));

async function zstdDecoder() {
  const { ZstdDecoder } = await import('../../../packages/halfspace/dist/node/zstd/decoder.js');
  return ZstdDecoder.create();
}
