import { number, range, table } from './table.mjs';

/** The growth group as Markdown: every point, and how far each curve is from a straight line. @param {any} growth */
export function growthSection({ failure, curves, passes, startupSeconds, caches, leftOut }) {
  if (failure !== undefined) return `## How time grows\n\nFailed: ${failure}`;
  const parts = [
    '## How time grows',
    `halfspace train, averaged, ${passes} passes, from text to model, whole processes. Start-up, training on next to nothing: ` +
      `${startupSeconds.toFixed(3)} s. Lines and ns are from the fastest of the runs.`,
  ];
  for (const { key, unit, points, line } of curves) {
    const hasLoop = points.some(({ loopNanoseconds }) => loopNanoseconds !== null);
    const header = [unit, 'documents', 'nonzeros', 'wall s', 'ns per nonzero beyond start-up'];
    if (hasLoop) header.push('loop, ns per nonzero and pass');
    const rows = points.map(({ x, examples, nonzeros, seconds, nanosecondsPerNonzero, loopNanoseconds }) => [
      number(x, Number.isInteger(x) ? 0 : 1),
      String(examples),
      String(nonzeros),
      range(seconds, 3),
      number(nanosecondsPerNonzero, 1),
      ...(hasLoop ? [number(loopNanoseconds, 2)] : []),
    ]);
    parts.push(`### ${key}`, table(header, rows));
    if (line !== null) parts.push(verdict(line, unit));
    if (hasLoop && caches.length > 0)
      parts.push(
        `Weights and their sums take 16 bytes a feature; caches: ${caches.map(({ name, bytes }) => `${name} ${size(bytes)}, ${number(bytes / 16, 0)} features`).join('; ')}.`,
      );
  }
  if (leftOut.length > 0) parts.push(`Left out: ${leftOut.join('; ')}.`);
  return parts.join('\n\n');
}

function verdict({ start, slope, r2, largestDeviation, at }, unit) {
  return (
    `Straight line: ${start.toFixed(3)} s + ${slope.toExponential(2)} s · ${unit}; R² ${r2.toFixed(4)}, ` +
    `farthest off by ${(100 * largestDeviation).toFixed(1)} % at ${number(at, 0)}.`
  );
}

const size = (bytes) => (bytes < 2 ** 20 ? `${bytes / 2 ** 10} KiB` : `${bytes / 2 ** 20} MiB`);
