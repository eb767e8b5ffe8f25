import { ZSTDDecoder } from 'zstddec/stream';

/** What is used of the reference implementation, compiled to WebAssembly. */
interface ZstdExports {
  readonly memory: WebAssembly.Memory;
  malloc(bytes: number): number;
  ZSTD_createDCtx(): number;
  /** Returns 0 at the end of a frame, the number of bytes that are wanted next as an unsigned number, or an error code as {@link isError} knows it. */
  ZSTD_decompressStream(context: number, output: number, input: number): number;
  ZSTD_DStreamInSize(): number;
  ZSTD_DStreamOutSize(): number;
}

/**
 * Returns whether a result is an error: the largest unsigned numbers are error codes, `ZSTD_error_maxCode` (120) of them (zstd_errors.h), which
 * come here as small negative ones. Other negative numbers are sizes from 2 GiB up: a skippable frame may be as long. One that is within 120 bytes of 4 GiB cannot be told from an error, and is refused.
 */
function isError(result: number): boolean {
  return result < 0 && result > -120;
}

/** Errors of `zstd_errors.h` that say more than that bytes are damaged. */
const reasons: Readonly<Record<number, string>> = {
  10: 'what follows is no frame',
  14: 'a feature of a newer version',
  16: 'a window of more than 128 MiB, or a damaged header: decompress it first with zstd --long=31',
  20: 'a block that is none',
  22: 'a checksum that does not fit',
  32: 'a dictionary is needed',
  64: 'not enough memory',
};

/**
 * The decoder of the package `zstddec`, which is the reference implementation compiled to WebAssembly. The package's own loop around it
 * takes no notice of errors, so only its compiled module is used, which it hands to `_init`.
 */
const moduleOfPackage = (() => {
  let module: Promise<WebAssembly.Module> | null = null;
  return (): Promise<WebAssembly.Module> => {
    module ??= new Promise((resolve, reject) => {
      const decoder = new ZSTDDecoder();
      decoder._init = (result) => resolve(result.module);
      decoder.init().catch(reject);
    });
    return module;
  };
})();

/** Decompresses one stream, in memory of its own, which is given back with the decoder. */
export class ZstdDecoder {
  readonly #exports: ZstdExports;
  readonly #context: number;
  readonly #input: Room;
  readonly #output: Room;
  #begun = false;
  #between = false;
  #taken = 0;

  private constructor(exports: ZstdExports) {
    this.#exports = exports;
    this.#context = exports.ZSTD_createDCtx();
    this.#input = new Room(exports, exports.ZSTD_DStreamInSize());
    this.#output = new Room(exports, exports.ZSTD_DStreamOutSize());
  }

  static async create(): Promise<ZstdDecoder> {
    const module = await moduleOfPackage();
    // Views of the memory are made anew for every use, so its growth need not be told.
    const env = { emscripten_notify_memory_growth: () => {} };
    const instance = await WebAssembly.instantiate(module, { env });
    return new ZstdDecoder(instance.exports as unknown as ZstdExports);
  }

  /** Bytes of the archive taken so far. */
  get byte(): number {
    return this.#taken;
  }

  /** Whether the bytes so far end with a whole frame. */
  get isBetweenFrames(): boolean {
    return this.#begun && this.#between;
  }

  /** The bytes that a piece of the archive adds, in new arrays of at most 128 KiB; a text instead says why they cannot be read, and ends it. */
  *decode(piece: Uint8Array): Generator<Uint8Array | string> {
    const [input, output] = [this.#input, this.#output];
    for (let at = 0; at < piece.length; at += input.size) {
      input.fill(piece.subarray(at, at + input.size));
      const before = this.#taken;
      do {
        output.clear();
        const left = this.#exports.ZSTD_decompressStream(this.#context, output.pointer, input.pointer);
        this.#begun = true;
        this.#taken = before + input.position;
        if (isError(left)) {
          yield reasons[-left] ?? `zstd error ${-left}`;
          return;
        }
        this.#between = left === 0;
        if (output.position > 0) yield output.contents();
        // A full output may not be all that there is.
      } while (input.position < input.length || (output.position === output.size && !this.#between));
    }
  }
}

/** A `ZSTD_inBuffer` or `ZSTD_outBuffer`: an address, a length and a position, 32 bits each. */
class Room {
  readonly pointer: number;
  readonly size: number;
  readonly #exports: ZstdExports;
  readonly #data: number;

  constructor(exports: ZstdExports, size: number) {
    this.#exports = exports;
    this.size = size;
    this.#data = exports.malloc(size);
    this.pointer = exports.malloc(12);
  }

  get #fields(): Uint32Array {
    return new Uint32Array(this.#exports.memory.buffer, this.pointer, 3);
  }

  get length(): number {
    return this.#fields[1]!;
  }

  get position(): number {
    return this.#fields[2]!;
  }

  /** To be read: these bytes, of at most `size`. */
  fill(bytes: Uint8Array): void {
    new Uint8Array(this.#exports.memory.buffer, this.#data, bytes.length).set(bytes);
    this.#fields.set([this.#data, bytes.length, 0]);
  }

  /** To be written: all of it is free. */
  clear(): void {
    this.#fields.set([this.#data, this.size, 0]);
  }

  contents(): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer, this.#data, this.position).slice();
  }
}
