import type { PrequentialResult } from 'halfspace';
import type { ServedModel } from '../../models/contract.ts';
import type { EventStream } from './event-stream.ts';

/**
 * The events of one model, for all its readers: alarms at once, and its state after each tick in which it changed. The
 * id of an event is the sequence number of the model, so a reader that comes again gets the alarms it missed, as far as
 * the model keeps them.
 */
export class ModelEvents {
  readonly #model: ServedModel;
  readonly #inService: () => boolean;
  readonly #streams = new Set<EventStream>();
  readonly #tickMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #stop: () => void;
  /** Digest of the state that was told last. */
  #told: string;

  /** @param inService tells if the model still is. */
  constructor(model: ServedModel, inService: () => boolean, tickMs: number) {
    this.#model = model;
    this.#inService = inService;
    this.#tickMs = tickMs;
    this.#told = model.version.digest;
    this.#timer = setInterval(() => this.#tick(), tickMs);
    this.#timer.unref();
    this.#stop = model.onAlarm((alarm) => {
      for (const stream of this.#streams) stream.send('alarm', alarm.sequence, alarm);
    });
  }

  get isEmpty(): boolean {
    return this.#streams.size === 0;
  }

  /** @param last sequence number of the last event that the reader has; null: it begins. */
  add(stream: EventStream, last: number | null): void {
    const { sequence } = this.#model.version;
    // A larger number is one of a model that was replaced.
    const from = last !== null && last > sequence ? 0 : last;
    if (from !== null)
      for (const alarm of this.#model.watch?.alarms ?? [])
        if (alarm.sequence > from) stream.send('alarm', alarm.sequence, alarm);
    stream.send('state', sequence, stateOf(this.#model));
    this.#streams.add(stream);
  }

  remove(stream: EventStream): void {
    this.#streams.delete(stream);
  }

  /** Ends all streams. */
  close(): void {
    clearInterval(this.#timer);
    this.#stop();
    for (const stream of this.#streams) stream.end();
    this.#streams.clear();
  }

  #tick(): void {
    if (!this.#inService()) {
      for (const stream of this.#streams) stream.send('retired', this.#model.version.sequence, {});
      this.close();
      return;
    }
    const { sequence, digest } = this.#model.version;
    if (digest === this.#told) {
      for (const stream of this.#streams) stream.pass(this.#tickMs);
      return;
    }
    this.#told = digest;
    const state = stateOf(this.#model);
    for (const stream of this.#streams) stream.send('state', sequence, state);
  }
}

/** Returns what curves need: the version and the figures without the confusion matrices. */
function stateOf({ version, description, fault, metrics, shadow }: ServedModel): object {
  return {
    version,
    examples: description.examples,
    fault: fault?.message ?? null,
    metrics: metrics === null ? null : withoutConfusion(metrics),
    shadow: shadow === null ? null : { ...shadow, metrics: withoutConfusion(shadow.metrics) },
  };
}

function withoutConfusion({ confusion: _, ...figures }: PrequentialResult): object {
  return figures;
}
