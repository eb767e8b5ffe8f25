import { longestId, longestLabel } from '../state/example-record.ts';

/*
 * JSON Schemas of the native protocol. Fastify checks requests by them, and /openapi.json shows them. Answers are not
 * checked at run time; the tests check every one.
 */

const text = (description: string) => ({ type: 'string', description }) as const;
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const;
const number = (description: string) => ({ type: 'number', description }) as const;
const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const;
const flag = (description: string) => ({ type: 'boolean', description }) as const;
const list = (items: object, description: string) => ({ type: 'array', items, description }) as const;

/** An object with exactly these members. Those in `optional` may be absent. */
function object(properties: Readonly<Record<string, object>>, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false } as const;
}

const labelOrNull = (description: string) => ({ type: ['string', 'number', 'boolean', 'null'], description }) as const;
const ref = (name: string) => ({ $ref: `${name}#` });

const row = {
  type: ['object', 'array'],
  description: 'Fields by name; or a list of numbers; or {"indices": […], "values": […]}.',
} as const;
const label = {
  type: ['string', 'number', 'boolean'],
  maxLength: longestLabel,
  description: 'The class, by its name, number or truth.',
} as const;
const importance = { type: 'number', minimum: 0, description: 'Default 1.' } as const;
const exampleId = {
  type: 'string',
  minLength: 1,
  maxLength: longestId,
  description:
    'A name: of the latest examples, one with the same name is not learned twice, and refused if it teaches something else.',
} as const;

const version = {
  version: ref('Version'),
};

const learnedMembers = {
  sequence: count('Position of the example in the journal, from 1.'),
  duplicate: flag('True: an earlier example had this id, and nothing was learned now.'),
  answer: {
    ...object({
      class: labelOrNull('The predicted class, of the type of the labels; null before a class was known.'),
      right: { type: ['boolean', 'null'], description: 'True if that was the label.' },
      drift: flag('True if the drift detector gave an alarm.'),
    }),
    type: ['object', 'null'],
    description: 'The answer before the example was learned; null for a duplicate.',
  },
};

const unknownList = (description: string) => list(text('The name of a field, or an index.'), description);

const predicted = {
  class: labelOrNull('The predicted class, of the type of the labels; null before a learning model knows a class.'),
  scores: list(number('A score.'), 'One score for two classes, above 0 for the second; else one for each class.'),
  probabilities: {
    ...list(number('A probability.'), 'In the order of the classes; null before they are known; only if asked for.'),
    type: ['array', 'null'],
  },
  id: text('Name of the answer, for its label; only if "remember" was asked for.'),
  unknown: unknownList(
    'Fields of the row that the model does not know, which count nothing; empty for a row without fields. Absent if the model knows all.',
  ),
};
const maybePredicted = ['probabilities', 'id', 'unknown'];

const cells = {
  examples: count('Number of examples since the column came.'),
  missing: count('Of these, without a value.'),
  unseen: count('Of these, with a level, or a text of words, that came for the first time.'),
};

const figureOrNull = (description: string) => ({ type: ['number', 'null'], description }) as const;

/** Members of `PrequentialSummary`. NaN becomes null. */
const summary = {
  rows: count('Number of rows of importance above 0.'),
  weight: number('Their importance.'),
  accuracy: figureOrNull('Share of the importance that was predicted right.'),
  balancedAccuracy: figureOrNull('Mean recall of the classes.'),
  kappa: figureOrNull('Cohen’s kappa.'),
  logLoss: figureOrNull('Mean of −ln p of the true class; null without probabilities.'),
  majority: figureOrNull('Accuracy of always predicting the most frequent class so far.'),
};
const course = {
  ...summary,
  window: { ...object(summary), description: 'The same figures of the latest rows.' },
  classes: list(text('Name of a class.'), 'In the order of the confusion matrix.'),
};

const points = list(
  object({
    examples: count('Number of examples by then.'),
    error: number('Share of all answers before learning that were wrong.'),
    latestError: number('The same of the latest answers.'),
  }),
  'At most 401, at about equal distances; the last one is of now.',
);

/** Members of a shadow besides its metrics. */
const shadow = {
  since: count('Position in the journal of the record that began it.'),
  rule: text('Name of the update rule.'),
  classes: list(text('Name of a class.'), 'In the order of scores.'),
  examples: count('Number of rows that it learned from.'),
  refused: count('Number of examples that only the model could learn.'),
  compared: object({
    bothRight: count('Number of examples.'),
    onlyModel: count('Number of examples.'),
    onlyShadow: count('Number of examples.'),
    bothWrong: count('Number of examples.'),
    pValue: number('Of McNemar’s test: small if one is right more often.'),
  }),
};

/** Schemas with a name, which others refer to as `NAME#`. */
export const namedSchemas: readonly { readonly $id: string; readonly [keyword: string]: unknown }[] = [
  {
    $id: 'Problem',
    description: 'An error (RFC 9457).',
    ...object(
      {
        type: text('Always about:blank: `code` tells the kind.'),
        title: text('The phrase of the status.'),
        status: { type: 'integer', minimum: 400, maximum: 599 },
        detail: text('For people: expected …; got ….'),
        code: text('For programs: a stable name of the kind of error.'),
        where: { type: 'object', description: 'The place; rows count from 1.', additionalProperties: true },
        request: text('Name of the request in the log.'),
      },
      ['where', 'request'],
    ),
  },
  {
    $id: 'Version',
    description: 'The state that gave the answer. Equal versions give equal bits.',
    ...object({
      sequence: count('Number of examples in the journal; 0 for a model that does not learn.'),
      digest: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    }),
  },
  { $id: 'Prediction', ...object({ ...version, ...predicted }, maybePredicted) },
  {
    $id: 'Predictions',
    ...object({ ...version, predictions: list(object(predicted, maybePredicted), 'In the order of the rows.') }),
  },
  { $id: 'Learned', ...object({ ...version, ...learnedMembers }) },
  {
    $id: 'LearnedMany',
    ...object({
      ...version,
      outcomes: list(
        { anyOf: [object(learnedMembers), object({ problem: ref('Problem') })] },
        'In the order of the examples. A refused example changes nothing.',
      ),
    }),
  },
  {
    $id: 'Explanation',
    description: 'A score as a sum: meanScore + contributions of terms + others + rounding.',
    ...object({
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
      rounding: number('What is left: the rounding error.'),
      unknown: unknownList('Fields of the row that the model does not know, which count nothing.'),
    }),
  },
  {
    $id: 'Figures',
    description: 'Figures of answers before learning, weighted by importance. Null: no row told it yet.',
    ...object({
      ...course,
      confusion: {
        type: ['array', 'null'],
        items: { type: 'array', items: { type: 'number' } },
        description:
          'Row i, column j: importance of the rows of class i that were predicted as j. Null for many classes.',
      },
    }),
  },
  {
    $id: 'Model',
    ...object({
      name: text('Name in paths.'),
      kind: { type: 'string', enum: ['frozen', 'learning'] },
      ...version,
      rule: text('Name of the update rule.'),
      members: list(
        object({
          rule: text('Name of the update rule.'),
          options: { type: 'object', additionalProperties: true, description: 'Its options.' },
          mistakes: number('Number of its recent mistakes; older ones count less.'),
          answers: flag('True if it answers.'),
        }),
        'The rules that `follow-the-leader` compares; none for another rule.',
      ),
      label: textOrNull('Name of the column with the class.'),
      classes: list(text('Name of a class.'), 'In the order of scores.'),
      columns: list(
        object({
          name: text('Name.'),
          kind: text('Kind.'),
          decided: flag('False while further rows may show another kind.'),
        }),
        'Columns that a row may have.',
      ),
      notes: list(text('A note.'), 'Notes on columns whose kind may not be what was meant.'),
      examples: count('Number of rows that the model learned from.'),
      fault: textOrNull('Tells why the model takes no examples for now.'),
      metrics: {
        anyOf: [ref('Figures'), { type: 'null' }],
        description: 'Figures of the answers before learning; null for a frozen model.',
      },
    }),
  },
  {
    $id: 'Weights',
    description: 'The strongest weights of a model.',
    ...object({
      ...version,
      functions: list(
        object({
          class: text('The class that weights above 0 support.'),
          against: textOrNull('The other one of two classes; null: all others.'),
          bias: number('The part of a score that all rows have.'),
          nonzero: count('Number of weights that are not 0.'),
          strongest: list(
            object({ feature: text('Its name.'), weight: number('The weight.') }),
            'By descending absolute weight.',
          ),
        }),
        'One for two classes, else one for each class; none before two classes are known.',
      ),
    }),
  },
  {
    $id: 'Curve',
    description: 'The course of the errors of a stream.',
    ...object({
      ...version,
      points,
      shadow: {
        ...object({ since: shadow.since, points }),
        type: ['object', 'null'],
        description: 'The errors of the shadow over the examples of the model; null: there is none.',
      },
    }),
  },
  {
    $id: 'Columns',
    description: 'The columns that a row may have.',
    ...object({
      ...version,
      rows: {
        type: 'string',
        enum: ['records', 'numbers', 'unknown'],
        description: 'Rows are objects of fields, or numbers; unknown before a row was learned.',
      },
      probabilities: flag('True if answers have probabilities when they are asked for.'),
      columns: list(
        object(
          {
            name: text('Name.'),
            kind: text('Kind.'),
            mean: number('Mean of the present values: of a date in days since 1970, of a truth the share of true.'),
            format: text('The form of dates.'),
            separator: text('The mark between the values of a set; absent: only lists have several.'),
            levels: list(text('A level.'), 'Known levels of a category or a set, at most 100.'),
            otherLevels: count('Number of further levels.'),
          },
          ['mean', 'format', 'separator', 'levels', 'otherLevels'],
        ),
        'In the order of the model.',
      ),
    }),
  },
  {
    $id: 'Alarm',
    description: 'A change that a detector found.',
    ...object({
      sequence: count('Position in the journal of the example at which it was found.'),
      examples: count('Number of examples by then.'),
      of: {
        type: 'string',
        enum: ['error', 'input'],
        description: 'The errors of answers, or the values of an input.',
      },
      input: textOrNull('Name of the input.'),
      detector: { type: 'string', enum: ['adwin', 'page-hinkley'] },
      before: number('The mean before.'),
      after: number('About the mean of the latest 16 values.'),
    }),
  },
  {
    $id: 'Watch',
    description: 'Figures of the stream of examples.',
    ...object({
      ...version,
      examples: count('Number of examples that were watched.'),
      window: count('Largest number of the latest examples that `latest` counts.'),
      classes: list(
        object({
          name: textOrNull('Null: classes that are not told apart.'),
          examples: count('Number of its examples.'),
          latest: count('Of the latest.'),
        }),
        'In the order in which they came.',
      ),
      columns: list(
        object({
          name: text('Name.'),
          ...cells,
          latest: object(cells),
          alarms: { type: ['integer', 'null'], description: 'Null: its mean is not watched.' },
          mean: { type: ['number', 'null'], description: 'About that of the latest 16 values.' },
        }),
        'In the order in which they came.',
      ),
      calibration: {
        ...object({
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
        type: ['object', 'null'],
        description: 'Probabilities of the latest answers beside what came; null if they had none.',
      },
      errorAlarms: object({ adwin: count('Number of alarms.'), 'page-hinkley': count('Number of alarms.') }),
      alarms: list(ref('Alarm'), 'The latest, the oldest first, at most 32.'),
    }),
  },
  {
    $id: 'Shadow',
    description: 'A second learner, which sees the same examples.',
    ...object({ ...version, ...shadow, metrics: ref('Figures') }),
  },
  {
    $id: 'State',
    description: 'State of a model, as an event.',
    ...object({
      ...version,
      examples: count('Number of rows that the model learned from.'),
      fault: textOrNull('Tells why the model takes no examples for now.'),
      metrics: { ...object(course), type: ['object', 'null'] },
      shadow: {
        ...object({ ...shadow, metrics: object(course) }),
        type: ['object', 'null'],
        description: 'Null: there is none.',
      },
    }),
  },
  { $id: 'Models', ...object({ models: list(ref('Model'), 'By name.') }) },
  {
    $id: 'Health',
    ...object(
      {
        status: text('ok; degraded: some models are set aside.'),
        setAside: list(text('Name of a model.'), 'Models whose files could not be read at the start.'),
      },
      ['setAside'],
    ),
  },
];

const json = (schema: object) => ({ 'application/json': { schema } });
/** Lines cannot be described by a schema of the whole. */
const lines = (description: string) => ({ 'application/x-ndjson': { schema: { description } } });

/** The answer of success; `refusals.ts` adds all others. @param headers further ones. */
export function answers(status: number, description: string, content: object, headers: object = {}) {
  return { [status]: { description, content, headers } };
}

const etag = { etag: { type: 'string', pattern: '^"[0-9]+-[0-9a-f]{32}"$', description: 'The version.' } } as const;

/** An answer in JSON by a named schema. */
export function answersJson(status: number, description: string, name: string, headers: object = {}) {
  return answers(status, description, json(ref(name)), headers);
}

export const columnsSchema = { response: answersJson(200, 'The columns of a row.', 'Columns', etag) };

export const modelSchema = { response: answersJson(200, 'The model.', 'Model', etag) };

const asked = {
  probabilities: flag('Adds probabilities. Default false.'),
  remember: flag('Keeps the row, so that its label may follow. Default false.'),
};
const truth = { type: 'string', enum: ['true', 'false'] } as const;

export const predictSchema = {
  body: {
    content: {
      ...json({
        ...object({ row, rows: list(row, 'Several rows.'), ...asked }, ['row', 'rows', ...Object.keys(asked)]),
        oneOf: [{ required: ['row'] }, { required: ['rows'] }],
        description: 'either "row" or "rows"',
      }),
      ...lines('One row a line.'),
    },
  },
  querystring: {
    ...object({ probabilities: truth, remember: truth }, ['probabilities', 'remember']),
    description: 'For streams.',
  },
  response: answers(200, 'One answer for each row.', {
    ...json({ anyOf: [ref('Prediction'), ref('Predictions')] }),
    ...lines('One Prediction a line, or {"problem": Problem}.'),
  }),
};

const example = object({ row, label, importance, id: exampleId }, ['importance', 'id']);

export const learnSchema = {
  body: {
    content: {
      ...json({
        ...object({ ...example.properties, examples: list(example, 'Several examples.') }, [
          ...Object.keys(example.properties),
          'examples',
        ]),
        oneOf: [{ required: ['row', 'label'] }, { required: ['examples'] }],
        description: 'either "row" and "label", or "examples"',
      }),
      ...lines('One example a line.'),
    },
  },
  headers: {
    type: 'object',
    properties: {
      'idempotency-key': {
        type: 'string',
        minLength: 1,
        maxLength: 100,
        description:
          'Gives example number i the id KEY/i, from 0, if it has none. So the same examples are learned once, and others are refused.',
      },
    },
  },
  response: answers(200, 'One outcome for each example. What was learned is durable.', {
    ...json({ anyOf: [ref('Learned'), ref('LearnedMany')] }),
    ...lines('One Learned a line, or {"problem": Problem}.'),
  }),
};

export const feedbackSchema = {
  body: { content: json(object({ id: text('Of the answer.'), label, importance }, ['importance'])) },
  response: answersJson(200, 'The row was learned.', 'Learned'),
};

export const explainSchema = {
  body: {
    content: json(object({ row, of: text('The class. Default: the second of two, or the predicted one.') }, ['of'])),
  },
  response: answersJson(200, 'The parts of a score.', 'Explanation'),
};

export const weightsSchema = {
  querystring: object(
    {
      top: {
        type: 'string',
        pattern: '^([1-9][0-9]?|100)$',
        description: 'Largest number of weights of a class, up to 100. Default 10.',
      },
      of: text('A class; default: all. It must be one with a function of its own.'),
    },
    ['top', 'of'],
  ),
  response: answersJson(200, 'The strongest weights.', 'Weights', etag),
};

const conditions = {
  type: 'object',
  properties: {
    'if-match': {
      type: 'string',
      pattern: '^(\\*|"[0-9]{1,16}-[0-9a-f]{32}")$',
      description: 'ETag of the model that is to be changed, or *.',
    },
    'if-none-match': { type: 'string', const: '*', description: 'The model must not exist.' },
  },
} as const;

const file = (format: string) =>
  ({ type: 'object', properties: { format: { const: format } }, required: ['format'] }) as const;

/** Media type of a snapshot. */
export const snapshotType = 'application/octet-stream';
const bytes = { [snapshotType]: { schema: { description: 'The file of a snapshot.' } } };

export const putSchema = {
  body: {
    content: {
      ...bytes,
      ...json({
        anyOf: [
          { ...file('halfspace-model'), description: 'A model file: a frozen model.' },
          { ...file('halfspace-online'), description: 'A state, from which learning goes on.' },
          {
            ...object(
              {
                kind: { const: 'learning' },
                options: { type: 'object', description: 'Of `OnlineClassifier`.' },
                limits: object(
                  {
                    ids: count('Number of the latest ids that are remembered. Default 100,000.'),
                    predictions: count('Number of the latest predictions that wait for labels. Default 10,000.'),
                  },
                  ['ids', 'predictions'],
                ),
              },
              ['options', 'limits'],
            ),
            description: 'A new model that learns.',
          },
        ],
      }),
    },
  },
  headers: conditions,
  response: {
    ...answersJson(200, 'The model was replaced.', 'Model', etag),
    ...answersJson(201, 'The model was created.', 'Model', etag),
  },
};

export const versionsSchema = {
  response: answers(
    200,
    'Models that were replaced or retired, and whose files are kept; the latest last.',
    json(
      object({
        versions: list(
          object({
            generation: text('Its number, for the path.'),
            kind: { type: 'string', enum: ['frozen', 'learning'] },
            sequence: count('Examples in its last snapshot; further ones are kept, too.'),
            bytes: count('Size of its files.'),
          }),
          'By number.',
        ),
      }),
    ),
  ),
};

export const restoreSchema = { headers: conditions, response: answersJson(200, 'The model as it was.', 'Model', etag) };

export const purgeSchema = {
  response: {
    204: { type: 'null', description: 'Its files are gone.' },
    507: {
      description: 'The disk failed: nothing was changed.',
      content: { 'application/problem+json': { schema: ref('Problem') } },
    },
  },
};

export const deleteSchema = {
  headers: { ...conditions, properties: { 'if-match': conditions.properties['if-match'] } },
  response: { 204: { type: 'null', description: 'The model was retired.' } },
};

const asOf = object(
  { sequence: { type: 'string', pattern: '^[0-9]{1,15}$', description: 'An earlier record. Default: the last one.' } },
  ['sequence'],
);

export const fileSchema = (type: string) => ({
  ...(type === snapshotType ? { querystring: asOf } : {}),
  response: answers(
    200,
    'The file as of now. ETag is its version.',
    type === snapshotType ? bytes : json({ type: 'object', additionalProperties: true }),
    etag,
  ),
});

const changeKey = {
  type: 'object',
  properties: {
    'idempotency-key': {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      description:
        'A name: a request of the same kind with the same name does nothing more; other options are refused.',
    },
  },
} as const;

export const shadowSchema = {
  headers: changeKey,
  body: {
    content: json(
      object({ options: { type: 'object', description: 'Of a learning model.', additionalProperties: true } }),
    ),
  },
  response: answersJson(201, 'The shadow learns from now on.', 'Shadow'),
};

export const promoteSchema = {
  headers: changeKey,
  response: answersJson(200, 'The model that was in service is now the shadow.', 'Shadow'),
};

export const dropSchema = {
  headers: changeKey,
  response: { 204: { type: 'null', description: 'The shadow was dropped.' } },
};

export const eventsSchema = {
  headers: {
    type: 'object',
    properties: {
      'last-event-id': {
        type: 'string',
        pattern: '^[0-9]{0,15}$',
        description: 'Id of the last event that the reader has: missed alarms come first.',
      },
    },
  },
  response: answers(200, 'Server-sent events: `alarm` with an Alarm, `state` with a State, `retired` with {}.', {
    'text/event-stream': { schema: { type: 'string' } },
  }),
};
