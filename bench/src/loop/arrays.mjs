import { readFileSync } from 'node:fs';

/** The bytes of a file from the start of a buffer: a small file shares a pool, at any offset. */
function bytesOf(path) {
  const { buffer, byteOffset, byteLength } = readFileSync(path);
  return buffer.slice(byteOffset, byteOffset + byteLength);
}

/** The examples that `arrayWriter` wrote as `PREFIX.offsets`, `.indices`, `.values` and `.labels`. */
export function readArrays(prefix) {
  const labels = new Float64Array(bytesOf(`${prefix}.labels`));
  return {
    rows: labels.length,
    labels,
    offsets: new Uint32Array(bytesOf(`${prefix}.offsets`)),
    indices: new Uint32Array(bytesOf(`${prefix}.indices`)),
    values: new Float64Array(bytesOf(`${prefix}.values`)),
  };
}

/** The dense rows that `denseArrayWriter` wrote as `PREFIX.values` and `.labels`. */
export function readDenseArrays(prefix) {
  const labels = new Float64Array(bytesOf(`${prefix}.labels`));
  return { rows: labels.length, labels, values: new Float32Array(bytesOf(`${prefix}.values`)) };
}
