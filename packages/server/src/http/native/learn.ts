import type { FastifyInstance } from 'fastify';
import type { Label } from 'halfspace';
import type { Example, Learned } from '../../models/contract.ts';
import { type Context, modelOf } from '../context.ts';
import { toldProblem } from '../errors.ts';
import { answerStream, type LineAnswer, ndjsonType } from '../ndjson.ts';
import { Refusal } from '../problem.ts';
import { exampleOf, rowOf, rowsOf } from '../rows.ts';
import { feedbackSchema, learnSchema } from '../schemas.ts';

interface LearnBody extends Partial<Example> {
  readonly examples?: readonly Example[];
}

interface Named {
  readonly name: string;
}

/** Adds `learn` and `feedback`. */
export function addLearn(app: FastifyInstance, { models, limits, teaching }: Context): void {
  app.post<{
    Params: Named;
    Headers: { readonly 'idempotency-key'?: string };
    Body: LearnBody | AsyncIterable<Buffer>;
  }>('/v1/models/:name/learn', { schema: learnSchema, config: { scope: 'learn' } }, async (request, reply) => {
    const { body, params, headers } = request;
    const key = headers['idempotency-key'];
    const model = modelOf(models, params.name);
    if (Symbol.asyncIterator in body) {
      const learn = async (values: readonly unknown[], first: number): Promise<LineAnswer[]> => {
        const read = values.map((value, i) => readExample(value, first + i));
        const examples = read.flatMap((each) => ('value' in each ? [each.value] : []));
        const learned = examples.length === 0 ? [] : await teaching.learn(model, examples);
        const { version } = model;
        let next = 0;
        return read.map((each) => ('value' in each ? lineOf(learned[next++]!, version) : each));
      };
      const readExample = (value: unknown, i: number) => {
        try {
          return { value: named(exampleOf(value, limits), key, i) };
        } catch (error) {
          teaching.refuse(model.name, error);
          return { error };
        }
      };
      return reply.type(ndjsonType).send(answerStream(body, limits, learn, (error) => toldProblem(request, error)));
    }
    const { examples, row, label, importance, id } = body;
    // The schema has seen to the rest.
    if (examples !== undefined && (importance !== undefined || id !== undefined))
      throw new Refusal(400, 'request-invalid', 'expected importance and id of each of the examples; got one for all');
    if (examples === undefined) {
      const example = named({ row: rowOf(row, limits), label: label!, importance, id }, key, 0);
      const [outcome] = await teaching.learn(model, [example]);
      return reply.send({ version: model.version, ...unlessRefused(outcome!) });
    }
    rowsOf(
      examples.map((each) => each.row),
      limits,
    );
    const outcomes = await teaching.learn(
      model,
      examples.map((each, i) => named(each, key, i)),
    );
    return reply.send({
      version: model.version,
      outcomes: outcomes.map((each) => ('refused' in each ? { problem: toldProblem(request, each.refused) } : each)),
    });
  });

  app.post<{ Params: Named; Body: { readonly id: string; readonly label: Label; readonly importance?: number } }>(
    '/v1/models/:name/feedback',
    { schema: feedbackSchema, config: { scope: 'learn' } },
    async (request, reply) => {
      const { id, label, importance } = request.body;
      const model = modelOf(models, request.params.name);
      const outcome = await teaching.feedback(model, id, label, importance);
      return reply.send({ version: model.version, ...unlessRefused(outcome) });
    },
  );
}

/** Returns an example with the id that the request's key gives it, if it has none. */
function named(example: Example, key: string | undefined, i: number): Example {
  return key === undefined || example.id !== undefined ? example : { ...example, id: `${key}/${i}` };
}

function lineOf(outcome: Learned, version: object): LineAnswer {
  return 'refused' in outcome ? { error: outcome.refused } : { value: { version, ...outcome } };
}

/** @throws the error of a refused example. */
function unlessRefused(outcome: Learned): object {
  if ('refused' in outcome) throw outcome.refused;
  return outcome;
}
