import { Buffer } from 'node:buffer';
import { zstdModule } from './zstd-module.ts';

/** The functions of the reference implementation in WebAssembly that are used here. */
interface ZstdExports {
  readonly memory: WebAssembly.Memory;
  malloc(bytes: number): number;
  ZSTD_createDCtx(): number;
  /**
   * Returns 0 at the end of a frame, the suggested size of the next input as an unsigned number, or an error code, see
   * {@link isError}.
   */
  ZSTD_decompressStream(context: number, output: number, input: number): number;
  ZSTD_DStreamInSize(): number;
  ZSTD_DStreamOutSize(): number;
}

/**
 * Tests if a result is an error. The 120 largest unsigned numbers are error codes (`ZSTD_error_maxCode`,
 * zstd_errors.h); here they are small negative numbers. Other negative numbers are sizes from 2 GiB up, which a
 * skippable frame can have. A frame within 120 bytes of 4 GiB looks like an error and is refused.
 */
function isError(result: number): boolean {
  return result < 0 && result > -120;
}

/** Messages for errors of `zstd_errors.h` that have a more precise reason than damaged bytes. */
const reasons: Readonly<Record<number, string>> = {
  10: 'the bytes after the last frame are no frame',
  14: 'a feature of a newer version',
  16: 'a window of more than 128 MiB, or a damaged header: decompress it first with zstd --long=31',
  20: 'an invalid block',
  22: 'a wrong checksum',
  32: 'a dictionary is needed',
  64: 'not enough memory',
};

/** Compiles the module once. */
const compiled = (() => {
  let module: Promise<WebAssembly.Module> | null = null;
  return (): Promise<WebAssembly.Module> => {
    module ??= WebAssembly.compile(Buffer.from(zstdModule, 'base64'));
    return module;
  };
})();

/** Decompresses one stream. It has its own memory, which is freed with the decoder. */
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
    const module = await compiled();
    // Views of the memory are created for every use, so a notification of its growth is not needed.
    const env = { emscripten_notify_memory_growth: () => {} };
    const instance = await WebAssembly.instantiate(module, { env });
    return new ZstdDecoder(instance.exports as unknown as ZstdExports);
  }

  /** Number of bytes of the archive consumed so far. */
  get byte(): number {
    return this.#taken;
  }

  /** True if the bytes so far end with a complete frame. */
  get isBetweenFrames(): boolean {
    return this.#begun && this.#between;
  }

  /**
   * Yields the bytes that a piece of the archive decodes to, at most 128 KiB at once and valid until the next are
   * requested. In case of an error, yields its text and ends.
   */
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
        // If the output is full, there may be more.
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

  /** Makes these bytes, at most `size`, the input. */
  fill(bytes: Uint8Array): void {
    new Uint8Array(this.#exports.memory.buffer, this.#data, bytes.length).set(bytes);
    this.#fields.set([this.#data, bytes.length, 0]);
  }

  /** Makes the whole buffer free for output. */
  clear(): void {
    this.#fields.set([this.#data, this.size, 0]);
  }

  contents(): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer, this.#data, this.position);
  }
}
