import type { Block } from '../../../src/kernels/block.ts';
import type { NameEntries, NameTableMemory, RowBlocks } from '../../../src/kernels/kernels.ts';
import * as layout from '../../../src/kernels/layout.ts';
import { ReferenceKernels } from '../../../src/kernels/reference.ts';
import { parseLibsvmReference } from './libsvm.ts';
import { ReferenceNames } from './names.ts';
import { parseVwReference } from './vw.ts';

/** The kernels in plain TypeScript, with readers of text by the definition of the formats. */
export class TextReferenceKernels extends ReferenceKernels {
  override parseLibsvm(
    text: Block<Uint8Array>,
    rows: RowBlocks,
    report: Block<Float64Array>,
    compactly = false,
  ): number {
    return parseLibsvmReference(text.array, rows, report.array, compactly);
  }

  override parseVw(
    text: Block<Uint8Array>,
    rows: RowBlocks,
    names: NameTableMemory | null,
    bits: number,
    report: Block<Float64Array>,
    compactly = false,
  ): number {
    return parseVwReference(text.array, rows, names, bits, report.array, compactly);
  }

  override internNames(
    { block, from, count }: NameEntries,
    names: NameTableMemory,
    numbers: Block<Uint32Array>,
    at: number,
  ): void {
    const table = new ReferenceNames(names);
    const { array } = block;
    const view = new DataView(array.buffer, array.byteOffset, array.byteLength);
    let p = from;
    for (let i = 0; i < count; i++) {
      const end = p + layout.nameHeaderBytes + view.getUint32(p + 4, true);
      numbers.array[at + i] = table.intern(array.subarray(p + layout.nameHeaderBytes, end));
      p = end;
    }
  }
}
