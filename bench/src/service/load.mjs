import { connect } from 'node:net';

/**
 * Work for {@link load}.
 *
 * @typedef {object} Work
 * @property {number} port on 127.0.0.1
 * @property {number} connections each has one request under way at a time
 * @property {number} seconds after the warm-up
 * @property {number} [warmUp] seconds that are not counted
 * @property {number} [rate] requests a second, at equal distances; default: as fast as answers come
 * @property {(k: number) => string} request text of request k, from 0
 * @property {(bytes: Buffer) => number} whole bytes of a whole answer, if these begin with one, else 0; throws for a refusal
 *
 * @typedef {object} Load
 * @property {number} answers whole answers after the warm-up
 * @property {number} perSecond
 * @property {number} median time from a request to its whole answer, in milliseconds
 * @property {number} p99 in milliseconds
 * @property {number} most in milliseconds
 * @property {number} all number of answers, those of the warm-up included
 */

/**
 * Sends requests over connections that stay open, as fast as answers come. Each connection opens after the first answer on the one before,
 * because a service may let few connections wait. With a rate, times count from the moment at which a request was due, so one that waits for a
 * connection is slow, too.
 *
 * @param {Work} work
 *
 * @returns {Promise<Load>}
 */
export function load({ port, connections, seconds, warmUp = 1, rate, request, whole }) {
  return new Promise((resolve, reject) => {
    const times = [];
    let sent = 0;
    let all = 0;
    let opened = 0;
    let open = 0;
    const began = performance.now();
    const counted = began + 1000 * warmUp;
    const until = counted + 1000 * seconds;
    const one = () => {
      opened++;
      open++;
      const socket = connect(port, '127.0.0.1').setNoDelay(true);
      let at = 0;
      let isFirst = true;
      let parts = Buffer.alloc(0);
      const next = () => {
        const now = performance.now();
        at = rate === undefined ? now : began + (1000 * sent) / rate;
        if (at >= until) socket.end();
        else {
          const text = request(sent++);
          if (at <= now) socket.write(text);
          else setTimeout(() => socket.write(text), at - now);
        }
      };
      socket.on('connect', next);
      socket.on('data', (bytes) => {
        parts = parts.length === 0 ? bytes : Buffer.concat([parts, bytes]);
        try {
          const length = whole(parts);
          if (length === 0) return;
          if (length < parts.length) throw new Error('expected one answer to a request; got more');
        } catch (error) {
          socket.destroy();
          reject(error);
          return;
        }
        parts = Buffer.alloc(0);
        all++;
        if (isFirst && opened < connections) one();
        isFirst = false;
        const now = performance.now();
        if (now >= counted && now < until) times.push(now - at);
        next();
      });
      socket.on('error', reject);
      socket.on('close', () => {
        if (--open > 0) return;
        times.sort((a, b) => a - b);
        resolve({
          answers: times.length,
          perSecond: times.length / seconds,
          median: times[times.length >> 1] ?? Number.NaN,
          p99: times[Math.floor(0.99 * times.length)] ?? Number.NaN,
          most: times.at(-1) ?? Number.NaN,
          all,
        });
      });
    };
    one();
  });
}

/** Bytes of a whole HTTP answer with `Content-Length`; 0: not whole yet. @throws Error for a status but 200. */
export function wholeHttp(bytes) {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return 0;
  const head = bytes.latin1Slice(0, end);
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`expected status 200; got ${bytes.toString()}`);
  const length = /content-length: (\d+)/i.exec(head);
  if (length === null) throw new Error(`expected Content-Length; got ${head}`);
  const whole = end + 4 + Number(length[1]);
  return bytes.length < whole ? 0 : whole;
}

/** Text of a POST with JSON, for a connection that stays open. */
export const post = (path, json) =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
