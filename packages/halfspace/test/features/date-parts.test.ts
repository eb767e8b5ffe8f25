import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { partNames, partOf } from '../../src/features/date/parts.ts';
import type { FitColumn } from '../../src/features/fit-table.ts';
import { dateCell } from '../../src/features/table-cell.ts';
import type { DateColumn } from '../../src/features/table-encoding.ts';
import { featureNames } from '../../src/features/table-feature-names.ts';
import { encodedColumns, encodedObject, fitted, parseTableEncoding } from '../support/tables.ts';

const columns = (options = {}): FitColumn[] => [{ name: 't', kind: 'date', options }];
const partsOf = (cells: string[], options = {}) => (fitted(columns(options), [cells]).columns[0] as DateColumn).parts;

/** Dates at equal distances, in days or hours. */
function dates(count: number, days: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    new Date(Date.UTC(2019, 0, 1) + Math.round(i * days * 86_400_000)).toISOString().slice(0, 19),
  );
}

describe('parts of dates', () => {
  it('equal those of the calendar, for every second', () => {
    forAll(fc.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') }), (date) => {
      const whole = new Date(Math.floor(date.getTime() / 1000) * 1000);
      const day = dateCell(whole.toISOString());
      expect(partOf('month', day)).toBe(whole.getUTCMonth());
      expect(partOf('weekday', day)).toBe((whole.getUTCDay() + 6) % 7);
      expect(partOf('hour', day)).toBe(whole.getUTCHours());
    });
    expect(partNames('weekday')[partOf('weekday', dateCell('2024-02-29'))]).toBe('Thursday');
    expect(partOf('month', 1e12)).toBe(-1);
  });

  it('become features if they vary and the dates span enough, unless the options say otherwise', () => {
    expect(partsOf(dates(60, 7.3))).toEqual(['month', 'weekday', 'hour']);
    expect(partsOf(dates(60, 7))).toEqual(['month']);
    expect(partsOf(dates(60, 1))).toEqual(['weekday']);
    const months = Array.from(
      { length: 60 },
      (_, i) => `${2000 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}-01`,
    );
    expect(partsOf(months)).toEqual(['month']);
    expect(partsOf(months.map((_, i) => `${1950 + i}-01-01`))).toBeUndefined();
    expect(partsOf(dates(60, 1 / 24))).toEqual(['hour']);
    expect(partsOf(dates(49, 8))).toBeUndefined();
    expect(partsOf(dates(60, 7.3), { parts: [] })).toBeUndefined();
    expect(partsOf(dates(60, 7.3), { bins: 4 })).toBeUndefined();
    expect(partsOf(dates(3, 1), { parts: ['month', 'hour'] })).toEqual(['month', 'hour']);
  });

  it('are features after the date, and a missing date has none', () => {
    const cells = ['2024-02-29T07:00', '2024-03-01', '?'];
    const encoding = fitted(columns({ parts: ['weekday', 'hour'] }), [cells]);
    const names = featureNames(encoding);
    expect(names).toHaveLength(1 + 7 + 24 + 1);
    const told = encodedColumns(encoding, columns(), [cells]).map((row) => row.map(([j]) => names[j]));
    expect(told).toEqual([
      ['t', 't weekday=Thursday', 't hour=7'],
      ['t', 't weekday=Friday', 't hour=0'],
      ['t missing'],
    ]);
    expect(JSON.stringify(parseTableEncoding(JSON.parse(JSON.stringify(encoding))))).toBe(JSON.stringify(encoding));
    for (const parts of [[], ['hour', 'weekday'], ['month', 'month'], ['year'], 'month']) {
      const changed = JSON.parse(JSON.stringify(encoding));
      changed.columns[0].parts = parts;
      expect(() => parseTableEncoding(changed)).toThrow(expect.objectContaining({ code: 'model-invalid' }));
    }
  });

  it('have the same bits for plain objects', () => {
    const cell = fc.oneof(
      fc
        .date({ noInvalidDate: true, min: new Date('1900-01-01'), max: new Date('2100-12-31') })
        .map((date) => date.toISOString()),
      fc.constantFrom('', '2020/02/29 23:59:59.9', '1969-12-31'),
    );
    forAll(fc.array(cell, { minLength: 3 }), fc.array(cell, { minLength: 1 }), (seen, fresh) => {
      const encoding = fitted(columns({ parts: ['month', 'weekday', 'hour'] }), [seen]);
      if (encoding.columns.length === 0) return;
      encodedColumns(encoding, columns(), [fresh]).forEach((row, i) => {
        expect(row).toEqual(encodedObject(encoding, columns(), [fresh], i));
      });
    });
  });
});
