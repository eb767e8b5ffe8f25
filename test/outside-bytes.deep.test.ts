import { HalfspaceError } from 'halfspace';
import { expect, test } from 'vitest';
import { changed, edits } from './outside-bytes/mutate.ts';
import { type Target, targets } from './outside-bytes/targets.ts';
import { fc, forAllAsync } from './support/properties.ts';

/** Reads bytes. All but a result, or a refusal in one line without words of the runtime, fails. */
async function readOrRefused({ read }: Target, bytes: Uint8Array, choice: number): Promise<void> {
  try {
    await read(bytes.slice(), choice);
  } catch (error) {
    if (!(error instanceof HalfspaceError)) throw error;
    expect(error.message).not.toMatch(/[\n\r]/);
    expect(error.message.replace(/"(?:[^"\\]|\\.)*("|…)/g, '')).not.toMatch(/undefined|\[object|INTERNAL/);
    expect(error.message.length).toBeLessThan(3000);
  }
}

test.each(targets)('$name: any bytes are read or refused', async (target) => {
  const seeds = await target.seeds();
  for (const bytes of [...seeds, ...(target.once ?? [])]) await readOrRefused(target, bytes, 1);
  const seed = fc.constantFrom(...seeds);
  await forAllAsync(
    target.runs ?? 400,
    seed,
    seed,
    edits,
    fc.boolean(),
    fc.boolean(),
    fc.nat(),
    async (from, other, some, json, valid, choice) => {
      const change = (bytes: Uint8Array) => changed(bytes, other, some, json);
      await readOrRefused(target, (valid ? target.sealed?.(from, change, choice) : null) ?? change(from), choice);
    },
  );
});
