import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { dayNumber, weekDay } from '../../src/features/date/calendar.ts';
import { FormatTally, formatsOf, wholeFormat, wordsBefore } from '../../src/features/date/evidence.ts';
import { type DateFormat, dateFormats } from '../../src/features/date/format-names.ts';
import { parseDate } from '../../src/features/date/formats.ts';
import { TableEncoder } from '../../src/features/encode-table.ts';
import { parseFeatureOptions } from '../../src/features/feature-options.ts';
import { dateCell, refusedWord } from '../../src/features/table-cell.ts';
import { featureNames } from '../../src/features/table-feature-names.ts';
import { encodedColumns, encodedObject, fitted, parseTableEncoding } from '../support/tables.ts';

const months = 'January February March April May June July August September October November December'.split(' ');
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const two = (n: number) => String(n).padStart(2, '0');

/** A date as its parts. */
const dates = fc
  .date({ noInvalidDate: true, min: new Date('1969-01-01'), max: new Date('2068-12-31') })
  .map((date) => ({ y: date.getUTCFullYear(), m: date.getUTCMonth() + 1, d: date.getUTCDate() }));
type Parts = { y: number; m: number; d: number };

/** The ways to write a date in a format. The first ones fit no other format if the numbers decide. */
const ways: Partial<Record<DateFormat, ((date: Parts) => string)[]>> = {
  iso: [({ y, m, d }) => `${y}-${two(m)}-${two(d)}`, ({ y, m, d }) => `${y}/${two(m)}/${two(d)}`],
  dmy: ['/', '-', '.'].flatMap((s) => [
    ({ y, m, d }: Parts) => `${d}${s}${m}${s}${y}`,
    ({ y, m, d }: Parts) => [two(d), two(m), y].join(s),
    ({ y, m, d }: Parts) => [two(d), two(m), two(y % 100)].join(s),
    ({ y, m, d }: Parts) => `${two(d)}${two(m)}${y}`,
  ]),
  mdy: ['/', '-', '.'].flatMap((s) => [
    ({ y, m, d }: Parts) => `${m}${s}${d}${s}${y}`,
    ({ y, m, d }: Parts) => [m, d, two(y % 100)].join(s),
    ({ y, m, d }: Parts) => `${two(m)}${two(d)}${y}`,
  ]),
  ymd: [
    ({ y, m, d }) => `${y}-${m}-${d}`,
    ({ y, m, d }) => `${y}.${two(m)}.${two(d)}`,
    ({ y, m, d }) => `${y}${two(m)}${two(d)}`,
    ({ y, m, d }) => `${y}年${m}月${d}日`,
    ({ y, m, d }) => `${two(y % 100)}-${two(m)}-${two(d)}`,
  ],
  named: [
    ({ y, m, d }) => `${months[m - 1]!.slice(0, 3)} ${d} ${y}`,
    ({ y, m, d }) => `${d} ${months[m - 1]} ${y}`,
    ({ y, m, d }) => `${months[m - 1]} ${d}, ${y}`,
    ({ y, m, d }) => `${two(d)}-${months[m - 1]!.slice(0, 3).toUpperCase()}-${two(y % 100)}`,
    ({ y, m, d }) => `Sunday, ${d}th of ${months[m - 1]!.toLowerCase()} ${y}`,
    ({ y, m, d }) => `${y}-${months[m - 1]!.slice(0, 3)}-${two(d)}`,
    ({ y, m, d }) => `${two(d)}/${months[m - 1]!.slice(0, 3)}/${y}`,
  ],
};
const written = fc
  .constantFrom(...(Object.entries(ways) as [DateFormat, ((date: Parts) => string)[]][]))
  .chain(([format, all]) => fc.record({ format: fc.constant(format), write: fc.constantFrom(...all) }));

const times: [string, number][] = [
  ['', 0],
  [' 13:44', 13 * 60 + 44],
  [' 1:44 PM', 13 * 60 + 44],
  [', 1:44:00 p.m.', 13 * 60 + 44],
  ['T00:00:00.000Z', 0],
  [' 12:05 AM', 5],
  [' 0:05 +0005', 0],
  [':08:44:00 EST', 13 * 60 + 44],
  [' 13:44:00+00', 13 * 60 + 44],
  ['_14:44:00 GMT+0100 (Central European Standard Time)', 13 * 60 + 44],
];

/** Cells with a date inside: the words before it, and the cell. */
const frames: [string, (date: string, day: number) => string][] = [
  ['', (date) => date],
  ['', (date, day) => `${weekdays[day]}, ${date}`],
  ['', (date, day) => `[${weekdays[day]!.slice(0, 3)} ${date}]`],
  ['', (date, day) => `${date} (${weekdays[day]!.slice(0, 3)})`],
  ['', (date, day) => `${date}, ${weekdays[day]}`],
  ['EOW', (date, day) => `EOW: ${weekdays[day]}, ${date}`],
  ['Updated on', (date) => `Updated on ${date}`],
  ['W/E', (date) => `W/E:${date}`],
];

describe('formats of dates', () => {
  it('read what was written, with or without a time behind', () => {
    forAll(dates, written, fc.constantFrom(...times), (date, { format, write }, [time, minutes]) => {
      if (format === 'iso' && !/^(T.*|)$/.test(time)) return;
      const day = Date.UTC(date.y, date.m - 1, date.d) / 86_400_000;
      expect(dayNumber(date.y, date.m, date.d)).toBe(day);
      expect(parseDate(write(date) + time, format)).toBe(day + minutes / 1440);
    });
  });

  it('read a date between words, weekdays and brackets', () => {
    forAll(dates, written, fc.constantFrom(...frames), (date, { format, write }, [words, frame]) => {
      const day = Date.UTC(date.y, date.m - 1, date.d) / 86_400_000;
      const text = frame(write(date), new Date(day * 86_400_000).getUTCDay());
      expect(parseDate(text, format === 'iso' ? 'ymd' : format), text).toBe(day);
      expect(wordsBefore(text), text).toBe(words);
    });
  });

  it('read days without marks with a time, and durations', () => {
    const at = (text: string) => dateCell(text);
    for (const text of ['20220801T134410', '20220801134410', '20220801_134410Z', '20220801T154410+0200'])
      expect(parseDate(text, 'ymd'), text).toBe(at('2022-08-01T13:44:10'));
    expect(parseDate('20220801T1344', 'ymd')).toBe(at('2022-08-01T13:44'));
    expect(parseDate('8012022', 'mdy')).toBe(at('2022-08-01'));
    expect(parseDate('1:02:03', 'time')).toBe(3723 / 86400);
    const hours = {
      '71:03': 71.05,
      '1h 30m': 1.5,
      '2 hrs 15 min': 2.25,
      PT1H30M: 1.5,
      '90 min': 1.5,
      '1 hour and 6 minutes': 1.1,
    };
    for (const [text, value] of Object.entries(hours)) expect(parseDate(text, 'time') * 24, text).toBeCloseTo(value, 9);
    expect(parseDate('Apr 06 22:19:45 PDT 2009', 'named')).toBe(at('2009-04-07T05:19:45'));
    expect(parseDate('[Wed Oct 11 14:32:52.5 2000]', 'named')).toBe(at('2000-10-11T14:32:52.5'));
  });

  it('read weeks, months, times and counts', () => {
    const day = (text: string) => dateCell(text);
    expect(parseDate('2022-W05', 'week')).toBe(day('2022-01-31'));
    expect(parseDate('2020w53-7', 'week')).toBe(day('2021-01-03'));
    expect(parseDate('2022-05', 'month')).toBe(day('2022-05-01'));
    expect(parseDate('5/2022', 'month')).toBe(day('2022-05-01'));
    expect(parseDate('1988M01', 'month')).toBe(day('1988-01-01'));
    expect(parseDate('1998 June', 'named')).toBe(day('1998-06-01'));
    expect(parseDate('June 1998', 'named')).toBe(day('1998-06-01'));
    expect(parseDate('Fri Jun 12 13:44:10 +0200 1998', 'named')).toBe(day('1998-06-12T11:44:10'));
    expect(parseDate('13:44:10', 'time')).toBe(day('1970-01-01T13:44:10'));
    expect(parseDate('1 pm', 'time')).toBe(13 / 24);
    expect(parseDate('44774.5', 'excel')).toBe(day('2022-08-01T12:00'));
    forAll(fc.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') }), (date) => {
      const iso = day(date.toISOString());
      expect(parseDate(String(date.getTime()), 'epoch-ms')).toBe(iso);
      // Seconds are exact to the microsecond for some centuries.
      if (date > new Date('1870-01-01') && date < new Date('2100-01-01'))
        expect(parseDate(String(date.getTime() / 1000), 'epoch')).toBe(iso);
    });
  });

  it('agree with the calendar about weeks', () => {
    forAll(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 0, max: 54 }), (year, week) => {
      const monday = weekDay(year, week, 1);
      // The Thursday of a week lies in its year, and is the week's number-th Thursday.
      const thursday = new Date((monday + 3) * 86_400_000);
      if (Number.isNaN(monday)) expect(week === 0 || week >= 53).toBe(true);
      else {
        const first = dayNumber(year, 1, 1);
        expect([thursday.getUTCDay(), thursday.getUTCFullYear()]).toEqual([4, year]);
        expect(Math.floor((monday + 3 - first) / 7) + 1).toBe(week);
      }
    });
    expect([weekDay(2020, 53, 1), weekDay(2021, 53, 1)].map(Number.isNaN)).toEqual([false, true]);
  });

  it('agree with the calendar about the last days of every month', () => {
    const wrong: string[] = [];
    for (let year = 1; year <= 2600; year++)
      for (let month = 1; month <= 12; month++)
        for (let day = 28; day <= 31; day++) {
          const time = new Date(0).setUTCFullYear(year, month - 1, day);
          const expected = new Date(time).getUTCDate() === day ? time / 86_400_000 : Number.NaN;
          if (!Object.is(dayNumber(year, month, day), expected)) wrong.push(`${year}-${month}-${day}`);
        }
    expect(wrong).toEqual([]);
  });

  it('refuse what is not on a calendar or a clock', () => {
    for (const [format, words] of Object.entries({
      dmy: ['31.02.2022', '29/02/2021', '0/1/2022', '01/13/2022', '1/8-2022', '1/8/022', '1/8/2022 24:00', '1/8', ''],
      mdy: ['13/01/2022', '02/30/2022', '1/8/2022 13:44 PM', '1/8/2022 1:60'],
      ymd: ['2022-02-30', '20220230', '22/08/01', '2022080', '98.06.12'],
      named: ['31 Jun 1998', 'Jun 12', '12 Jun', 'Jun', 'June 12 998', 'Smarch 12 1998', '1 May'],
      week: ['2022-W00', '2022-W54', '2021-W53', '2022-W05-8', 'W05'],
      month: ['2022-13', '2022-00', '13/2022', '2022.05', '2022', '0151-12'],
      time: ['13:60', '13', '0:30 PM', '13:44 PM', '-1:00', '10:00-12:00', '10:00 - 12:00', 'PT', 'h', '1000:00'],
      epoch: ['', 'x', '1e300', '0x10', '1_000'],
    }))
      for (const word of words) expect(parseDate(word, format as DateFormat), `${word} ${format}`).toBe(refusedWord);
  });

  it('never give anything else than a finite number or a refusal, and agree for a word of any format', () => {
    const word = fc.stringMatching(/^[0-9:/ .,TWZAPMJunMay+-]{0,20}$/);
    forAll(word, (text) => {
      for (const format of dateFormats) {
        const day = parseDate(text.trim(), format);
        expect(Number.isFinite(day) || day === refusedWord || Number.isNaN(day)).toBe(true);
      }
    });
  });
});

describe('the format of a column', () => {
  const all = (words: readonly string[]) => {
    const tally = new FormatTally();
    for (const word of words) tally.add(word, 1);
    return tally.choice((cells) => cells === words.length);
  };

  it('reads all its cells as they were meant, unless the order of the numbers is open', () => {
    const column = fc.record({ column: fc.array(dates, { minLength: 1, maxLength: 20 }), way: written });
    let decided = 0;
    forAll(column, ({ column, way: { format, write } }) => {
      const words = column.map(write);
      if (words.some((word) => /^\d+$/.test(word))) return;
      const choice = all(words)!;
      if (choice.format === null) {
        expect(choice.isMixed).toBe(false);
        expect(choice.among.length).toBeGreaterThan(1);
        // Another date may decide, so the meant order is among those left.
        if (format !== 'iso') expect(choice.among).toContain(format);
        return;
      }
      decided++;
      const isDotted = words.every((word) => word.includes('.'));
      if (isDotted && format === 'mdy' && choice.format === 'dmy') return;
      const days = words.map((word) => parseDate(word, choice.format!));
      expect(days).toEqual(column.map(({ y, m, d }) => dayNumber(y, m, d)));
    });
    expect(decided).toBeGreaterThan(1);
  });

  it('is decided by one cell, left open by none, and mixed by two', () => {
    expect(all(['01/08/2022', '02/08/2022'])).toMatchObject({ format: null, among: ['dmy', 'mdy'], isMixed: false });
    expect(all(['01/08/2022', '13/08/2022'])?.format).toBe('dmy');
    expect(all(['01/08/2022', '08/13/2022'])?.format).toBe('mdy');
    expect(all(['13/08/2022', '08/13/2022'])).toMatchObject({ format: null, among: ['dmy', 'mdy'], isMixed: true });
    expect(all(['05.04.2022', '01.04.22'])?.format).toBe('dmy');
    expect(all(['04.25.2022', '01.04.22'])?.format).toBe('mdy');
    expect(all(['2022-8-1', '2022-08-02'])?.format).toBe('ymd');
    expect(all(['05-04-22', '06-04-22'])).toMatchObject({ format: null, among: ['dmy', 'mdy', 'ymd'] });
    expect(all(['2022-08-01', '01/08/2022'])).toMatchObject({ format: null, isMixed: true });
    expect(all(['1/8/90 0:00', '1/25/90 13:05'])?.format).toBe('mdy');
  });

  it('is not seen in seasons, scores, versions, phone numbers and words', () => {
    expect(all(['2004-05', '2005-06', '2011-12'])).toBeNull();
    expect(all(['2004-05', '2005-06', '2011-11'])?.format).toBe('month');
    for (const words of [
      ['1/2', '3/4'],
      ['1.2.3', '10.4.11'],
      ['0151-12', '0151-11'],
      ['may', 'june'],
      ['12', '13'],
      ['71:63'],
      // Quantities of minutes.
      ['45 min', '30 min'],
      // The words before the dates differ.
      ['Opened 2022-08-01', 'Closed 2022-08-02', 'Moved 2022-08-03'],
    ])
      expect(all(words)).toBeNull();
    expect(formatsOf('2022')).toEqual([]);
  });

  it('of whole numbers needs their range and a name', () => {
    const whole = (name: string, words: string[]) => wholeFormat(name, words)?.format;
    expect(whole('date', ['20220801', '20220831'])).toBe('ymd');
    expect(whole('start_date', ['20220801', '20220832'])).toBeUndefined();
    expect(whole('price', ['20220801'])).toBeUndefined();
    expect(wholeFormat('price', ['20220801'], true)?.format).toBe('ymd');
    expect(whole('timestamp', ['978300760', '1660000000'])).toBe('epoch');
    expect(whole('createdAt', ['1660000000123'])).toBe('epoch-ms');
    expect(whole('time', ['1660000000123', '5'])).toBeUndefined();
    expect(whole('candidate', ['1660000000'])).toBeUndefined();
    expect(whole('time', [])).toBeUndefined();
    expect(whole('Date', ['10142018', '1072018'])).toBe('mdy');
    expect(whole('Date', ['14102018', '1072018'])).toBe('dmy');
    expect(wholeFormat('Date', ['10072018', '10122018'])).toMatchObject({ format: null, among: ['dmy', 'mdy'] });
    const days = Array.from({ length: 20 }, (_, d) => `${two(d + 1)}062019`);
    expect(whole('when', days)).toBe('dmy');
    expect(whole('when', days.slice(1))).toBeUndefined();
  });
});

describe('models with formats of dates', () => {
  it('have the same features for text in columns and for fields of objects, parts among them', () => {
    const cell = fc.option(fc.tuple(dates, fc.integer({ min: 0, max: 23 })), { nil: null, freq: 9 });
    const column = fc.record({ cells: fc.array(cell, { minLength: 3, maxLength: 30 }), way: written });
    forAll(column, ({ cells, way: { format, write } }) => {
      const words = cells.map((each) => (each === null ? null : `${write(each[0])} ${each[1]}:30`));
      if (format === 'iso') return;
      const options = { parts: ['month', 'weekday', 'hour'] } as const;
      const columns = [{ name: 'd', kind: 'date', form: format, options }] as const;
      const encoding = fitted(columns, [words]);
      if (encoding.columns.length === 0) return;
      expect(encoding.columns[0]).toMatchObject({ kind: 'date', format });
      const text = JSON.stringify(encoding);
      expect(JSON.stringify(parseTableEncoding(JSON.parse(text)))).toBe(text);
      const names = featureNames(encoding);
      encodedColumns(encoding, columns, [words]).forEach((row, i) => {
        expect(row).toEqual(encodedObject(encoding, columns, [words], i));
        const [each] = [cells[i]];
        if (each == null) return;
        const [{ y, m, d }, hour] = each;
        const weekday = weekdays[new Date(Date.UTC(y, m - 1, d)).getUTCDay()];
        expect(row.map(([j]) => names[j])).toEqual(
          expect.arrayContaining([`d month=${m}`, `d weekday=${weekday}`, `d hour=${hour}`]),
        );
      });
    });
  });

  it('read numbers of objects where the format counts, and Date objects in any', () => {
    const columns = [{ name: 'd', kind: 'date', form: 'epoch' }] as const;
    const encoding = fitted(columns, [['0', '86400', '1660000000']]);
    const encoder = new TableEncoder(encoding);
    const [text, number, big, date] = ['1660000000', 1_660_000_000, 1_660_000_000n, new Date(1.66e12)].map((d) =>
      encoder.encodeRow({ d }),
    );
    for (const same of [number, big, date]) expect(same).toEqual(text);
    expect(() => encoder.encodeRow({ d: '2022-08-01' })).toThrow(
      'expected a date in the format epoch; got "2022-08-01"',
    );
  });

  it('are refused with a format that is unknown or plain', () => {
    const encoding = fitted([{ name: 'd', kind: 'date', form: 'dmy' }], [['1/2/2022', '2/2/2022']]);
    for (const format of ['iso', 'DMY', 'dym', '', null, 1]) {
      const changed = JSON.parse(JSON.stringify(encoding));
      changed.columns[0].format = format;
      expect(() => parseTableEncoding(changed)).toThrow(expect.objectContaining({ code: 'model-invalid' }));
    }
  });

  it('are asked for by the option format, which implies the kind', () => {
    expect(parseFeatureOptions({ columns: { d: { format: 'dmy' } } }).columns).toEqual({
      d: { kind: 'date', format: 'dmy' },
    });
    for (const d of [{ format: 'dym' }, { kind: 'number', format: 'dmy' }])
      expect(() => parseFeatureOptions({ columns: { d } })).toThrow(
        expect.objectContaining({ code: 'option-invalid' }),
      );
  });
});
