/**
 * Tables that are not read as a person reads them, by the reason. A table stands here for all readers, or for one:
 * `family: name [lab]`. The test holds that no other table is misread, and that these are.
 */
export const knownMisreadings: Readonly<Record<string, readonly string[]>> = {
  'The lab makes no classes of quantities.': ['labels: a quantity with a bound [lab]'],
  'The lab takes no further words for missing values.': [
    'missing values: -999, given [lab]',
    'missing values: hyphens among categories, given [lab]',
    'missing values: several words, given [lab]',
  ],
  'The lab takes no word on the first line.': ['headers: numbers that are no names, said so [lab]'],
  'The lab takes no word on the form of text.': [
    'shapes: a delimiter that is given [lab]',
    'shapes: a delimiter of three characters that is given [lab]',
    'shapes: a delimiter beyond ASCII that is given [lab]',
    'shapes: lines that are given to be left out [lab]',
    'shapes: comments that are given [lab]',
    'shapes: no quotes, given [lab]',
  ],
  'The lab takes no character encoding.': ['forms: Latin-1, given [lab]'],
};
