/**
 * Twelve dot products at once: of each of four rows with each of three others, all of one length. This is where nearly
 * all time of a factorisation goes (cholesky.ts), so it is a function of WebAssembly with SIMD, of which the
 * bytes are written here: about a hundred instructions, none of which rounds in another way than IEEE 754 says.
 *
 * A dot product is two sums, of the even and of the odd places. The caller adds them. `plainTile` computes the same
 * bits without WebAssembly.
 */
export type DotTile = (p: Rows, q: Rows, length: number, out: Float64Array) => void;

/** Positions of rows in the matrix, in doubles. */
type Rows = readonly number[];

/** Rows of the first and of the second factor. */
export const tileHeight = 4;
export const tileWidth = 3;

/** Memory for `doubles` numbers, and the tile that works in it. */
export interface TileMemory {
  readonly numbers: Float64Array;
  readonly tile: DotTile;
}

const page = 65_536;

/** The two sums of each product; they stand before the numbers. */
const outBytes = 16 * tileHeight * tileWidth;

/**
 * Returns memory of zeros.
 *
 * @throws RangeError if there is not so much memory.
 */
export function tileMemory(doubles: number): TileMemory {
  if (typeof WebAssembly === 'undefined') return plainMemory(doubles);
  const memory = new WebAssembly.Memory({ initial: Math.ceil((outBytes + 8 * doubles) / page) });
  const module = new WebAssembly.Module(moduleBytes());
  const { exports } = new WebAssembly.Instance(module, { m: { m: memory } });
  const run = exports.t as (...numbers: number[]) => void;
  const sums = new Float64Array(memory.buffer, 0, 2 * tileHeight * tileWidth);
  const address = (row: number) => outBytes + 8 * row;
  return {
    numbers: new Float64Array(memory.buffer, outBytes, doubles),
    tile(p, q, length, out) {
      run(
        address(p[0]!),
        address(p[1]!),
        address(p[2]!),
        address(p[3]!),
        address(q[0]!),
        address(q[1]!),
        address(q[2]!),
        8 * length,
      );
      for (let k = 0; k < tileHeight * tileWidth; k++) out[k] = sums[2 * k]! + sums[2 * k + 1]!;
    },
  };
}

/** The same without WebAssembly. */
export function plainMemory(doubles: number): TileMemory {
  const numbers = new Float64Array(doubles);
  return {
    numbers,
    tile(p, q, length, out) {
      for (let k = 0; k < tileHeight * tileWidth; k++) {
        const [a, b] = [p[Math.floor(k / tileWidth)]!, q[k % tileWidth]!];
        let even = 0;
        let odd = 0;
        for (let at = 0; at < length; at += 2) {
          even += numbers[a + at]! * numbers[b + at]!;
          odd += numbers[a + at + 1]! * numbers[b + at + 1]!;
        }
        out[k] = even + odd;
      }
    },
  };
}

/** Encodings of the instructions and types that the tile needs (WebAssembly core specification 2.0, chapter 5). */
const op = {
  get: 0x20,
  set: 0x21,
  i32: 0x7f,
  v128: 0x7b,
  addI32: [0x6a],
  constI32: 0x41,
  lessI32: [0x49],
  load: [0xfd, 0x00, 0x03, 0x00],
  store: (offset: number) => [0xfd, 0x0b, 0x03, ...leb(offset)],
  add: [0xfd, 0xf0, 0x01],
  mul: [0xfd, 0xf2, 0x01],
  loop: [0x03, 0x40],
  repeatIf: [0x0d, 0x00],
  end: 0x0b,
};

/** Parameters: four and three addresses, and the length in bytes, which is a multiple of 16 and not 0. */
function moduleBytes(): Uint8Array<ArrayBuffer> {
  const addresses = tileHeight + tileWidth;
  const length = addresses;
  const at = length + 1;
  const row = at + 1;
  const columns = row + 1;
  const sums = columns + tileWidth;
  const loadFrom = (address: number) => [...get(address), ...get(at), ...op.addI32, ...op.load];
  const body = [...op.loop];
  for (let c = 0; c < tileWidth; c++) body.push(...loadFrom(tileHeight + c), ...set(columns + c));
  for (let r = 0; r < tileHeight; r++) {
    body.push(...loadFrom(r), ...set(row));
    for (let c = 0; c < tileWidth; c++) {
      const sum = sums + r * tileWidth + c;
      body.push(...get(sum), ...get(row), ...get(columns + c), ...op.mul, ...op.add, ...set(sum));
    }
  }
  body.push(...get(at), op.constI32, 16, ...op.addI32, ...set(at));
  body.push(...get(at), ...get(length), ...op.lessI32, ...op.repeatIf, op.end);
  for (let k = 0; k < tileHeight * tileWidth; k++) body.push(op.constI32, 0, ...get(sums + k), ...op.store(16 * k));
  const locals = [2, 1, op.i32, 1 + tileWidth + tileHeight * tileWidth, op.v128];
  const code = [...locals, ...body, op.end];
  const parameters = new Array(addresses + 1).fill(op.i32);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, parameters.length, ...parameters, 0]),
    ...section(2, [1, 1, 0x6d, 1, 0x6d, 0x02, 0x00, 0x00]),
    ...section(3, [1, 0]),
    ...section(7, [1, 1, 0x74, 0x00, 0]),
    ...section(10, [1, ...leb(code.length), ...code]),
  ]);
}

function get(local: number): number[] {
  return [op.get, local];
}

function set(local: number): number[] {
  return [op.set, local];
}

function section(id: number, content: number[]): number[] {
  return [id, ...leb(content.length), ...content];
}

/** Returns a whole number ≥ 0 as WebAssembly stores it. */
function leb(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)];
}
