import { categories, dates, type NastyTable, numbers, type TableOptions, tablesOf, times, words } from './table.ts';

const { tableOf } = tablesOf('dates');

/** Makes a table with a column d of dates. */
function of(
  name: string,
  cells: string | readonly string[],
  values?: string,
  { name: column = 'd', ...options }: TableOptions & { readonly name?: string } = {},
): NastyTable {
  return tableOf(name, [dates(column, cells, values)], options);
}

/** Makes tables of triples of lines: a name, the cells, and the dates that they are. */
function list(text: string): readonly NastyTable[] {
  const lines = text.trim().split('\n');
  return lines.flatMap((name, k) => (k % 3 === 0 ? of(name, lines[k + 1]!, lines[k + 2]!) : []));
}

/** Times of day, in hours. */
function ofTimes(name: string, cells: string, values: readonly (number | null)[]): NastyTable {
  return tableOf(name, [times('d', cells, values)]);
}

/** Dates in the forms that people and programs write. */
export const dateTables: readonly NastyTable[] = [
  ofTimes('hours of half a day', '9pm | 10am | 12am | 12pm | 1pm | 9:30 PM', [21, 10, 0, 12, 13, 21.5]),
  of(
    'two digits of a year, month first, and times',
    '7/10/14 18:37 | 12/31/13 06:00 | 2/1/14 0:00 | 7/28/14 23:30',
    '2014-07-10T18:37:00 | 2013-12-31T06:00:00 | 2014-02-01 | 2014-07-28T23:30:00',
  ),
  of('ISO dates', '2022-08-01 | 2021-12-31 | 2024-02-29 | 1999-01-01 | 2022-08-15 | 2020-06-30'),
  ...list(`
ISO dates with slashes
  2022/08/01 | 2021/12/31 | 2024/02/29 | 1999/01/01 | 2022/08/15 | 2020/06/30
  2022-08-01 | 2021-12-31 | 2024-02-29 | 1999-01-01 | 2022-08-15 | 2020-06-30
ISO times
  2022-08-01T13:44:10Z | 2021-12-31T23:59:59Z | 2024-02-29T00:00:00Z | 1999-01-01T06:30:00Z
  2022-08-01T13:44:10 | 2021-12-31T23:59:59 | 2024-02-29 | 1999-01-01T06:30:00
ISO times with zones
  2022-08-01T13:44:10+02:00 | 2021-12-31T23:59:59-05:00 | 2024-02-29T00:00:00+00:00 | 1999-01-01T06:30:00+0530
  2022-08-01T11:44:10 | 2022-01-01T04:59:59 | 2024-02-29 | 1999-01-01T01:00:00
times of a database
  2022-08-01 13:44:10 | 2021-12-31 23:59:59 | 2024-02-29 00:00:00 | 1999-01-01 06:30:00
  2022-08-01T13:44:10 | 2021-12-31T23:59:59 | 2024-02-29 | 1999-01-01T06:30:00
day first, decided by one cell
  01/08/2022 | 05/09/2022 | 13/02/2022 | 03/04/2021 | 11/12/2020 | 07/07/2022
  2022-08-01 | 2022-09-05 | 2022-02-13 | 2021-04-03 | 2020-12-11 | 2022-07-07
month first, decided by one cell
  01/08/2022 | 05/09/2022 | 02/13/2022 | 03/04/2021 | 11/12/2020 | 07/07/2022
  2022-01-08 | 2022-05-09 | 2022-02-13 | 2021-03-04 | 2020-11-12 | 2022-07-07
month first, without leading zeros
  1/8/2022 | 5/9/2022 | 2/13/2022 | 3/4/2021 | 11/12/2020 | 7/31/2022
  2022-01-08 | 2022-05-09 | 2022-02-13 | 2021-03-04 | 2020-11-12 | 2022-07-31
day first with points
  05.04.2022 | 31.12.2021 | 13.02.2022 | 03.04.2021 | 11.12.2020 | 07.07.2022
  2022-04-05 | 2021-12-31 | 2022-02-13 | 2021-04-03 | 2020-12-11 | 2022-07-07
points, which only day first has
  05.04.2022 | 01.12.2021 | 12.02.2022 | 03.04.2021 | 11.12.2020 | 07.07.2022
  2022-04-05 | 2021-12-01 | 2022-02-12 | 2021-04-03 | 2020-12-11 | 2022-07-07
day first with hyphens
  05-04-2022 | 31-12-2021 | 13-02-2022 | 03-04-2021 | 11-12-2020 | 07-07-2022
  2022-04-05 | 2021-12-31 | 2022-02-13 | 2021-04-03 | 2020-12-11 | 2022-07-07
  `),
  tableOf(
    'day or month first, which no cell decides',
    [
      categories(
        'd',
        '01/02/2022 | 03/04/2022 | 05/06/2021 | 01/02/2022 | 03/04/2022 | 05/06/2021 | 07/07/2022 | 07/07/2022',
      ),
    ],
    { note: /d.*day or month first/ },
  ),
  ...list(`
two digits of a year, month first
  01/08/22 | 05/09/22 | 02/13/22 | 03/04/99 | 11/12/68 | 07/31/69
  2022-01-08 | 2022-05-09 | 2022-02-13 | 1999-03-04 | 2068-11-12 | 1969-07-31
two digits of a year, day first
  25.04.22 | 01.12.21 | 13.02.22 | 03.04.99 | 11.12.20 | 07.07.22
  2022-04-25 | 2021-12-01 | 2022-02-13 | 1999-04-03 | 2020-12-11 | 2022-07-07
day first with a time
  01/08/2022 13:44 | 05/09/2022 00:00 | 13/02/2022 23:30 | 03/04/2021 06:15
  2022-08-01T13:44:00 | 2022-09-05 | 2022-02-13T23:30:00 | 2021-04-03T06:15:00
month first with morning and afternoon
  1/8/2022 1:44 PM | 5/9/2022 12:00 AM | 2/13/2022 11:30 PM | 3/4/2021 6:15 AM
  2022-01-08T13:44:00 | 2022-05-09 | 2022-02-13T23:30:00 | 2021-03-04T06:15:00
months by name before the day
  Jun 12 1998 | Aug 07 1998 | Dec 31 1999 | Jan 1 2001 | Feb 29 2000 | Sep 9 1999
  1998-06-12 | 1998-08-07 | 1999-12-31 | 2001-01-01 | 2000-02-29 | 1999-09-09
months by name before the day, with a comma
  June 12, 1998 | August 7, 1998 | December 31, 1999 | January 1, 2001 | May 29, 2000 | March 9, 1999
  1998-06-12 | 1998-08-07 | 1999-12-31 | 2001-01-01 | 2000-05-29 | 1999-03-09
months by name behind the day
  12 June 1998 | 7 August 1998 | 31 December 1999 | 1 January 2001 | 29 May 2000 | 9 March 1999
  1998-06-12 | 1998-08-07 | 1999-12-31 | 2001-01-01 | 2000-05-29 | 1999-03-09
months by name between hyphens
  12-Jun-98 | 07-Aug-98 | 31-Dec-99 | 01-Jan-01 | 29-May-00 | 09-Mar-99
  1998-06-12 | 1998-08-07 | 1999-12-31 | 2001-01-01 | 2000-05-29 | 1999-03-09
weeks
  2022-W05 | 2022-W01 | 2021-W52 | 2020-W53 | 2022-W30 | 2021-W10
  2022-01-31 | 2022-01-03 | 2021-12-27 | 2020-12-28 | 2022-07-25 | 2021-03-08
months of a year
  2022-05 | 2021-12 | 2022-01 | 2020-06 | 2021-03 | 2022-08
  2022-05-01 | 2021-12-01 | 2022-01-01 | 2020-06-01 | 2021-03-01 | 2022-08-01
months by name with a year
  May 2022 | Dec 2021 | Jan 2022 | Jun 2020 | Mar 2021 | Aug 2022
  2022-05-01 | 2021-12-01 | 2022-01-01 | 2020-06-01 | 2021-03-01 | 2022-08-01
months by name with a year of two digits
  May-22 | Dec-21 | Jan-22 | Jun-20 | Mar-98 | Aug-22
  2022-05-01 | 2021-12-01 | 2022-01-01 | 2020-06-01 | 1998-03-01 | 2022-08-01
days of the log of a web server
  [01/Feb/2024:00:00:00 +0000] | [12/Mar/2024:00:00:00 +0000] | [29/Feb/2024:00:00:00 +0000] | [03/Jun/2023:00:00:00 +0000]
  2024-02-01 | 2024-03-12 | 2024-02-29 | 2023-06-03
days without marks, with a time
  20200101T000000 | 20211231T000000 | 20200229T000000 | 20190603T000000Z
  2020-01-01 | 2021-12-31 | 2020-02-29 | 2019-06-03
  `),
  ofTimes('times of day', '13:44 | 00:00 | 23:59 | 06:30 | 12:15 | 18:45', [
    13 + 44 / 60,
    0,
    23 + 59 / 60,
    6.5,
    12.25,
    18.75,
  ]),
  ofTimes('times of day with seconds', '13:44:30 | 00:00:00 | 23:59:59 | 06:30:15 | 12:15:00 | 18:45:36', [
    13 + 44.5 / 60,
    0,
    24 - 1 / 3600,
    6.5 + 15 / 3600,
    12.25,
    18.76,
  ]),
  ofTimes('times of day, morning and afternoon', '1:44 PM | 12:00 AM | 11:30 PM | 6:30 AM | 12:15 PM | 6:45 PM', [
    13 + 44 / 60,
    0,
    23.5,
    6.5,
    12.25,
    18.75,
  ]),
  tableOf('seconds since 1970 under a name of a time', [
    dates(
      'timestamp',
      '1659361450 | 1640995199 | 1709164800 | 1672531200 | 1680000000 | 1650000000',
      '2022-08-01T13:44:10 | 2021-12-31T23:59:59 | 2024-02-29 | 2023-01-01 | 2023-03-28T10:40:00 | 2022-04-15T05:20:00',
    ),
  ]),
  tableOf('milliseconds since 1970 under a name of a time', [
    dates(
      'created_at',
      '1659361450000 | 1640995199000 | 1709164800000 | 1672531200000 | 1680000000000 | 1650000000000',
      '2022-08-01T13:44:10 | 2021-12-31T23:59:59 | 2024-02-29 | 2023-01-01 | 2023-03-28T10:40:00 | 2022-04-15T05:20:00',
    ),
  ]),
  tableOf('amounts as large as seconds since 1970', [
    numbers('population', '1659361450 | 331000000 | 83000000 | 1412000000 | 67000000 | 1380004385'),
  ]),
  tableOf('dates of eight digits', [
    dates(
      'date',
      '20220801 | 20211231 | 20240229 | 19990101 | 20220815 | 20200630',
      '2022-08-01 | 2021-12-31 | 2024-02-29 | 1999-01-01 | 2022-08-15 | 2020-06-30',
    ),
  ]),
  ...list(`
dates, some missing
  2022-08-01 | | 2024-02-29 | NA | 2022-08-15 | 2020-06-30
  2022-08-01 | | 2024-02-29 | | 2022-08-15 | 2020-06-30
day first, some missing
  01/08/2022 | | 13/02/2022 | 03/04/2021 | | 07/07/2022
  2022-08-01 | | 2022-02-13 | 2021-04-03 | | 2022-07-07
  `),
  of(
    'eight digits, month first, without a leading 0 in numbers',
    '10142018 | 1072018 | 12312018 | 2282019 | 7041999 | 10082018',
    '2018-10-14 | 2018-01-07 | 2018-12-31 | 2019-02-28 | 1999-07-04 | 2018-10-08',
    { name: 'Date' },
  ),
  of(
    'eight digits, day first',
    '14102018 | 07012018 | 31122018 | 28022019 | 04071999 | 08102018',
    '2018-10-14 | 2018-01-07 | 2018-12-31 | 2019-02-28 | 1999-07-04 | 2018-10-08',
    { name: 'sale_date' },
  ),
  tableOf(
    'eight digits, day or month first, which no cell decides',
    [numbers('date', '10072018 | 11012018 | 12122018 | 10022019 | 10071999 | 10082018')],
    { note: /date.*numbers.*day or month first/ },
  ),
  ...list(`
weeks by the day on which they end
  EOW: Friday, July 13, 1984 | EOW: Friday, July 20, 1984 | EOW: Friday, August 3, 1984 | EOW: Friday, May 4, 1984
  1984-07-13 | 1984-07-20 | 1984-08-03 | 1984-05-04
words before ISO dates
  as of 2022-08-01 | as of 2021-12-31 | as of 2024-02-29 | as of 2019-06-03
  2022-08-01 | 2021-12-31 | 2024-02-29 | 2019-06-03
  `),
  tableOf('several words before dates', [
    words('d', ['Opened 2022-08-01', 'Closed 2021-12-31', 'Moved 2024-02-29', 'Sold 2019-06-03', 'Lost 2020-06-30']),
  ]),
  ...list(`
weekdays before numbers
  Mon 01/08/2022 | Sat, 05/09/2022 | Sun 13/02/2022 | Sat 03/04/2021
  2022-08-01 | 2022-09-05 | 2022-02-13 | 2021-04-03
weekdays behind numbers
  2022-08-01 (Mon) | 2021-12-31 (Fri) | 2024-02-29 (Thu) | 1999-01-01 (Fri)
  2022-08-01 | 2021-12-31 | 2024-02-29 | 1999-01-01
times of a database with hours of the zone
  2022-08-01 13:44:10+00 | 2021-12-31 23:59:59+01 | 2024-02-29 00:00:00-05 | 1999-01-01 06:30:00+05:30
  2022-08-01T13:44:10 | 2021-12-31T22:59:59 | 2024-02-29T05:00:00 | 1999-01-01T01:00:00
times of tweets, with a zone before the year
  Mon Apr 06 22:19:45 PDT 2009 | Fri Jun 12 13:44:10 PDT 2009 | Sun May 31 00:00:00 PDT 2009 | Tue Jun 02 07:00:00 PDT 2009
  2009-04-07T05:19:45 | 2009-06-12T20:44:10 | 2009-05-31T07:00:00 | 2009-06-02T14:00:00
times as JavaScript prints them
  Sat Apr 04 2020 12:00:00 GMT+0200 (Central European Summer Time) | Thu Jan 02 2020 12:30:00 GMT+0100 (Central European Standard Time) | Fri Jul 31 2020 02:00:00 GMT+0200 (Central European Summer Time)
  2020-04-04T10:00:00 | 2020-01-02T11:30:00 | 2020-07-31
times of SAS
  12JUN1998:13:44:10 | 07AUG1998:00:00:00 | 31DEC1999:23:59:59 | 01JAN2001:06:00:00
  1998-06-12T13:44:10 | 1998-08-07 | 1999-12-31T23:59:59 | 2001-01-01T06:00:00
  `),
  of(
    'fourteen digits',
    '20200101120000 | 20211231235959 | 20200229000000 | 20190603063000',
    '2020-01-01T12:00:00 | 2021-12-31T23:59:59 | 2020-02-29 | 2019-06-03T06:30:00',
    { name: 'timestamp' },
  ),
  ...list(`
Japanese dates
  2022年8月1日 | 2021年12月31日 | 2024年2月29日 | 2019年6月3日
  2022-08-01 | 2021-12-31 | 2024-02-29 | 2019-06-03
day first with points and blanks
  5. 4. 2022 | 31. 12. 2021 | 13. 2. 2022 | 3. 4. 2021
  2022-04-05 | 2021-12-31 | 2022-02-13 | 2021-04-03
months of statistics offices
  2022M05 | 2021M12 | 2022M01 | 2020M06 | 2021M03 | 2022M08
  2022-05-01 | 2021-12-01 | 2022-01-01 | 2020-06-01 | 2021-03-01 | 2022-08-01
  `),
  ofTimes('durations with hours beyond a day', '4:22 | 71:03 | 23:59 | 0:30 | 100:15 | 8:45', [
    4 + 22 / 60,
    71.05,
    24 - 1 / 60,
    0.5,
    100.25,
    8.75,
  ]),
  ofTimes('durations in words', '1h 30m | 45m | 2h | 1h 5m | 0h 50m | 2h 15m', [
    1.5,
    0.75,
    2,
    1 + 5 / 60,
    50 / 60,
    2.25,
  ]),
  ofTimes('durations of videos', 'PT4M13S | PT1H2M | PT58S | PT10M | PT1H | PT3M5S', [
    253 / 3600,
    1 + 2 / 60,
    58 / 3600,
    1 / 6,
    1,
    185 / 3600,
  ]),
  tableOf('opening hours', [
    categories('d', '10:00-12:00 | 09:00-17:00 | 10:00-12:00 | 08:30-16:00 | 09:00-17:00 | 08:30-16:00'),
  ]),
  ...list(`
German months
  12. Januar 2020 | 3. März 2021 | 31. Dez. 1999 | 1. Mai 2001 | Di., 5. Mai 2020
  2020-01-12 | 2021-03-03 | 1999-12-31 | 2001-05-01 | 2020-05-05
French months
  12 janv. 2020 | 3 août 2021 | 31 décembre 1999 | 1 mai 2001 | mardi 5 févr. 2019
  2020-01-12 | 2021-08-03 | 1999-12-31 | 2001-05-01 | 2019-02-05
Spanish months
  12 de enero de 2020 | 3 de agosto de 2021 | 31 de diciembre de 1999 | 1 de mayo de 2001
  2020-01-12 | 2021-08-03 | 1999-12-31 | 2001-05-01
  `),
  ofTimes('laps', '54:18.3 | 1:02.45 | 0:59.9 | 2:10.00', [
    (54 * 60 + 18.3) / 3600,
    62.45 / 3600,
    59.9 / 3600,
    130 / 3600,
  ]),
  of('dates before 1970', '1890-01-01 | 1914-07-28 | 1969-12-31 | 1945-05-08 | 1800-02-28 | 1955-11-05'),
  tableOf('quarters', [
    categories('d', '2022 Q1 | 2022 Q2 | 2021 Q4 | 2022 Q1 | 2022 Q2 | 2021 Q4 | 2021 Q3 | 2021 Q3'),
  ]),
  tableOf('weekdays', [categories('d', 'Mon | Tue | Fri | Mon | Sun | Tue | Fri | Sun')]),
  tableOf('names of months', [categories('d', 'May | Jun | May | Aug | Jun | Aug | May | Jun')]),
  tableOf('two forms of dates in one column', [
    categories(
      'd',
      '2022-08-01 | 13/02/2022 | 2022-08-01 | 13/02/2022 | 2021-12-31 | 2021-12-31 | 05.04.2022 | 05.04.2022',
    ),
  ]),
  tableOf(
    'a day that does not exist',
    [
      dates(
        'd',
        '2022-08-01 | 2021-12-31 | 2024-02-30 | 1999-01-01 | 2022-08-15 | 2020-06-30',
        '2022-08-01 | 2021-12-31 | | 1999-01-01 | 2022-08-15 | 2020-06-30',
      ),
    ],
    { fault: /date.*2024-02-30|2024-02-30.*date/ },
  ),
];
