/**
 * Tables that are not read as a person reads them, by the reason. A table stands here for all readers, or for one:
 * `family: name [lab]`. The test holds that no other table is misread, and that these are.
 */
export const knownMisreadings: Readonly<Record<string, readonly string[]>> = {
  'Identifiers, leading zeros and leaks are not recognised.': [
    'identities: a column that repeats the label, which is named as a leak',
    'identities: a column of codes that determines the label',
  ],
  'Y and N are categories.': ['kinds: Y and N'],
  'The lab takes no further words for missing values.': [
    'missing values: NaN, given [lab]',
    'missing values: nan, given [lab]',
    'missing values: None, given [lab]',
    'missing values: n/a, given [lab]',
    'missing values: hyphens, given [lab]',
    'missing values: points, given [lab]',
    'missing values: -999, given [lab]',
    'missing values: several words, given [lab]',
    'missing values: hyphens among categories, given [lab]',
  ],
  'The lab takes no character encoding.': ['forms: Latin-1, given [lab]', 'forms: UTF-16 without a mark, given [lab]'],
  'Comments and lines for spreadsheets are not known.': [
    'forms: the line that spreadsheets write for the delimiter',
    'forms: comments before the names',
  ],
  'Quantities are not recognised as such.': [
    'labels: a quantity with a bound',
    'labels: a quantity [command]',
    'labels: a quantity [library]',
  ],
  'The first line is judged by words above numbers alone.': ['headers: numbers that are no names, said so [lab]'],
};
