import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkModelName } from '../../src/models/model-name.ts';
import { filesByName, nameOfFile } from '../../src/serve/serve.ts';

test('a model has the name of its file, in the letters that names may have', () => {
  expect(nameOfFile('models/penguins.model.json')).toBe('penguins');
  expect(nameOfFile('/a/Größe 2.MODEL.JSON')).toBe('gr-e-2');
  expect(nameOfFile('...ok')).toBe('ok');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (path) => {
      try {
        checkModelName(nameOfFile(path));
      } catch (error) {
        expect((error as Error).message).toContain('expected a file whose name has a letter or a digit');
      }
    }),
  );
});

test('two files of one name are refused', () => {
  expect([...filesByName(['a/x.json', 'y.model.json'])]).toEqual([
    ['x', 'a/x.json'],
    ['y', 'y.model.json'],
  ]);
  expect(() => filesByName(['a/x.json', 'b/X.model.json'])).toThrow('which both become "x"');
});
