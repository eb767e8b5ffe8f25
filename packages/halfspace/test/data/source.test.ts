import { expect, test } from 'vitest';
import { arraySource } from '../../src/data/in-memory.ts';
import { openSource } from '../../src/data/open-source.ts';
import type { OpenSourceOptions, Source } from '../../src/data/source.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import { libsvmSource } from '../support/text.ts';

const options: OpenSourceOptions = { kernels: createKernels() };
const examples = arraySource([]);

test('a source is opened with the options of the run, and keeps its `this`', async () => {
  const source = {
    name: 'mine',
    opened: [] as OpenSourceOptions[],
    async open(given: OpenSourceOptions) {
      this.opened.push(given);
      return examples;
    },
  } satisfies Source & { opened: OpenSourceOptions[] };
  expect(await openSource(source, options)).toBe(examples);
  expect(source.opened).toEqual([options]);
});

test('a source of examples is used as it is', async () => {
  expect(await openSource(examples, options)).toBe(examples);
});

test.each([undefined, null, 'data.csv', [[1, 2]], {}])('anything else is refused: %j', async (given) => {
  await expect(openSource(given as never, options)).rejects.toThrow("expected a source, such as csv('data.csv')");
});

test('the positive class that a source names is learned against the rest, unless the run names another', async () => {
  const classesOf = async (positive?: string) => {
    const source = libsvmSource(options.kernels, '1 1:1\n2 2:1\n3 3:1\n');
    Object.defineProperty(source, 'positive', { value: '2' });
    return (await trainOnce(source, { kernels: options.kernels, positive })).model.classes;
  };
  expect(await classesOf()).toEqual(['not 2', '2']);
  expect(await classesOf('3')).toEqual(['not 3', '3']);
});
