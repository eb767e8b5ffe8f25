/*
 * JSON Schemas of all answers: `scripts/build-types.mjs` makes the types of the client from them, and /openapi.json
 * shows them. Answers are not checked at run time; the tests check every one.
 */

export const text = (description: string) => ({ type: 'string', description }) as const;
export const number = (description: string) => ({ type: 'number', description }) as const;
export const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const;
export const flag = (description: string) => ({ type: 'boolean', description }) as const;
export const list = (items: object, description: string) => ({ type: 'array', items, description }) as const;
const choice = (values: readonly string[], description: string) => ({ type: 'string', enum: values, description });

/** A schema that allows null, too. */
function orNull<S extends object>(schema: S, description?: string) {
  const own = schema as { readonly type?: string | readonly string[] };
  const allowed =
    own.type === undefined ? { anyOf: [schema, { type: 'null' }] } : { ...schema, type: [own.type].flat() };
  if ('type' in allowed) allowed.type.push('null');
  return description === undefined ? allowed : { ...allowed, description };
}

/** An object with exactly these members. One whose name ends with `?` may be absent. */
export function object(members: Readonly<Record<string, object>>, description?: string) {
  const names = Object.keys(members);
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties: Object.fromEntries(names.map((name) => [name.replace('?', ''), members[name]!])),
    required: names.filter((name) => !name.endsWith('?')),
    additionalProperties: false,
  } as const;
}

export const ref = (name: string) => ({ $ref: `${name}#` });

/** A label of the model. In the types of the client it has their parameter. */
const label = (description: string) => ({ type: ['string', 'number', 'boolean'], description }) as const;
const version = { version: ref('Version') };
const classes = list(text('Name of a class.'), 'Names, in the order of scores.');
/** A bent column. */
const side = {
  column: text('Its name; for a part of dates, with the part.'),
  'format?': text('The format of its dates.'),
  edges: list(number('A number; of dates, days since 1970-01-01.'), 'Between its intervals, rising.'),
  names: list(text('A word.'), 'Of words and missing values, behind the intervals.'),
};
const fault = orNull(text('Tells why the model takes no examples for now.'));
const examples = count('Number of rows that it learned from.');
const metrics = orNull(ref('Figures'), 'Figures of the answers before learning; null for a frozen model.');

const outcome = {
  sequence: count('Position of the example in the journal, from 1.'),
  duplicate: flag('True: an earlier example had this id, and nothing was learned now.'),
  answer: orNull(
    object({
      class: orNull(label('The predicted class; null before a class was known.')),
      right: orNull(flag('True if that was the label.')),
      drift: flag('True if a drift detector gave an alarm.'),
    }),
    'The answer before the example was learned; null for a duplicate.',
  ),
};

const predicted = {
  class: orNull(label('Of the type of the labels; null before a learning model knows a class.')),
  scores: list(number('A score.'), 'One score for two classes, above 0 for the second; else one for each class.'),
  'probabilities?': orNull(
    list(number('A probability.'), 'In the order of the classes; null before they are known; only if asked for.'),
  ),
  'id?': text('Name of the answer, for its label; only if the row was to be remembered.'),
  'learner?': choice(['model', 'shadow'], 'The learner that answered; absent if no shadow has a share.'),
  'classes?': list(text('Name of a class.'), 'Of an answer by the shadow: its classes, in the order of the scores.'),
  'unknown?': list(
    text('The name of a field, or an index.'),
    'Fields of the row, or indices, that the model does not know, which count nothing; empty for a row without fields. Absent if the model knows all.',
  ),
};

const cells = {
  examples: count('Number of examples since the column came.'),
  missing: count('Of these, without a value.'),
  unseen: count('Of these, with a level, or a text of words, that came for the first time.'),
};

/** Members of `PrequentialSummary`. NaN becomes null. */
const summary = {
  rows: count('Number of rows of importance above 0.'),
  weight: number('Their importance.'),
  accuracy: orNull(number('Share of the importance that was predicted right.')),
  balancedAccuracy: orNull(number('Mean recall of the classes.')),
  kappa: orNull(number('Cohen’s kappa.')),
  logLoss: orNull(number('Mean of −ln p of the true class; null without probabilities.')),
  majority: orNull(number('Accuracy of always predicting the most frequent class so far.')),
};
const course = {
  ...summary,
  window: ref('Summary'),
  classes: list(text('Name of a class.'), 'In the order of the confusion matrix.'),
};

const points = list(ref('CurvePoint'), 'At most 401, at about equal distances; the last one is of now.');
const since = count('Position in the journal of the record that began it.');
const shadow = {
  since,
  rule: text('Name of the update rule.'),
  share: number('Share of the answers that it gives, in [0, 1].'),
  classes,
  examples,
  refused: count('Number of examples that only the model could learn.'),
  compared: object({
    bothRight: count('Number of examples.'),
    onlyModel: count('Number of examples.'),
    onlyShadow: count('Number of examples.'),
    bothWrong: count('Number of examples.'),
    pValue: number('Of McNemar’s test: small if one is right more often.'),
  }),
};

const named = {
  Version: object(
    {
      sequence: count('Number of records in the journal; 0 for a model that does not learn.'),
      digest: { type: 'string', pattern: '^[0-9a-f]{32}$', description: '32 hexadecimal digits.' },
    },
    'The state that gave an answer. Equal versions give equal bits.',
  ),
  Problem: object(
    {
      type: text('Always about:blank: `code` tells the kind.'),
      title: text('The phrase of the status.'),
      status: { type: 'integer', minimum: 400, maximum: 599, description: 'Status of HTTP.' },
      detail: text('For people: "expected …; got …".'),
      code: text('For programs: a stable name of the kind of error.'),
      'where?': { type: 'object', description: 'The place; rows count from 1.', additionalProperties: true },
      'request?': text('Name of the request in the log of the service.'),
    },
    'An error (RFC 9457).',
  ),
  Predicted: object(predicted, 'An answer to a row.'),
  Prediction: object({ ...version, ...predicted }, 'An answer to a row, with its version.'),
  Predictions: object({ ...version, predictions: list(ref('Predicted'), 'In the order of the rows.') }),
  Outcome: object(outcome, 'The outcome of an example.'),
  Learned: object({ ...version, ...outcome }, 'The outcome of an example, with the version after it.'),
  Refused: object({ problem: ref('Problem') }, 'A row or an example that was refused.'),
  LearnedMany: object({
    ...version,
    outcomes: list(
      { anyOf: [ref('Outcome'), ref('Refused')] },
      'In the order of the examples. A refused example changes nothing.',
    ),
  }),
  Explanation: object(
    {
      ...version,
      class: text('The class whose score is explained.'),
      score: number('The score of that class.'),
      meanScore: number('Score of the mean row.'),
      isMean: flag('True if the mean row is that of all training rows.'),
      terms: list(
        object({
          term: text('Name of the column or feature.'),
          value: { type: ['string', 'number', 'boolean', 'null'], description: 'As the model reads it.' },
          contribution: number('Above 0: it speaks for the class.'),
        }),
        'The strongest terms, by descending absolute contribution.',
      ),
      otherTerms: count('Number of further terms that are not 0.'),
      others: number('Sum of the further terms.'),
      rounding: number('The rounding error.'),
      unknown: list(
        text('A name.'),
        'Fields of the row, or indices, that the model does not know, which count nothing.',
      ),
    },
    'A score as a sum: `meanScore` + contributions of `terms` + `others` + `rounding`.',
  ),
  Summary: object(summary, 'Figures of answers before learning, weighted by importance. Null: no row told it yet.'),
  Course: object(course, 'Figures over all rows, and over the latest ones.'),
  Figures: object(
    {
      ...course,
      confusion: orNull(
        list(
          { type: 'array', items: { type: 'number' } },
          'Row i, column j: importance of the rows of class i that were predicted as j. Null beyond 1,024 classes.',
        ),
      ),
    },
    'Figures over all rows and over the latest ones, with the confusion matrix.',
  ),
  Model: object({
    name: text('Name in paths.'),
    kind: choice(['frozen', 'learning'], 'A learning model takes examples.'),
    ...version,
    rule: text('Name of the update rule.'),
    members: list(
      object({
        rule: text('Name of the update rule.'),
        options: { type: 'object', additionalProperties: true, description: 'Its options.' },
        mistakes: number('Number of its recent mistakes; older ones count less.'),
        answers: flag('True if it answers.'),
      }),
      'The rules that `follow-the-leader` compares, by their recent mistakes; none for another rule.',
    ),
    label: orNull(text('Name of the column with the class.')),
    classes,
    columns: list(
      object({
        name: text('Name.'),
        kind: text('Kind.'),
        decided: flag('False while further rows may show another kind.'),
      }),
      'Columns that a row may have.',
    ),
    notes: list(text('A note.'), 'Notes on columns whose kind may not be what was meant.'),
    examples,
    fault,
    metrics,
  }),
  Models: object({ models: list(ref('Model'), 'By name.') }),
  Weights: object(
    {
      ...version,
      functions: list(
        object({
          class: text('The class that weights above 0 support.'),
          against: orNull(text('The other one of two classes; null: all others.')),
          bias: number('The part of a score that all rows have.'),
          nonzero: count('Number of weights that are not 0.'),
          strongest: list(
            object({ feature: text('Its name.'), weight: number('The weight.') }),
            'By descending absolute weight; those of curves and grids are left out.',
          ),
          curves: list(
            object({ ...side, values: list(number('What it adds to the score.'), 'Of intervals, then of names.') }),
            'Bent columns; first those that move the score most.',
          ),
          grids: list(
            object({
              sides: list(object({ ...side, edges: orNull(side.edges) }), 'The two columns.'),
              values: list(
                number('What it adds to the score.'),
                'Row by row: for each group of the first side all of the second.',
              ),
            }),
            'Pairs of columns; first those that move the score most.',
          ),
        }),
        'One for two classes, else one for each class; none before two classes are known.',
      ),
    },
    'The strongest weights of a model.',
  ),
  CurvePoint: object({
    examples: count('Number of examples by then.'),
    error: number('Share of all answers before learning that were wrong.'),
    latestError: number('The same of the latest answers.'),
  }),
  Curve: object(
    {
      ...version,
      points,
      shadow: orNull(
        object({ since, points }),
        'The errors of the shadow over the examples of the model; null: there is none.',
      ),
    },
    'The course of the errors of a stream.',
  ),
  Columns: object(
    {
      ...version,
      rows: choice(
        ['records', 'numbers', 'unknown'],
        'Rows are objects of fields, or numbers; unknown before a row was learned.',
      ),
      probabilities: flag('True if answers have probabilities when they are asked for.'),
      columns: list(
        object({
          name: text('Name.'),
          kind: text('Kind.'),
          'mean?': number('Mean of the present values: of a date in days since 1970, of a truth the share of true.'),
          'format?': text('The form of dates.'),
          'separator?': text('The mark between the values of a set; absent: only lists have several.'),
          'levels?': list(text('A level.'), 'Known levels of a category or a set, at most 100.'),
          'otherLevels?': count('Number of further levels.'),
        }),
        'In the order of the model.',
      ),
    },
    'The columns that a row may have.',
  ),
  Alarm: object(
    {
      sequence: count('Position in the journal of the example at which it was found.'),
      examples: count('Number of examples by then.'),
      of: choice(['error', 'input'], 'The errors of answers, or the values of an input.'),
      input: orNull(text('Name of the input.')),
      detector: choice(['adwin', 'page-hinkley'], 'Name of the detector.'),
      before: number('The mean before.'),
      after: number('About the mean of the latest 16 values.'),
    },
    'A change that a detector found.',
  ),
  Cells: object(cells, 'Numbers of the cells of a column.'),
  Watch: object(
    {
      ...version,
      examples: count('Number of examples that were watched.'),
      window: count('Largest number of the latest examples that `latest` counts.'),
      classes: list(
        object({
          name: orNull(text('Null: classes that are not told apart.')),
          examples: count('Number of its examples.'),
          latest: count('Of the latest.'),
        }),
        'In the order in which they came.',
      ),
      columns: list(
        object({
          name: text('Name.'),
          ...cells,
          latest: ref('Cells'),
          alarms: orNull({ type: 'integer', description: 'Null: its mean is not watched.' }),
          mean: orNull(number('About that of the latest 16 values.')),
        }),
        'In the order in which they came.',
      ),
      calibration: orNull(
        object({
          examples: count('Number of answers with a probability.'),
          expectedCalibrationError: number('In [0, 1].'),
          bins: list(
            object({
              examples: count('Number of answers.'),
              probability: number('Their mean probability.'),
              right: number('Share of those that were right.'),
            }),
            'By rising probability.',
          ),
        }),
        'Probabilities of the latest answers beside what came; null if they had none.',
      ),
      errorAlarms: object({ adwin: count('Number of alarms.'), 'page-hinkley': count('Number of alarms.') }),
      alarms: list(ref('Alarm'), 'The latest, the oldest first, at most 32.'),
    },
    'Figures of the stream of examples.',
  ),
  ShadowFigures: object(
    { ...shadow, metrics: ref('Course') },
    'A second learner beside a model, and the comparison of both.',
  ),
  Shadow: object({ ...version, ...shadow, metrics: ref('Figures') }, 'A second learner, which sees the same examples.'),
  State: object(
    {
      ...version,
      examples,
      fault,
      metrics: orNull(ref('Course'), 'Null for a frozen model.'),
      shadow: orNull(ref('ShadowFigures'), 'Null: there is none.'),
    },
    'State of a model in its stream of events.',
  ),
  JournalPart: object(
    {
      version: { ...ref('Version'), description: 'The version behind the records.' },
      head: count('Number of records in the journal.'),
      records: list(
        object({ kind: count('Kind of the record.'), body: text('Its JSON.') }),
        'Records that follow each other; none: the journal did not grow.',
      ),
    },
    'A part of the journal of a model.',
  ),
  Health: object({
    status: text('ok; degraded: some models are set aside.'),
    'setAside?': list(text('Name of a model.'), 'Models whose files could not be read at the start.'),
    'following?': object(
      {
        behindRecords: count('Records of the writer that are not here yet, as far as it told.'),
        contactSeconds: orNull(number('Time since the writer sent something; null: it never did.')),
      },
      'Of a service that follows another one.',
    ),
  }),
};

/** Schemas with a name, which others refer to as `NAME#`. */
export const namedSchemas = Object.entries(named).map(([$id, schema]) => ({ $id, ...schema }));
