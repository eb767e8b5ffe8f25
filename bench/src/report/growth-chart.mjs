import { parse, View } from 'vega';
import { compile } from 'vega-lite';

// Okabe and Ito's blue, vermilion and grey: told apart with any kind of colour vision, and in print.
const blue = '#0072b2';
const vermilion = '#d55e00';
const grey = '#6b7280';
const ink = '#1f2937';
const width = 250;

const titles = {
  examples: 'More documents',
  nonzeros: 'Longer documents',
  features: 'More features',
  threads: 'More threads',
};

/** The curves of the growth group as SVG: above, seconds of whole processes; below, nanoseconds of each nonzero. */
export async function drawGrowth({ curves, passes, caches, startupSeconds }, { cpu, cores }) {
  const shared = { startupSeconds, domain: nanosecondsDomain(curves) };
  /** @type {any} vega-lite's own type is a union too deep for the compiler */
  const spec = {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    background: 'white',
    padding: 16,
    title: {
      text: 'How the time of halfspace train grows',
      subtitle: [
        `Averaged perceptron, ${passes} passes, from a text file to a model file; ${cpu}, ${cores} cores.`,
        `Points: the fastest of some runs. Dashed: the straight line a + b·x that fits them best. Starting takes ${startupSeconds.toFixed(2)} s.`,
      ],
      anchor: 'start',
      offset: 26,
      fontSize: 17,
      subtitleFontSize: 12,
      subtitlePadding: 6,
    },
    bounds: 'flush',
    spacing: { row: 24, column: 62 },
    columns: curves.length,
    concat: [
      ...curves.map((curve, c) => secondsPanel(curve, c === 0)),
      ...curves.map((curve, c) => nanosecondsPanel(curve, c === 0, { ...shared, caches })),
    ],
    config: {
      font: 'system-ui, "Segoe UI", Helvetica, Arial, sans-serif',
      view: { stroke: null },
      title: { color: ink, subtitleColor: grey, fontWeight: 600 },
      axis: {
        gridColor: '#e5e7eb',
        domainColor: '#9ca3af',
        tickColor: '#9ca3af',
        labelColor: ink,
        titleColor: ink,
        labelFontSize: 11,
        titleFontSize: 12,
        titleFontWeight: 'normal',
        titlePadding: 8,
      },
    },
  };
  const view = new View(parse(compile(spec).spec), { renderer: 'none' });
  return view.toSVG();
}

function secondsPanel({ key, points, line }, first) {
  const rows = points.map(({ x, seconds }) => ({ x, seconds: seconds.min }));
  /** @type {object[]} */
  const layer = [
    heading(titles[key], -28, { fontSize: 13, fontWeight: 600, color: ink }),
    heading(verdict(line), -11, { fontSize: 11, color: grey }),
  ];
  if (line !== null)
    layer.push({
      data: { values: fitted(points, line) },
      mark: { type: 'line', color: grey, strokeDash: [5, 4], strokeWidth: 1.5, clip: true },
    });
  layer.push({ mark: { type: 'line', color: blue, strokeWidth: line === null ? 1.5 : 0 } });
  layer.push({ mark: { type: 'point', color: blue, filled: true, size: 55, opacity: 1 } });
  return {
    width,
    height: 190,
    data: { values: rows },
    encoding: {
      x: axisOf(key, points, null),
      y: {
        field: 'seconds',
        type: 'quantitative',
        // Threads change the time by a part of it, which only a scale from 0 shows as what it is.
        ...(key === 'threads'
          ? {
              scale: { domain: [0, 1.15 * Math.max(...rows.map((row) => row.seconds))], nice: false },
              axis: { title: null, tickCount: 4 },
            }
          : { scale: logarithmic(rows.map((row) => row.seconds)), axis: secondsAxis(first) }),
      },
    },
    layer,
  };
}

/** One for all panels, so that heights can be compared across them. */
function nanosecondsDomain(curves) {
  const all = curves.flatMap(({ points }) =>
    points.flatMap(({ nanosecondsPerNonzero, loopNanoseconds }) => [nanosecondsPerNonzero, loopNanoseconds ?? 1]),
  );
  return [0.4, Math.max(100, ...all) * 2];
}

/** Text above a panel: titles of panels side by side would not stand at one height. */
function heading(text, y, style) {
  return {
    data: { values: [{}] },
    mark: { type: 'text', text, align: 'left', baseline: 'bottom', ...style },
    encoding: { x: { value: 0 }, y: { value: y } },
  };
}

function nanosecondsPanel({ key, unit, points }, first, { caches, startupSeconds, domain }) {
  // What takes a small part of the start's time is lost in the start's own ups and downs.
  const clear = points.filter(({ seconds }) => seconds.min > startupSeconds * 1.1);
  const whole = clear.map(({ x, nanosecondsPerNonzero }) => ({ x, y: nanosecondsPerNonzero }));
  const loop = points.flatMap(({ x, loopNanoseconds }) =>
    loopNanoseconds === null ? [] : [{ x, y: loopNanoseconds }],
  );
  const y = {
    field: 'y',
    type: 'quantitative',
    scale: { type: 'log', domain, nice: false },
    axis: { values: [1, 10, 100, 1000, 10_000], format: '~g', title: first ? 'ns per nonzero' : null },
  };
  const series = (values, color, shape, text, below = false) => [
    { data: { values }, mark: { type: 'line', color, strokeWidth: 1.5 }, encoding: { y } },
    { data: { values }, mark: { type: 'point', shape, color, filled: true, size: 55, opacity: 1 }, encoding: { y } },
    {
      data: {
        values: [
          {
            x: points.at(0).x,
            y: Math.max(...values.slice(0, below ? 1 : Math.ceil(0.7 * values.length)).map((row) => row.y), 1),
          },
        ],
      },
      mark: {
        type: 'text',
        text: values.length === 0 ? '' : text,
        color,
        align: 'left',
        dx: -2,
        dy: below ? 15 : -13,
        fontSize: 11,
      },
      encoding: { y },
    },
  ];
  return {
    width,
    height: 150,
    encoding: { x: axisOf(key, points, unit) },
    layer: [
      ...(loop.length > 0 ? cacheRules(points, caches, y) : []),
      ...series(whole, blue, 'circle', 'whole process, beyond its start'),
      ...(loop.length > 0 ? series(loop, vermilion, 'diamond', 'the loop alone, each pass', true) : []),
    ],
  };
}

/** Where the weights and the sums for their mean, 16 bytes a feature, no longer fit into a cache. */
function cacheRules(points, caches, y) {
  const most = points.at(-1).x;
  const values = caches.map(({ name, bytes }) => ({ x: bytes / 16, name })).filter(({ x }) => x <= most);
  if (values.length === 0) return [];
  return [
    { data: { values }, mark: { type: 'rule', color: grey, strokeDash: [2, 3] } },
    {
      data: { values },
      mark: { type: 'text', color: grey, align: 'right', baseline: 'top', dx: -4, fontSize: 11 },
      encoding: { text: { field: 'name' }, y: { ...y, field: undefined, datum: y.scale.domain[1] } },
    },
  ];
}

function axisOf(key, points, title) {
  const xs = points.map(({ x }) => x);
  const scale = { ...logarithmic(xs), ...(key === 'features' || key === 'threads' ? { base: 2 } : {}) };
  const axis = {
    title,
    grid: false,
    labels: title !== null,
    ticks: title !== null,
    labelFlush: false,
    labelOverlap: 'greedy',
  };
  if (key === 'features')
    return { field: 'x', type: 'quantitative', scale, axis: { ...axis, values: xs, labelExpr: powers } };
  if (key === 'threads') return { field: 'x', type: 'quantitative', scale, axis: { ...axis, values: xs, format: 'd' } };
  return { field: 'x', type: 'quantitative', scale, axis: { ...axis, values: steps(xs), labelExpr: short } };
}

const secondsAxis = (first) => ({
  title: first ? 'seconds, whole process' : null,
  values: [0.1, 0.2, 0.3, 0.5, 1, 2, 3, 5, 10, 20, 30, 50, 100],
  format: '~g',
});
/** 2¹⁴ in superscript digits: text in SVG has no markup that every viewer knows. */
const superscript = '"⁰¹²³⁴⁵⁶⁷⁸⁹"';
const powers = `"2" + slice(${superscript}, floor(log(datum.value) / LN2 / 10 + 0.0001), floor(log(datum.value) / LN2 / 10 + 0.0001) + 1) + slice(${superscript}, round(log(datum.value) / LN2) % 10, round(log(datum.value) / LN2) % 10 + 1)`;
const short =
  'datum.value >= 1e6 ? format(datum.value / 1e6, "~g") + " M" : datum.value >= 1e3 ? format(datum.value / 1e3, "~g") + " k" : format(datum.value, "~g")';

/** Round numbers between the least and the most, 1, 3, 10, 30 …, for the ticks. */
function steps(xs) {
  const [least, most] = [Math.min(...xs), Math.max(...xs)];
  const all = Array.from({ length: 10 }, (_, e) => [10 ** e, 3 * 10 ** e]).flat();
  return all.filter((x) => x >= least * 0.9 && x <= most * 1.1);
}

/** A little beyond the values on both sides, so that no point lies on the frame. */
function logarithmic(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = Math.max(1.02, (most / least) ** 0.06);
  return { type: 'log', domain: [least / room, most * room], nice: false };
}

function fitted(points, { start, slope }) {
  const [least, most] = [points.at(0).x, points.at(-1).x];
  return Array.from({ length: 41 }, (_, i) => least * (most / least) ** (i / 40))
    .map((x) => ({ x, seconds: start + slope * x }))
    .filter(({ seconds }) => seconds > 0);
}

function verdict(line) {
  if (line === null) return 'The same documents';
  return `R² ${line.r2.toFixed(4)}; off the line by ${(100 * line.largestDeviation).toFixed(0)} % at most`;
}
