import { quote } from 'halfspace/checks';
import { type Following, isSetAside, type Models, type ServedModel } from '../models/contract.ts';
import type { RequestLimits } from './limits.ts';
import { Refusal } from './problem.ts';
import type { SnapshotTurns } from './snapshots.ts';
import type { Teaching } from './teaching.ts';

/** The permission that a route asks for. */
export type Scope = 'predict' | 'learn' | 'follow' | 'admin';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `any`: every key may call the route. Absent: everybody. */
    readonly scope?: Scope | 'any';
    /** True for a route that tells if the service takes requests. */
    readonly tellsReadiness?: boolean;
    /** True for a route whose answer goes on until the client leaves. */
    readonly staysOpen?: boolean;
  }
}

/** The parts of the service that routes ask. */
export interface Context {
  readonly models: Models;
  /** Null: the service follows no other one. */
  readonly following: Following | null;
  readonly limits: RequestLimits;
  /** The way of examples to models. */
  readonly teaching: Teaching;
  /** The way to snapshots of models. */
  readonly snapshots: SnapshotTurns;
  /** Time in milliseconds from one state in a stream of events to the next. */
  readonly tickMs: number;
}

/** Returns a model by the name in a path. @throws `model-set-aside`; Refusal for an unknown one. */
export function modelOf(models: Models, name: string): ServedModel {
  const model = models.get(name);
  if (model !== null) return model;
  if (models.setAside.has(name)) throw isSetAside(name);
  throw new Refusal(
    404,
    'model-unknown',
    `expected the name of a model (see /v1/models; PUT /v1/models/NAME creates one); got ${quote(name)}`,
  );
}
