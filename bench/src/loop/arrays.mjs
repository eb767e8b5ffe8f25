import { readFileSync } from 'node:fs';

/** The examples that `arrayWriter` wrote as `PREFIX.offsets`, `.indices`, `.values` and `.labels`. */
export function readArrays(prefix) {
  const bytes = (part) => {
    const { buffer, byteOffset, byteLength } = readFileSync(`${prefix}.${part}`);
    return buffer.slice(byteOffset, byteOffset + byteLength); // a small file shares a pool, at any offset
  };
  const labels = new Float64Array(bytes('labels'));
  return {
    rows: labels.length,
    labels,
    offsets: new Uint32Array(bytes('offsets')),
    indices: new Uint32Array(bytes('indices')),
    values: new Float64Array(bytes('values')),
  };
}
