/** @param {readonly number[]} values at least one. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/**
 * Returns the frames per second and the longest task of the page's main thread, from a trace of Chromium.
 *
 * @param {readonly {name: string, ph: string, ts: number, dur?: number, pid: number, tid: number, args?: object}[]}
 * events times in microseconds.
 * @param {number} seconds how long something moved.
 */
export function framesIn(events, seconds) {
  const thread = events.find(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  // One for each frame that the page's main thread made; the compositor may show some of them twice.
  const draws = events
    .filter(({ name, ph }) => name === 'AnimationFrame::Render' && ph === 'b')
    .map(({ ts }) => ts)
    .sort((a, b) => a - b);
  // The busiest stretch of that length: what went before and after was waiting.
  draws.sort((a, b) => a - b);
  let most = 0;
  for (let i = 0, j = 0; j < draws.length; j++) {
    while (draws[j] - draws[i] > seconds * 1e6) i++;
    most = Math.max(most, j - i + 1);
  }
  const tasks = events.filter(
    ({ name, pid, tid }) =>
      /RunTask/.test(name) && (thread === undefined || (pid === thread.pid && tid === thread.tid)),
  );
  return { fps: most / seconds, longest: Math.max(0, ...tasks.map(({ dur = 0 }) => dur / 1000)) };
}
