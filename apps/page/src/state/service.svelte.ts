import { type Model, ServiceError } from 'halfspace-server/client';
import { Connection } from '../service/connection.ts';
import { Followed } from './followed.svelte.ts';

/** Time in milliseconds from one look at the list of models to the next. */
const listMs = 4000;

/** The state of the page: the models, the one that is shown, and if a key is missing. */
export class Service {
  readonly connection = new Connection();
  /** Null: not known yet. */
  models: readonly Model[] | null = $state.raw(null);
  followed: Followed | null = $state.raw(null);
  /** True if the service asks for a key. */
  isLocked = $state(false);
  /** Tells why the last key was refused; null: no key was. */
  keyFault: string | null = $state(null);
  hasKey = $state(false);
  /** Tells why the service cannot be asked; null: it can. */
  fault: string | null = $state(null);
  #timer = 0;

  constructor() {
    this.hasKey = this.connection.hasKey;
    addEventListener('hashchange', () => this.#choose());
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) void this.look();
      this.followed?.setVisible(!document.hidden);
    });
  }

  /** Name of the model that the address names; null: none. */
  get #named(): string | null {
    const [, name] = /^#\/(.+)$/.exec(location.hash) ?? [];
    return name === undefined ? null : decodeURIComponent(name);
  }

  /** Reads the list of models, now and again later. */
  async look(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      this.models = await this.connection.client.models();
      this.isLocked = false;
      this.keyFault = null;
      this.fault = null;
      this.#choose();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.status === 401 || error.status === 403) this.#lock(error);
      else this.fault = error.status === 0 ? 'The service does not answer. Trying again …' : error.message;
    }
    if (!document.hidden && !this.isLocked) this.#timer = window.setTimeout(() => void this.look(), listMs);
  }

  unlock(key: string): void {
    this.connection.setKey(key);
    this.hasKey = true;
    void this.look();
  }

  forgetKey(): void {
    this.connection.setKey(null);
    this.hasKey = false;
    void this.look();
  }

  #lock({ message, status }: ServiceError): void {
    this.keyFault = this.hasKey ? (status === 401 ? 'The service does not know this key.' : message) : null;
    this.connection.setKey(null);
    this.hasKey = false;
    this.isLocked = true;
    this.models = null;
    this.followed?.end();
    this.followed = null;
  }

  #choose(): void {
    const { models } = this;
    if (models === null) return;
    const model = models.find(({ name }) => name === this.#named) ?? models[0] ?? null;
    const { followed } = this;
    if (model === null || followed === null || followed.name !== model.name || followed.kind !== model.kind) {
      followed?.end();
      this.followed =
        model === null ? null : new Followed(this.connection.client.model(model.name), model, () => void this.look());
    } else followed.refresh(model);
  }
}
