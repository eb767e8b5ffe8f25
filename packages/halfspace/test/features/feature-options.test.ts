import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { checkColumnNames, parseFeatureOptions } from '../../src/features/feature-options.ts';
import { openedRows } from '../support/tables.ts';

const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../../src/features/features.schema.json'), 'utf8'));
const validate = new Ajv2020({ strict: true, strictTypes: false }).compile(schema);

const whole = {
  columns: {
    age: { kind: 'number', bins: 10 },
    msg: { kind: 'text', words: [1, 2], characters: [3, 5], weighting: 'tf-idf', bits: 18, names: true },
    note: { words: null, characters: [2, 4], lowercase: false, least: 3, most: 1000, lift: 2.5 },
    city: { kind: 'category', rare: 5 },
    seen: { kind: 'date', bins: 4 },
    born: { kind: 'date', parts: ['month', 'weekday'] },
    id: { kind: 'drop' },
    ['__proto__']: { kind: 'boolean' },
  },
  crosses: [['sex', 'occupation']],
};

describe('feature options', () => {
  it('are read from JSON, and fit their schema', () => {
    expect(validate(whole), JSON.stringify(validate.errors)).toBe(true);
    const options = parseFeatureOptions(whole);
    expect(options).toEqual({ ...whole, columns: { ...whole.columns, note: { kind: 'text', ...whole.columns.note } } });
    expect(parseFeatureOptions({})).toEqual({ columns: {}, crosses: [] });
  });

  it('imply their kind of column', () => {
    const kind = (options: object) => parseFeatureOptions({ columns: { x: options } }).columns!.x!.kind;
    expect([kind({ bins: 3 }), kind({ rare: 2 }), kind({ bits: 9 }), kind({})]).toEqual([
      'number',
      'category',
      'text',
      undefined,
    ]);
  });

  it.each<[unknown, string]>([
    [[], 'expected "features" to be an object; got []'],
    [{ column: {} }, 'expected the options columns, crosses in "features"; got "column"; did you mean "columns"?'],
    [{ columns: { x: 'text' } }, 'expected "columns.x" to be an object; got "text"'],
    [
      { columns: { x: { kind: 'txt' } } },
      'expected "columns.x.kind" to be number, category, text, date, boolean, set or drop; got "txt"',
    ],
    [{ columns: { x: { bin: 3 } } }, 'got "bin"; did you mean "bins"?'],
    [{ columns: { x: { bins: 1 } } }, 'expected "columns.x.bins" to be a whole number in [2, 1000]; got 1'],
    [
      { columns: { x: { kind: 'text', bins: 4 } } },
      'expected options of a text column in "columns.x"; got "bins", which is for number or date columns',
    ],
    [
      { columns: { x: { rare: 2, words: [1, 2] } } },
      'expected options of a category column in "columns.x"; got "words", which is for text columns',
    ],
    [
      { columns: { x: { words: [2, 1] } } },
      'expected "columns.x.words" to be null, or two rising whole numbers in [1, 8]; got [2,1]',
    ],
    [
      { columns: { x: { words: null } } },
      'expected "columns.x" to be n-grams of words or of characters; got "neither"',
    ],
    [
      { columns: { x: { bits: 12, most: 9 } } },
      'expected "columns.x.most" to be absent where "bits" hash the terms; got 9',
    ],
    [{ columns: { x: { names: true } } }, '"columns.x.names" to be an option of hashed terms'],
    [{ columns: { x: { weighting: 'tfidf' } } }, '"columns.x.weighting" to be tf-idf, counts or binary; got "tfidf"'],
    [
      { columns: { x: { parts: ['hour', 'month'] } } },
      'expected "columns.x.parts" to be some of month, weekday, hour, in this order; got ["hour","month"]',
    ],
    [{ columns: { x: { kind: 'date', bins: 2, parts: [] } } }, 'to be absent where "bins" cut the dates; got []'],
    [{ crosses: [['a']] }, 'expected "crosses[0]" to be two names of columns; got ["a"]'],
    [{ crosses: [['a', 'a']] }, 'expected "crosses[0]" to be two different columns'],
  ])('refuse %j', (value, message) => {
    expect(() => parseFeatureOptions(value)).toThrow(
      expect.objectContaining({ code: 'option-invalid', message: expect.stringContaining(message) }),
    );
  });

  it('are never accepted if their schema refuses them', () => {
    const value = fc.oneof(
      fc.constantFrom(null, true, 0, 1, 2, 30, 'text', 'counts', 'x'),
      fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 3 }),
    );
    const names = [...Object.keys(schema.properties.columns.additionalProperties.properties), 'other'];
    forAll(2000, fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 }), (column) => {
      const options = { columns: { x: column } };
      try {
        parseFeatureOptions(options);
      } catch {
        return;
      }
      expect(validate(options), JSON.stringify(options)).toBe(true);
    });
  });

  it('name existing columns; else the error names the nearest one', () => {
    const known = ['age', 'occupation', 'native-country'];
    expect(() => checkColumnNames({ columns: { Occupaton: {} } }, known)).toThrow(
      'expected one of the columns age, occupation, native-country; got "Occupaton"; did you mean "occupation"?',
    );
    expect(() => checkColumnNames({ crosses: [['age', 'weather']] }, known)).toThrow(/got "weather"$/);
    expect(() => checkColumnNames({ columns: { age: {} } }, known)).not.toThrow();
  });

  it('apply to plain objects', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => ({
      n: i % 4,
      m: i % 2 ? 'go home' : 'stay',
      id: i,
      y: i % 3 === 0,
    }));
    const encoding = async (features: object) => (await openedRows(rows, { label: 'y', features })).encoding();
    expect(
      await encoding({ columns: { n: { kind: 'category' }, m: { kind: 'text' }, id: { kind: 'drop' } }, crosses: [] }),
    ).toMatchObject({
      columns: [
        { kind: 'category', levels: ['0', '1', '2', '3'] },
        { kind: 'text', terms: { names: ['go', 'home', 'stay'] } },
      ],
      leftOut: [{ name: 'id', reason: 'dropped' }],
    });
    await expect(encoding({ columns: { y: { kind: 'drop' } } })).rejects.toThrow(
      'expected the kind category or none for the label column "y", whose classes are its texts; got "drop"',
    );
    await expect(encoding({ crosses: [['n', 'm']] })).rejects.toThrow(
      'expected columns to cross to be categories, or numbers with "bins"; got "n", a number',
    );
  });
});
