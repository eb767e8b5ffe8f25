import { ModelClient } from './model-client.ts';
import { ServiceError } from './service-error.ts';
import { type CallOptions, type ClientOptions, Transport } from './transport.ts';
import type { AnyRow, Label, Model, Models } from './types.ts';

/** A service, over `fetch`: in pages, workers, Node, Deno and Bun. */
export class ServiceClient {
  readonly #transport: Transport;

  /**
   * @param url address of the service.
   * @throws ServiceError `option-invalid` for unknown options.
   */
  constructor(url: string | URL, options: ClientOptions = {}) {
    this.#transport = new Transport(url, options);
  }

  /** Returns the calls of a model. Nothing is sent. @typeParam Row the rows of the model. @typeParam L its labels. */
  model<Row extends object = AnyRow, L extends Label = Label>(name: string): ModelClient<Row, L> {
    return new ModelClient<Row, L>(this.#transport, name);
  }

  /** Lists the models that the key may ask, by name. */
  async models(options: CallOptions = {}): Promise<readonly Model[]> {
    const asked = { method: 'GET', path: 'v1/models', isRepeatable: true } as const;
    return this.#transport.send(asked, options, ({ text }) => (JSON.parse(text) as Models).models);
  }

  /** Tells if the service answers. One attempt is made. */
  isLive(options: CallOptions = {}): Promise<boolean> {
    return this.#isWell('livez', options);
  }

  /** Tells if the service answers and all its models take what they should. One attempt is made. */
  isReady(options: CallOptions = {}): Promise<boolean> {
    return this.#isWell('readyz', options);
  }

  async #isWell(path: string, { signal }: CallOptions): Promise<boolean> {
    try {
      return await this.#transport.once({ method: 'GET', path, isRepeatable: false }, signal).then(() => true);
    } catch (error) {
      if (error instanceof ServiceError) return false;
      throw error;
    }
  }
}
