import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/**
 * The digits of two IDX files in `folder`, as sparse rows of pixels in [0, 1] and their classes.
 *
 * @returns {{ rows: { indices: number[], values: number[] }[], digits: Uint8Array }}
 */
export function readMnist(folder) {
  const bytes = (name) => gunzipSync(readFileSync(join(folder, `mnist10k-${name}-ubyte.gz`)));
  const labels = bytes('labels-idx1');
  const images = bytes('images-idx3');
  if (labels.readUInt32BE(0) !== 2049 || images.readUInt32BE(0) !== 2051)
    throw new Error(`expected IDX files of bytes in ${folder}; got others`);
  const count = images.readUInt32BE(4);
  const pixels = images.readUInt32BE(8) * images.readUInt32BE(12);
  const rows = Array.from({ length: count }, (_, i) => {
    const image = images.subarray(16 + i * pixels, 16 + (i + 1) * pixels);
    const indices = [...image.keys()].filter((j) => image[j] > 0);
    return { indices, values: indices.map((j) => image[j] / 255) };
  });
  return { rows, digits: Uint8Array.from(labels.subarray(8, 8 + count)) };
}
