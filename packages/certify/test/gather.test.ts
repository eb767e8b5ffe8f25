import { csv } from 'halfspace';
import { expect, test } from 'vitest';
import { gather } from '../src/gather.ts';

test('any source is gathered, with the numbers of its columns as they are', async () => {
  const { examples, classes } = await gather(csv('width,height,kind\n2,1,cat\n0,7,dog\n', { label: 'kind' }));
  expect(classes).toEqual(['cat', 'dog']);
  expect([...examples.labels]).toEqual([-1, 1]);
  expect([...examples.offsets]).toEqual([0, 2, 3]);
  expect([...examples.values]).toEqual([2, 1, 7]);
});
