import type { Random } from 'halfspace/runs';
import { expect } from 'vitest';
import type { Example, Learned } from '../../src/models/contract.ts';
import type { ShadowChange } from '../../src/state/control-record.ts';
import { KnownModel, mostIds, nameless, type SentRecords } from './known-model.ts';
import type { Received, Sent, StartedCommand } from './started-command.ts';

/** The name of a model, and what clients know of it. */
export interface KnownName {
  readonly name: string;
  serving: KnownModel | null;
  /** The change of the name that is under way; null: none. */
  change: { readonly to: KnownModel | null } | null;
  /** Number of beginnings and ends of changes. */
  changes: number;
  /** True while a change of the shadow is under way: one that came to another model could not be told from others. */
  isShadowBusy: boolean;
  /** The change of the shadow whose outcome is unknown. */
  shadowChange: { readonly key: string; readonly of: KnownModel } | null;
  hasShadow: boolean;
}

/** Most examples that are sent between two checks, so that the service remembers the ids of all. */
const mostExamples = 3000;

/** Clients of a service that dies, over all its lives. */
export class Clients {
  readonly names: readonly KnownName[];
  readonly sent: SentRecords = new Map();
  readonly counts = { acknowledged: 0, retried: 0, replaced: 0, differed: 0, retired: 0, created: 0, shadows: 0 };
  readonly #random: Random;
  /** Ids of examples that were sent lately, for retries. */
  #recent: { readonly id: string; readonly to: KnownModel }[] = [];
  #count = 0;
  #service!: StartedCommand;
  #isDead = true;
  #sentNow = 0;
  /** Models that were retired, in order. */
  readonly retired: { readonly name: string; readonly model: KnownModel }[] = [];

  constructor(names: readonly string[], random: Random) {
    this.#random = random;
    this.names = names.map((name) => ({
      name,
      serving: null,
      change: null,
      changes: 0,
      isShadowBusy: false,
      shadowChange: null,
      hasShadow: false,
    }));
  }

  chance(probability: number): boolean {
    return this.#random.uniform() < probability;
  }

  /** Begins to send. Rejects if an answer is wrong; resolves after {@link stop}. */
  async run(service: StartedCommand): Promise<void> {
    this.#service = service;
    this.#isDead = false;
    this.#sentNow = 0;
    for (const known of this.names) known.isShadowBusy = false;
    const learners = Array.from({ length: 8 }, () => this.#learnOn());
    await Promise.all([...learners, ...this.names.map((name) => this.#changeOn(name)), this.#shadowOn()]);
  }

  /** What comes from now on may be the end of the service. */
  stop(): void {
    this.#isDead = true;
  }

  /** Sends a request. Null: the service died. */
  async #ask(path: string, sent: Sent): Promise<Received | null> {
    const answer = await this.#service.ask(path, sent);
    if (answer?.isWhole) return answer;
    if (!this.#isDead) throw new Error(`expected an answer; got none: ${this.#service.log}`);
    return answer?.headers['content-type'] === 'application/x-ndjson' ? answer : null;
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random.uniform() * list.length)]!;
  }

  #example(id?: string): Example {
    const k = this.#count++;
    const example = {
      row: { x: ((k * 37) % 101) - 50, y: ((k * 53) % 97) / 7, colour: ['red', 'green', 'blue'][k % 3]! },
      label: (k * 37) % 101 > 50 ? 'yes' : 'no',
      importance: 1 + (k % 2),
    };
    if (id !== undefined) this.sent.set(id, { ...example, id });
    return example;
  }

  async #learnOn(): Promise<void> {
    while (!this.#isDead && this.#sentNow < mostExamples) {
      const known = this.#pick(this.names);
      if (known.serving === null) await new Promise((resolve) => setTimeout(resolve, 1));
      else await this.#learn(known, known.serving);
    }
  }

  /** Sends examples in one of the ways that there are, and notes the outcomes. */
  async #learn(known: KnownName, to: KnownModel): Promise<void> {
    const path = `v1/models/${known.name}`;
    const { changes } = known;
    const count = this.chance(0.8) ? 1 : 20;
    const key = `key ${this.#count}`;
    const way = this.#random.uniform();
    let ids: (string | null)[];
    let sent: Sent;
    if (way < 0.1) {
      ids = Array.from({ length: count }, () => null);
      sent = { body: { examples: ids.map(() => nameless) } };
    } else if (way < 0.25) {
      ids = Array.from({ length: count }, (_, i) => `${key}/${i}`);
      sent = { body: { examples: ids.map((id) => this.#example(id!)) }, headers: { 'idempotency-key': key } };
    } else if (way < 0.35) {
      const { row, label } = this.#example();
      const answer = await this.#ask(`${path}/predict`, { body: { row, remember: true } });
      const { id } = answer?.status === 200 ? JSON.parse(answer.text) : {};
      // A frozen model or none may answer for a moment; a feedback for another model is unknown there.
      if (id === undefined) return;
      this.sent.set(id, { id, row, label });
      await this.#tell(known, to, changes, [id], `${path}/feedback`, { body: { id, label } });
      return;
    } else {
      ids = Array.from({ length: count }, () => `${key} ${this.#count}`);
      const examples = ids.map((_, i) => {
        const again = this.chance(0.1) && this.#recent.length > 0 ? this.#pick(this.#recent) : null;
        const id = again?.to === to ? again.id : `${key} ${i}`;
        if (again?.to === to) this.counts.retried++;
        else this.#example(id);
        ids[i] = id;
        return this.sent.get(id) as Example;
      });
      sent = { body: count > 1 && way < 0.6 ? examples : count === 1 && way < 0.7 ? examples[0]! : { examples } };
    }
    for (const id of ids) if (id !== null) this.#recent.push({ id, to });
    if (this.#recent.length > 400) this.#recent = this.#recent.slice(-200);
    await this.#tell(known, to, changes, ids, `${path}/learn`, sent);
  }

  async #tell(
    known: KnownName,
    to: KnownModel,
    changes: number,
    ids: readonly (string | null)[],
    path: string,
    sent: Sent,
  ): Promise<void> {
    this.#sentNow += ids.length;
    const answer = await this.#ask(path, sent);
    // Another model may have learned them.
    if (answer === null || known.changes !== changes || known.change !== null) return;
    if (answer.status !== 200) throw new Error(`expected examples to be learned; got ${answer.text}`);
    for (const [k, outcome] of outcomesIn(answer).entries()) {
      if (!('sequence' in outcome)) throw new Error(`expected an example to be learned; got ${answer.text}`);
      to.acknowledge(ids[k]!, outcome);
      this.counts.acknowledged++;
    }
  }

  /** Creates, replaces and retires the model of a name. */
  async #changeOn(known: KnownName): Promise<void> {
    while (!this.#isDead) {
      if (known.serving !== null) await this.#pause(40);
      if (this.#isDead) return;
      const path = `v1/models/${known.name}`;
      const isBorn = known.serving !== null;
      const isEnd = isBorn && this.chance(0.4);
      const condition = await this.#condition(path, isBorn);
      if (condition === null) return;
      if (known.isShadowBusy) continue;
      const to = isEnd ? null : new KnownModel(known.name, `label ${this.#count++}`, this.sent);
      known.change = { to };
      known.changes++;
      const put = { kind: 'learning', options: to?.options, limits: { ids: mostIds } };
      const answer = await this.#ask(path, {
        method: isEnd ? 'DELETE' : 'PUT',
        headers: condition,
        ...(isEnd ? {} : { body: put }),
      });
      if (answer === null) return;
      known.changes++;
      if (answer.status === 412 && condition['if-match'] !== undefined) this.counts.differed++;
      else {
        expect({ status: answer.status, text: isEnd ? answer.text : '' }).toEqual({
          status: isEnd ? 204 : isBorn ? 200 : 201,
          text: '',
        });
        this.settle(known, to);
      }
      known.change = null;
    }
  }

  /** Notes that a model came into the place of another one. */
  settle(known: KnownName, to: KnownModel | null): void {
    this.counts[to === null ? 'retired' : known.serving === null ? 'created' : 'replaced']++;
    if (to === null) this.retired.push({ name: known.name, model: known.serving! });
    known.serving = to;
    known.hasShadow = false;
    known.shadowChange = null;
  }

  /** Returns the headers that make a change depend on what is there, or none; null if the service died. */
  async #condition(path: string, isBorn: boolean): Promise<Record<string, string> | null> {
    if (this.chance(0.3)) return {};
    if (!isBorn) return { 'if-none-match': '*' };
    const shown = await this.#ask(path, {});
    return shown === null ? null : { 'if-match': shown.headers.etag! };
  }

  /** Begins, promotes and drops shadows, one change at a time. */
  async #shadowOn(): Promise<void> {
    while (!this.#isDead) {
      await this.#pause(10);
      const known = this.#pick(this.names);
      const of = known.serving;
      if (this.#isDead) return;
      if (of === null || known.change !== null) continue;
      // One whose answer was lost is tried again before any other one.
      const key = known.shadowChange?.of === of ? known.shadowChange.key : `change ${this.#count++}`;
      const id = key;
      if (!this.sent.has(id)) this.sent.set(id, this.#shadowChange(known, of));
      const change = this.sent.get(id) as ShadowChange;
      known.shadowChange = { key, of };
      known.isShadowBusy = true;
      const path = `v1/models/${known.name}/${change.kind === 'promote' ? 'promote' : 'shadow'}`;
      const answer = await this.#ask(path, {
        method: change.kind === 'drop' ? 'DELETE' : 'POST',
        headers: { 'idempotency-key': key },
        ...(change.kind === 'start' ? { body: { options: change.options } } : {}),
      });
      if (answer === null) return;
      if (answer.status >= 400) throw new Error(`expected a change of a shadow; got ${answer.text}`);
      known.isShadowBusy = false;
      known.shadowChange = null;
      known.hasShadow = change.kind !== 'drop';
      this.counts.shadows++;
    }
  }

  #shadowChange({ hasShadow }: KnownName, { label }: KnownModel): ShadowChange {
    if (hasShadow && this.chance(0.7)) return { kind: this.chance(0.7) ? 'promote' : 'drop' };
    return { kind: 'start', options: { rule: this.chance(0.5) ? 'arow' : 'perceptron', label, window: 20 } };
  }

  #pause(most: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.#random.uniform() * most));
  }
}

/** Returns the outcomes of an answer of `learn` or `feedback`; of a broken stream, those of its whole lines. */
function outcomesIn({ headers, text }: Received): readonly (Learned | { readonly problem: object })[] {
  const isLines = headers['content-type'] === 'application/x-ndjson';
  const lines = isLines ? text.split('\n').slice(0, -1) : [text];
  return lines.flatMap((line) => {
    const answer = JSON.parse(line);
    return answer.outcomes ?? [answer];
  });
}
