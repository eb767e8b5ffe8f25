export type {
  ConditionOptions,
  GroupOptions,
  KeyOptions,
  ModelClient,
  ModelFile,
  PredictOptions,
} from './model-client.ts';
export { ServiceClient } from './service-client.ts';
export { ServiceError } from './service-error.ts';
export type { CallOptions, ClientOptions } from './transport.ts';
export type * from './types.ts';
