import type { Alarm, Label, State } from './answers.ts';

export type * from './answers.ts';

/**
 * A row that has no type of its own, as the `RawRow` of halfspace: fields by name, also of an interface or a class; a
 * list of numbers, or a sparse list of numbers.
 */
export type AnyRow =
  | Readonly<Record<string, unknown>>
  | (object & {
      readonly [Symbol.iterator]?: undefined;
      readonly [Symbol.toStringTag]?: undefined;
      readonly [Symbol.toPrimitive]?: undefined;
      readonly [Symbol.hasInstance]?: undefined;
    })
  | ArrayLike<number>
  | { readonly indices: ArrayLike<number>; readonly values: ArrayLike<number> };

/** A row with its label. */
export interface Example<Row extends object = AnyRow, L extends Label = Label> {
  readonly row: Row;
  readonly label: L;
  /** At least 0. Default 1. */
  readonly importance?: number | undefined;
  /** 1 to 128 characters: of the latest examples, one with the same id is not learned twice. */
  readonly id?: string | undefined;
}

/** An event of a model. `id` is the sequence number of the model. */
export type ModelEvent =
  | { readonly type: 'alarm'; readonly id: number; readonly data: Alarm }
  | { readonly type: 'state'; readonly id: number; readonly data: State }
  /** The model was retired or replaced. It is the last event. */
  | { readonly type: 'retired'; readonly id: number; readonly data: object };

/** A new model that learns. */
export interface NewLearner {
  readonly kind: 'learning';
  /** Options of `OnlineClassifier`, such as `label`, `rule` and `calibrate`. */
  readonly options?: object | undefined;
  readonly limits?:
    | {
        /** Number of the latest ids that are remembered. Default 100,000. */
        readonly ids?: number | undefined;
        /** Number of the latest predictions that wait for labels. Default 10,000. */
        readonly predictions?: number | undefined;
      }
    | undefined;
}
