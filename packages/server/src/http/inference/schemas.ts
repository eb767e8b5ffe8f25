import { datatypeNames } from './tensors.ts';

/*
 * JSON Schemas of the Open Inference Protocol, version 2, by its published members.
 *
 * @see https://github.com/kserve/open-inference-protocol, specification/protocol/inference_rest.md.
 */

/** Names of the outputs. */
export const outputNames = ['label', 'scores', 'probabilities'] as const;

const text = { type: 'string' } as const;
const shape = { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 1 } as const;
const parameters = {
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean'] },
  description: 'None has a meaning here.',
} as const;
const data = { type: 'array', description: 'Elements in row-major order, nested or flat.' } as const;

const tensor = {
  type: 'object',
  properties: { name: text, shape, datatype: { ...text, enum: datatypeNames }, parameters, data },
  required: ['name', 'shape', 'datatype', 'data'],
} as const;

const described = {
  type: 'object',
  properties: { name: text, datatype: text, shape: { type: 'array', items: { type: 'integer', minimum: -1 } } },
  required: ['name', 'datatype', 'shape'],
} as const;

const json = (description: string, properties: object, required: readonly string[]) => ({
  description,
  content: { 'application/json': { schema: { type: 'object', properties, required } } },
});

const ok = (description: string, properties: object, required: readonly string[] = Object.keys(properties)) => ({
  response: { 200: json(description, properties, required) },
});

export const serverSchema = ok('The service.', {
  name: text,
  version: text,
  extensions: { type: 'array', items: text },
});

export const liveSchema = ok('The service answers.', { live: { const: true } });
export const readySchema = ok('All models answer.', { ready: { const: true } });
export const modelReadySchema = ok('The model answers.', { name: text, ready: { const: true } });

export const metadataSchema = ok('The model.', {
  name: text,
  versions: { type: 'array', items: text, description: 'The present version, SEQUENCE-DIGEST.' },
  platform: text,
  inputs: { type: 'array', items: described },
  outputs: { type: 'array', items: described },
  properties: { type: 'object', additionalProperties: text },
});

export const inferSchema = {
  body: {
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: {
            id: text,
            parameters,
            inputs: { type: 'array', items: tensor, minItems: 1 },
            outputs: {
              type: 'array',
              items: {
                type: 'object',
                properties: { name: { type: 'string', enum: outputNames }, parameters },
                required: ['name'],
              },
            },
          },
          required: ['inputs'],
        },
      },
    },
  },
  ...ok(
    'One element of each output for each row.',
    { model_name: text, model_version: text, id: text, parameters, outputs: { type: 'array', items: tensor } },
    ['model_name', 'model_version', 'outputs'],
  ),
};
