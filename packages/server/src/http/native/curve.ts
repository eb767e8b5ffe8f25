import type { FastifyInstance } from 'fastify';
import type { PrequentialResult } from 'halfspace';
import type { ServedModel } from '../../models/contract.ts';
import { type Context, modelOf } from '../context.ts';
import { ErrorCurve } from '../events/error-curve.ts';
import { Refusal } from '../problem.ts';
import { answersJson } from '../schemas.ts';

/** The errors of a model since the service started, and of its shadow. */
interface Followed {
  readonly curve: ErrorCurve;
  shadow: { readonly since: number; readonly curve: ErrorCurve } | null;
  /** Of the last point. */
  digest: string;
}

/** Adds the course of the errors of a model since the service started, which a timer follows. */
export function addCurve(app: FastifyInstance, { models, tickMs }: Context): void {
  const curves = new WeakMap<ServedModel, Followed>();
  const follow = (model: ServedModel): Followed => {
    const known = curves.get(model) ?? { curve: new ErrorCurve(), shadow: null, digest: '' };
    curves.set(model, known);
    const { digest } = model.version;
    if (known.digest === digest) return known;
    known.digest = digest;
    const { metrics, shadow, description } = model;
    addPoint(known.curve, description.examples, metrics);
    if (shadow === null) known.shadow = null;
    else {
      const { since } = shadow;
      if (known.shadow?.since !== since) known.shadow = { since, curve: new ErrorCurve() };
      addPoint(known.shadow.curve, description.examples, shadow.metrics);
    }
    return known;
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
      const { curve, shadow } = follow(model);
      return reply.send({
        version: model.version,
        points: curve.points,
        shadow: shadow === null ? null : { since: shadow.since, points: shadow.curve.points },
      });
    },
  );
}

function addPoint(curve: ErrorCurve, examples: number, metrics: PrequentialResult | null): void {
  if (metrics !== null && metrics.window.rows > 0)
    curve.add({ examples, error: 1 - metrics.accuracy, latestError: 1 - metrics.window.accuracy });
}
