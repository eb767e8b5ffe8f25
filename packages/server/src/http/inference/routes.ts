import type { FastifyInstance } from 'fastify';
import { quote } from 'halfspace/internal';
import type { Answer, ServedModel } from '../../models/contract.ts';
import { type Context, modelOf } from '../context.ts';
import { answerError } from '../errors.ts';
import { Refusal } from '../problem.ts';
import { rowsOf } from '../rows.ts';
import {
  inferSchema,
  liveSchema,
  metadataSchema,
  modelReadySchema,
  type outputNames,
  readySchema,
  serverSchema,
} from './schemas.ts';
import { datatypeOf, rowsOfTensors, type Tensor } from './tensors.ts';

/*
 * The Open Inference Protocol, version 2, over REST. A model has one version, the present one, `SEQUENCE-DIGEST`.
 *
 * @see https://github.com/kserve/open-inference-protocol.
 */

interface Named {
  readonly name: string;
  readonly version?: string;
}

interface Inference {
  readonly id?: string;
  readonly inputs: readonly Tensor[];
  readonly outputs?: readonly { readonly name: keyof typeof outputs }[];
}

/** Adds `/v2` and what is below it. */
export function addInference(app: FastifyInstance, context: Context, version: string): void {
  app.register(async (scope) => {
    // Clients of the protocol look for `error`.
    scope.setErrorHandler((error, request, reply) => answerError(error, request, reply, 'inference'));
    for (const url of ['/v2', '/v2/'])
      scope.get(url, { schema: serverSchema }, () => ({ name: 'halfspace', version, extensions: [] }));
    scope.get('/v2/health/live', { schema: liveSchema }, () => ({ live: true }));
    scope.get('/v2/health/ready', { schema: readySchema, config: { tellsReadiness: true } }, () => ({ ready: true }));
    for (const url of ['/v2/models/:name', '/v2/models/:name/versions/:version']) addModel(scope, url, context);
  });
}

function addModel(scope: FastifyInstance, url: string, { models, limits }: Context): void {
  const config = { scope: 'predict' } as const;
  const find = ({ name, version }: Named) => {
    const model = modelOf(models, name);
    const present = versionOf(model);
    if (version !== undefined && version !== present)
      throw new Refusal(404, 'version-unknown', `expected the version ${present}; got ${quote(version)}`);
    return model;
  };
  scope.get<{ Params: Named }>(url, { schema: metadataSchema, config }, ({ params }) => metadataOf(find(params)));
  scope.get<{ Params: Named }>(`${url}/ready`, { schema: modelReadySchema, config }, ({ params }) => ({
    name: find(params).name,
    ready: true,
  }));
  scope.post<{ Params: Named; Body: Inference }>(
    `${url}/infer`,
    { schema: inferSchema, config },
    ({ params, body }) => {
      const model = find(params);
      const { id, inputs, outputs: asked = [{ name: 'label' }, { name: 'scores' }] as const } = body;
      const wanted = asked.map(({ name }) => name);
      const rows = rowsOf(rowsOfTensors(inputs, model.description.columns.length > 0, limits.rows), limits);
      const probabilities = wanted.includes('probabilities');
      const answers = rows.map((row) => model.answer(row, { probabilities }));
      return {
        model_name: model.name,
        model_version: versionOf(model),
        ...(id === undefined ? {} : { id }),
        ...parametersOf(answers),
        outputs: wanted.map((name) => ({ name, ...outputs[name](answers) })),
      };
    },
  );
}

/** Tells the input tensors that the model does not know. Parameters of the protocol are no lists. */
function parametersOf(answers: readonly Answer[]): object {
  const unknown = [...new Set(answers.flatMap((answer) => answer.unknown ?? []))];
  return unknown.length === 0 ? {} : { parameters: { unknown: unknown.join(', ') } };
}

type Output = Omit<Tensor, 'name'>;

const outputs = {
  label: (answers: readonly Answer[]): Output => ({
    datatype: 'BYTES',
    shape: [answers.length],
    data: answers.map(({ class: name }) => {
      if (name === null) throw new Refusal(409, 'class-unknown', 'expected a model that knows a class; got a new one');
      return String(name);
    }),
  }),
  scores: (answers: readonly Answer[]) => matrix(answers.map(({ scores }) => scores)),
  probabilities: (answers: readonly Answer[]) => matrix(answers.map((answer) => answer.probabilities ?? [])),
} satisfies Record<(typeof outputNames)[number], (answers: readonly Answer[]) => Output>;

function matrix(rows: readonly (readonly number[])[]): Output {
  return { datatype: 'FP64', shape: [rows.length, rows[0]?.length ?? 0], data: rows.flat() };
}

function versionOf({ version: { sequence, digest } }: ServedModel): string {
  return `${sequence}-${digest}`;
}

/** Returns the metadata of a model. −1 stands for any length. */
function metadataOf(model: ServedModel): object {
  const { columns, rule, label } = model.description;
  const classes = model.classes.length;
  return {
    name: model.name,
    versions: [versionOf(model)],
    platform: 'halfspace_json',
    inputs:
      columns.length === 0
        ? [{ name: 'row', datatype: 'FP64', shape: [-1, -1] }]
        : columns.map(({ name, kind }) => ({ name, datatype: datatypeOf(kind), shape: [-1] })),
    outputs: [
      { name: 'label', datatype: 'BYTES', shape: [-1] },
      { name: 'scores', datatype: 'FP64', shape: [-1, classes > 2 ? classes : 1] },
      { name: 'probabilities', datatype: 'FP64', shape: [-1, classes] },
    ],
    properties: { rule, kind: model.kind, ...(label === null ? {} : { label }) },
  };
}
