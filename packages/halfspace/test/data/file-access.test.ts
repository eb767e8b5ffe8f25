import { expect, test } from 'vitest';
import { storeOptions } from '../../src/data/input/file-access.ts';
import { spillDouble } from '../support/spill.ts';

test('examples beyond the memory budget go to a temporary file, unless another storage is given', async () => {
  const { spill, memoryBudget } = await storeOptions({ memoryBudget: 10 });
  expect(memoryBudget).toBe(10);
  const file = spill!();
  try {
    expect([file.append(Uint8Array.of(1, 2, 3)), file.append(Uint8Array.of(4, 5))]).toEqual([0, 3]);
    const read = new Uint8Array(4);
    file.read(1, read);
    expect([...read]).toEqual([2, 3, 4, 5]);
  } finally {
    file.close();
  }
  const double = spillDouble();
  expect(await storeOptions({ spill: double.open })).toEqual({ spill: double.open });
  expect(double.opened).toBe(0);
});
