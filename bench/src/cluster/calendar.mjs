/**
 * The clock of a discrete-event simulation: it jumps from one event to the next. Events of the same time happen in the order in
 * which they were entered, so a simulation is the same each time.
 */
export class Calendar {
  now = 0;
  #entered = 0;
  /** A binary heap, the earliest event first. @type {{ time: number, number: number, action: () => void }[]} */
  #events = [];

  /** Lets `action` happen `seconds` from now, ≥ 0. */
  after(seconds, action) {
    if (!(seconds >= 0)) throw new RangeError(`expected a time from now of at least 0 s; got ${seconds}`);
    const events = this.#events;
    const event = { time: this.now + seconds, number: this.#entered++, action };
    let at = events.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(event, events[parent])) break;
      events[at] = events[parent];
      at = parent;
    }
    events[at] = event;
  }

  /** Lets everything happen, until no event is left. */
  run() {
    while (this.#events.length > 0) {
      const { time, action } = this.#next();
      this.now = time;
      action();
    }
  }

  #next() {
    const events = this.#events;
    const first = events[0];
    const last = events.pop();
    let at = 0;
    while (2 * at + 1 < events.length) {
      let child = 2 * at + 1;
      if (child + 1 < events.length && before(events[child + 1], events[child])) child++;
      if (!before(events[child], last)) break;
      events[at] = events[child];
      at = child;
    }
    if (events.length > 0) events[at] = last;
    return first;
  }
}

function before(a, b) {
  return a.time < b.time || (a.time === b.time && a.number < b.number);
}

/** Serves one request after the other, in the order in which they came: a link, or a processor. */
export class Line {
  #calendar;
  #freeAt = 0;

  /** @param {Calendar} calendar */
  constructor(calendar) {
    this.#calendar = calendar;
  }

  /** Serves a request of so many seconds when its turn has come, then calls `done`. */
  serve(seconds, done) {
    this.#freeAt = Math.max(this.#freeAt, this.#calendar.now) + seconds;
    this.#calendar.after(this.#freeAt - this.#calendar.now, done);
  }
}

/** Calls `done` when the returned function was called `count` times. */
export function countdown(count, done) {
  let left = count;
  return () => {
    if (--left === 0) done();
  };
}
