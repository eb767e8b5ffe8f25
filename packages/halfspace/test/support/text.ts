import { bytesSource } from '../../src/data/in-memory.ts';
import type { ByteSource } from '../../src/data/source.ts';
import { TextSource, type TextSourceOptions } from '../../src/data/text.ts';
import { libsvmFormat } from '../../src/data/text-format.ts';
import { HalfspaceError } from '../../src/errors.ts';
import { BatchView } from '../../src/kernels/batch-view.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** One example as read: the label (NaN: none) and the features in their order. */
export interface ReadRow {
  readonly label: number;
  readonly features: readonly (readonly [index: number, value: number])[];
}

/** The result of a reading: the examples, the refused lines, and the error that ended it, if any. */
export interface Reading {
  readonly rows: ReadRow[];
  readonly rejected: { readonly message: string; readonly line: string }[];
  readonly error: HalfspaceError | null;
  readonly batches: number;
}

export function libsvmSource(
  kernels: Kernels,
  data: string | Uint8Array | ByteSource,
  options: Partial<TextSourceOptions> = {},
): TextSource {
  const source = typeof data === 'string' || data instanceof Uint8Array ? bytesSource(data, 'data.svm') : data;
  return new TextSource({
    open: () => [source],
    name: source.name,
    format: libsvmFormat(kernels),
    kernels,
    ...options,
  });
}

/** Reads all of a libsvm text; with `skip` refused lines are set aside instead of ending it. */
export async function readLibsvm(
  kernels: Kernels,
  data: string | Uint8Array | ByteSource,
  { skip = false, ...options }: Partial<TextSourceOptions> & { skip?: boolean } = {},
): Promise<Reading> {
  const rows: ReadRow[] = [];
  const rejected: Reading['rejected'] = [];
  const onReject: TextSourceOptions['onReject'] = ({ error, line }) => {
    rejected.push({ message: error.message, line: new TextDecoder().decode(line) });
  };
  let error: HalfspaceError | null = null;
  let batches = 0;
  try {
    for await (const batch of libsvmSource(kernels, data, { ...(skip ? { onReject } : {}), ...options }).batches()) {
      batches++;
      if (batch.kind === 'dense') throw new Error('libsvm text is sparse');
      const view = new BatchView(batch);
      for (let i = 0; i < batch.rows; i++) {
        const { count } = view.open(i);
        const features = Array.from({ length: count }, (_, k): [number, number] => [view.feature(k), view.value(k)]);
        rows.push({ label: batch.labels[i]!, features });
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof HalfspaceError)) throw thrown;
    error = thrown;
  }
  return { rows, rejected, error, batches };
}

/** Bytes that arrive in pieces of the given sizes, taken in turn. */
export function inPieces(data: Uint8Array, sizes: readonly number[], name = 'data.svm'): ByteSource {
  let at = 0;
  let turn = 0;
  return {
    name,
    read(target) {
      const size = Math.min(sizes[turn++ % sizes.length]!, target.length, data.length - at);
      target.set(data.subarray(at, at + size));
      at += size;
      return size;
    },
  };
}

/** Examples as libsvm text, zeros included. */
export const textOf = (data: readonly { readonly x: readonly number[]; readonly y: number | string }[]): string =>
  data.map(({ x, y }) => `${y} ${x.map((value, j) => `${j + 1}:${value}`).join(' ')}\n`).join('');

/** Small buffers, so that a few lines are many batches. */
export const smallBuffers = { textBytes: 256, batchRows: 3, batchValues: 40 };
