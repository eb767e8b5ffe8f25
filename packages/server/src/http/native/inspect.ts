import type { FastifyInstance } from 'fastify';
import type { Model, TableColumn } from 'halfspace';
import { quote } from 'halfspace/checks';
import { type DescribedFunction, describeFunctions } from 'halfspace/models';
import type { ServedModel } from '../../models/contract.ts';
import { type Context, modelOf } from '../context.ts';
import { Refusal } from '../problem.ts';
import { columnsSchema, weightsSchema } from '../schemas.ts';
import { entityTag } from '../versions.ts';

interface Named {
  readonly name: string;
}

const usualTop = 10;
/** Largest number of levels of a column that are listed. */
const mostLevels = 100;

/** Adds the strongest weights of a model, and the columns of its rows with their levels. */
export function addInspect(app: FastifyInstance, { models, snapshots }: Context): void {
  app.get<{ Params: Named; Querystring: { readonly top?: string; readonly of?: string } }>(
    '/v1/models/:name/weights',
    { schema: weightsSchema, config: { scope: 'predict' } },
    async (request, reply) => {
      const model = modelOf(models, request.params.name);
      const { top, of } = request.query;
      const answer = await snapshots.run(model, () => {
        const snapshot = snapshotOf(model);
        const { version } = model;
        if (snapshot === null) return { version, functions: [] };
        return { version, functions: strongestOf(snapshot, top === undefined ? usualTop : Number(top), of) };
      });
      return reply.header('etag', entityTag(answer.version)).send(answer);
    },
  );

  app.get<{ Params: Named }>(
    '/v1/models/:name/columns',
    {
      schema: columnsSchema,
      config: { scope: 'predict' },
    },
    async (request, reply) => {
      const model = modelOf(models, request.params.name);
      const answer = await snapshots.run(model, () => ({ version: model.version, ...columnsOf(model) }));
      return reply.header('etag', entityTag(answer.version)).send(answer);
    },
  );
}

/** Returns the model as of now; null before it has two classes. */
function snapshotOf(model: ServedModel): Model | null {
  return model.classes.length < 2 || model.description.examples === 0 ? null : model.snapshot();
}

/** @throws Refusal for a model without weights, and for a class without a function. */
function strongestOf(model: Model, top: number, of: string | undefined): object[] {
  if (model.kind === 'tree' || model.kind === 'dual')
    throw new Refusal(
      409,
      'weights-missing',
      `expected a model with weights; got ${model.kind === 'tree' ? 'a decision tree' : 'one of rows, with a kernel'}`,
    );
  const asked = describeFunctions(model, model.means).filter((each) => of === undefined || each.class === of);
  if (asked.length === 0)
    throw new Refusal(404, 'class-unknown', `expected a class with weights of its own; got ${quote(of)}`);
  return asked.map(({ class: name, against, linear, curves, grids, all, others }) => ({
    ...{ class: name, against: model.kind === 'linear' ? against : null },
    bias: linear.bias * linear.biasConstant,
    nonzero: all.nonzero(),
    strongest: others.strongest(top),
    curves: curves.slice(0, top).map((curve) => ({ ...sideOf(curve), values: [...curve.values] })),
    grids: grids.slice(0, top).map(({ sides, values }) => ({ sides: sides.map(sideOf), values: [...values] })),
  }));
}

type Side = DescribedFunction['grids'][number]['sides'][number];

function sideOf({ column, format, edges, names }: Side): object {
  return { column, ...(format === undefined ? {} : { format }), edges, names };
}

function columnsOf(model: ServedModel): object {
  const snapshot = snapshotOf(model);
  // Before a model can be made, the columns are known without their levels.
  if (snapshot === null) {
    const { columns, examples } = model.description;
    const rows = columns.length > 0 ? 'records' : examples > 0 ? 'numbers' : 'unknown';
    return { rows, probabilities: false, columns: columns.map(({ name, kind }) => ({ name, kind })) };
  }
  const { features } = snapshot;
  return {
    rows: features.kind === 'indexed' ? 'numbers' : 'records',
    probabilities: snapshot.calibration !== null,
    columns: features.kind === 'table' ? features.columns.map(shown) : [],
  };
}

function shown(column: TableColumn): object {
  const { name, kind } = column;
  switch (column.kind) {
    case 'category':
    case 'set': {
      const { levels } = column;
      const separator = column.kind === 'set' && column.separator !== undefined ? { separator: column.separator } : {};
      const otherLevels = Math.max(0, levels.length - mostLevels);
      return { name, kind, ...separator, levels: levels.slice(0, mostLevels), otherLevels };
    }
    case 'text':
      return { name, kind };
    case 'date':
      return { name, kind, mean: column.mean, format: column.format ?? 'iso' };
    default:
      return { name, kind, mean: column.mean };
  }
}
