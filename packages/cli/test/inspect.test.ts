import fc from 'fast-check';
import { decodeModel, HalfspaceError } from 'halfspace';
import { describe, expect, it } from 'vitest';
import { changeAt } from '../../halfspace/test/support/change-at.ts';
import { shapes, signed } from '../../halfspace/test/support/models.ts';
import { inspectionJson, inspectionText } from '../src/commands/inspect.ts';

describe('a model that was changed and signed again', () => {
  it('is refused when it is read, or inspected without a fault', () => {
    const values = fc.oneof(
      fc.constantFrom<unknown>(0, 1, -1, 2, 255, 4096, 2 ** 20, 2 ** 24, 2 ** 28, 5e-324, 1e308, -1e308),
      fc.constantFrom<unknown>(null, '', 'x', [], {}, true, [0], 'table', 'hashed'),
    );
    const change = fc.tuple(fc.array(fc.nat(400), { minLength: 1, maxLength: 5 }), values);
    let inspected = 0;
    fc.assert(
      fc.property(fc.constantFrom(...shapes), change, ([, model], [path, value]) => {
        const text = signed(model, (body) => changeAt(body, path, value, ['format', 'version']));
        let read: ReturnType<typeof decodeModel>;
        try {
          read = decodeModel(text);
        } catch (error) {
          if (error instanceof HalfspaceError) return;
          throw error;
        }
        inspected++;
        expect(inspectionText(read, 'model.json', 20)).toContain('model.json');
        expect(JSON.stringify(inspectionJson(read, 20))).toContain(read.rule === '' ? '{' : '"rule"');
      }),
      { numRuns: 1500 },
    );
    expect(inspected).toBeGreaterThan(12);
  });
});
