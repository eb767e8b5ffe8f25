import { longestId, longestLabel } from '../state/example-record.ts';
import { count, flag, list, object, ref, text } from './answers.ts';

/* JSON Schemas of the requests, by which Fastify checks them. /openapi.json shows them with their answers. */

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
  'probabilities?': flag('Adds probabilities. Default false.'),
  'remember?': flag('Keeps the row, so that its label may follow. Default false.'),
};
const truth = { type: 'string', enum: ['true', 'false'] } as const;

export const predictSchema = {
  body: {
    content: {
      ...json({
        ...object({ 'row?': row, 'rows?': list(row, 'Several rows.'), ...asked }),
        oneOf: [{ required: ['row'] }, { required: ['rows'] }],
        description: 'either "row" or "rows"',
      }),
      ...lines('One row a line.'),
    },
  },
  querystring: {
    ...object({ 'probabilities?': truth, 'remember?': truth }),
    description: 'For streams.',
  },
  response: answers(200, 'One answer for each row.', {
    ...json({ anyOf: [ref('Prediction'), ref('Predictions')] }),
    ...lines('One Prediction a line, or {"problem": Problem}.'),
  }),
};

const taught = { 'importance?': importance, 'id?': exampleId };
const example = object({ row, label, ...taught });

export const learnSchema = {
  body: {
    content: {
      ...json({
        ...object({ 'row?': row, 'label?': label, ...taught, 'examples?': list(example, 'Several examples.') }),
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
  body: { content: json(object({ id: text('Of the answer.'), label, 'importance?': importance })) },
  response: answersJson(200, 'The row was learned.', 'Learned'),
};

export const explainSchema = {
  body: {
    content: json(object({ row, 'of?': text('The class. Default: the second of two, or the predicted one.') })),
  },
  response: answersJson(200, 'The parts of a score.', 'Explanation'),
};

export const weightsSchema = {
  querystring: object({
    'top?': {
      type: 'string',
      pattern: '^([1-9][0-9]?|100)$',
      description: 'Largest number of weights of a class, up to 100. Default 10.',
    },
    'of?': text('A class; default: all. It must be one with a function of its own.'),
  }),
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
            ...object({
              kind: { const: 'learning' },
              'options?': { type: 'object', description: 'Of `OnlineClassifier`.' },
              'limits?': object({
                'ids?': count('Number of the latest ids that are remembered. Default 100,000.'),
                'predictions?': count('Number of the latest predictions that wait for labels. Default 10,000.'),
              }),
            }),
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

const asOf = object({
  'sequence?': { type: 'string', pattern: '^[0-9]{1,15}$', description: 'An earlier record. Default: the last one.' },
});

export const fileSchema = (type: string) => ({
  ...(type === snapshotType ? { querystring: asOf } : {}),
  response: answers(
    200,
    'The file as of now. ETag is its version.',
    type === snapshotType ? bytes : json({ type: 'object', additionalProperties: true }),
    etag,
  ),
});

export const journalSchema = {
  querystring: object({
    after: {
      type: 'string',
      pattern: '^[0-9]{1,16}-[0-9a-f]{32}$',
      description: 'The version that the reader has: SEQUENCE-DIGEST, the ETag without its quotes.',
    },
  }),
  response: {
    ...answers(
      200,
      'The records behind a version, as they come, and each second a line without any, until the model ends.',
      lines('One JournalPart a line.'),
    ),
    412: {
      description: 'The journal does not reach back to this version, or never had it: begin with a snapshot.',
      content: { 'application/problem+json': { schema: ref('Problem') } },
    },
  },
};

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

export const shareSchema = {
  headers: changeKey,
  body: {
    content: json(
      object({
        share: { type: 'number', minimum: 0, maximum: 1, description: 'Of the answers that the shadow gives.' },
      }),
    ),
  },
  response: answersJson(200, 'The shadow answers that share of the rows, always the same ones.', 'Shadow'),
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
