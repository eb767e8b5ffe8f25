/** An event of a stream, as it was sent. */
export interface SentEvent {
  readonly type: string;
  /** The last id of the stream; empty before the first. */
  readonly id: string;
  readonly data: string;
}

/**
 * Reads server-sent events from pieces of text.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation.
 */
export class EventParser {
  #rest = '';
  #type = '';
  #data: string[] = [];
  #id = '';
  /** Milliseconds before a new connection, as the stream asked for them. */
  retryMs = 3000;

  /** Returns the events that a piece completes. */
  push(text: string): SentEvent[] {
    // A carriage return at the end may be the first half of a line's end.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop()!;
    const events: SentEvent[] = [];
    for (const line of lines) {
      if (line !== '') this.#read(line);
      else {
        if (this.#data.length > 0)
          events.push({ type: this.#type || 'message', id: this.#id, data: this.#data.join('\n') });
        this.#type = '';
        this.#data = [];
      }
    }
    return events;
  }

  #read(line: string): void {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (name === 'event') this.#type = value;
    else if (name === 'data') this.#data.push(value);
    else if (name === 'id') this.#id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
  }
}
