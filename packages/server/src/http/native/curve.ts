import type { FastifyInstance } from 'fastify';
import type { ServedModel } from '../../models/contract.ts';
import { type Context, modelOf } from '../context.ts';
import { ErrorCurve } from '../events/error-curve.ts';
import { Refusal } from '../problem.ts';
import { answersJson } from '../schemas.ts';

/** Adds the course of the errors of a model since the service started, which a timer follows. */
export function addCurve(app: FastifyInstance, { models, tickMs }: Context): void {
  const curves = new WeakMap<ServedModel, { readonly curve: ErrorCurve; digest: string }>();
  const follow = (model: ServedModel): ErrorCurve => {
    const known = curves.get(model) ?? { curve: new ErrorCurve(), digest: '' };
    curves.set(model, known);
    const { digest } = model.version;
    if (known.digest === digest) return known.curve;
    known.digest = digest;
    const { metrics } = model;
    if (metrics !== null && metrics.window.rows > 0)
      known.curve.add({
        examples: model.description.examples,
        error: 1 - metrics.accuracy,
        latestError: 1 - metrics.window.accuracy,
      });
    return known.curve;
  };
  const timer = setInterval(() => {
    for (const model of models.list()) if (model.kind === 'learning') follow(model);
  }, tickMs);
  timer.unref();
  app.addHook('onClose', (_, done) => {
    clearInterval(timer);
    done();
  });

  app.get<{ Params: { readonly name: string } }>(
    '/v1/models/:name/curve',
    {
      schema: { response: answersJson(200, 'Errors since the service started.', 'Curve') },
      config: { scope: 'predict' },
    },
    (request, reply) => {
      const model = modelOf(models, request.params.name);
      if (model.kind === 'frozen')
        throw new Refusal(409, 'model-frozen', 'expected a model that learns; got a frozen one, which has no errors');
      return reply.send({ version: model.version, points: follow(model).points });
    },
  );
}
