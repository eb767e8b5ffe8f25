import type { FastifyInstance } from 'fastify';
import { HalfspaceError, type RawRow } from 'halfspace';
import type { Answer, AnswerOptions, ServedModel } from '../../models/contract.ts';
import { type Context, modelOf } from '../context.ts';
import { toldProblem } from '../errors.ts';
import { answerStream, ndjsonType } from '../ndjson.ts';
import { rowOf, rowsOf } from '../rows.ts';
import { explainSchema, predictSchema } from '../schemas.ts';

interface PredictBody extends AnswerOptions {
  readonly row?: unknown;
  readonly rows?: readonly unknown[];
}

interface PredictQuery {
  readonly probabilities?: 'true' | 'false';
  readonly remember?: 'true' | 'false';
}

interface Named {
  readonly name: string;
}

/** Adds `predict` and `explain`. */
export function addPredict(app: FastifyInstance, { models, limits, snapshots }: Context): void {
  app.post<{ Params: Named; Querystring: PredictQuery; Body: PredictBody | AsyncIterable<Buffer> }>(
    '/v1/models/:name/predict',
    { schema: predictSchema, config: { scope: 'predict' } },
    (request, reply) => {
      const { body, query } = request;
      const model = modelOf(models, request.params.name);
      if (Symbol.asyncIterator in body) {
        const options = { probabilities: query.probabilities === 'true', remember: query.remember === 'true' };
        const answer = (rows: readonly unknown[]) => rows.map((row) => lineOf(model, row, options));
        return reply.type(ndjsonType).send(answerStream(body, limits, answer, (error) => toldProblem(request, error)));
      }
      const { row, rows } = body;
      if (rows === undefined) {
        const answer = model.answer(rowOf(row, limits), body);
        return reply.send({ version: model.version, ...shown(answer) });
      }
      // No other request runs between the rows: they have one version.
      const predictions = rowsOf(rows, limits).map((each, i) => shown(answerOf(model, each, body, i)));
      return reply.send({ version: model.version, predictions });
    },
  );

  const lineOf = (model: ServedModel, row: unknown, options: AnswerOptions) => {
    try {
      return { value: { version: model.version, ...shown(model.answer(rowOf(row, limits), options)) } };
    } catch (error) {
      return { error };
    }
  };

  app.post<{ Params: Named; Body: { readonly row: unknown; readonly of?: string } }>(
    '/v1/models/:name/explain',
    { schema: explainSchema, config: { scope: 'predict' } },
    async (request, reply) => {
      const { row, of } = request.body;
      const model = modelOf(models, request.params.name);
      const asked = rowOf(row, limits);
      return reply.send(await snapshots.run(model, () => ({ version: model.version, ...model.explain(asked, of) })));
    },
  );
}

/** Adds the number of the row to a refusal. */
function answerOf(model: ServedModel, row: RawRow, options: AnswerOptions, i: number): Answer {
  try {
    return model.answer(row, options);
  } catch (error) {
    throw atRow(error, i + 1);
  }
}

/** Returns an error of the library with a row's number, from 1; any other error as it is. */
function atRow(error: unknown, row: number): unknown {
  return error instanceof HalfspaceError ? error.at({ row }) : error;
}

/** Returns an answer without the members that were not asked for, or have nothing to tell. */
function shown({ id, class: name, scores, probabilities, unknown, learner, classes }: Answer): object {
  // JSON has no integers of any size.
  const answer = { class: typeof name === 'bigint' ? String(name) : name, scores };
  if (probabilities === undefined && id === null && unknown === null && learner === undefined) return answer;
  return {
    ...answer,
    ...(probabilities === undefined ? {} : { probabilities }),
    ...(learner === undefined ? {} : { learner }),
    ...(classes === undefined ? {} : { classes }),
    ...(id === null ? {} : { id }),
    ...(unknown === null ? {} : { unknown }),
  };
}
