import { growthSection } from './growth-section.mjs';
import { number, range, table } from './table.mjs';

/** The results as Markdown: what was run on what, the times with the accuracy beside them, the ratios, the commands. */
export function markdown(results) {
  const parts = [
    '# halfspace and its peers',
    circumstances(results),
    programs(results),
    limitLines(results.limits),
    results.options.smoke ? '**Smoke run: tiny data and one round. The times mean nothing.**' : '',
    ...Object.keys(results.groups).flatMap((name) =>
      name === 'speed' ? goalsSection(results.groups.speed) : groupSection(results, name),
    ),
  ];
  if (results.growth !== undefined) parts.push(growthSection(results.growth));
  parts.push('## Commands, from the bench folder', commands(results));
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

/** Machine, sources, date and rounds. @param {any} results */
export function circumstances({ machine, options, date }) {
  return (
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGigabytes} GB, ${machine.system}, Node ${machine.node}; ` +
    `load before: ${machine.loadBefore.toFixed(2)}; sources ${machine.commit ?? 'unknown'}; ${date}. ` +
    `${options.rounds} rounds after ${options.warmup} dropped, seed ${options.seed}. Times: median (smallest–largest).`
  );
}

/** A group of any name but `speed`: its heading, its data, its times, its ratios and the other load meanwhile. @param {any} results */
export function groupSection({ data, groups, limits }, name) {
  const { folder, train, heldout, bytes } = data[name];
  const group = groups[name];
  return [
    `## ${titles[name]}`,
    `${whole(train.examples)} examples, ${whole(train.nonzeros)} nonzeros; ${whole(heldout.examples)} held out.${sizes(bytes)}`,
    tables[name]?.(group, limits) ?? processTable(group, limits.texts[`${folder}/train.svm`]),
    ratios(group, name),
    otherWork(group),
  ];
}

function goalsSection(group) {
  return ['## The goals', goalsTable(group), otherWork(group)];
}

const titles = {
  text: 'From text to model: documents',
  dense: 'From text to model: dense rows',
  loop: 'The loop: data in memory',
  denseLoop: 'The loop: dense rows in memory',
  small: 'From text to model: few documents',
  answers: 'Answers',
};

const tables = {
  loop: (group, { arrays }) =>
    loopTable(group, 'nonzero', [
      ['× gather-dot', arrays.gatherDotNanoseconds],
      ['× streaming 8 bytes', arrays.streamNanoseconds],
      ['× streaming 4 bytes', arrays.stream4Nanoseconds],
    ]),
  denseLoop: (group, { dense }) =>
    loopTable(group, 'value', [
      ['× dot', dense.dotNanoseconds],
      ['× streaming 8 bytes', dense.streamNanoseconds],
      ['× streaming 4 bytes', dense.stream4Nanoseconds],
    ]),
  answers: answersTable,
};

/** The programs with their versions; how to install those that were not found. @param {any} results */
export function programs({ programs, notAsked }) {
  const rows = programs.map(({ title, installed, version, install }) => [
    title,
    installed ? version : `not found; ${install}`,
  ]);
  const left = notAsked.length > 0 ? `\n\nNot asked for: ${notAsked.join(', ')}.` : '';
  return table(['program', 'version'], rows) + left;
}

/** The least times that the machine needs for parts of the work. @param {any} limits */
export function limitLines({ by, arrays, dense, texts }) {
  const lines = [`Limits of the machine (${by}):`, ''];
  if (arrays !== null)
    lines.push(
      `- adding up as many values as the loop's documents have, in order: ${streams(arrays)}`,
      `- dot products with the loop's documents: ${arrays.gatherDotNanoseconds.toFixed(2)} ns per nonzero`,
    );
  if (dense !== null)
    lines.push(
      `- adding up as many values as the loop's dense rows have, in order: ${streams(dense)}`,
      `- dot products with the loop's dense rows, of 4-byte values: ${dense.dotNanoseconds.toFixed(2)} ns per value`,
    );
  for (const [file, { bytes, seconds }] of Object.entries(texts))
    lines.push(
      `- reading ${file} and counting its lines: ${seconds.toFixed(3)} s (${(bytes / seconds / 1e9).toFixed(1)} GB/s)`,
    );
  return lines.length === 2 ? '' : lines.join('\n');
}

const streams = ({ stream4Nanoseconds, streamNanoseconds }) =>
  `${streamNanoseconds.toFixed(2)} ns each of 8 bytes, ${stream4Nanoseconds.toFixed(2)} ns each of 4`;

const whole = (count) => count.toLocaleString('en');

function sizes(bytes) {
  const listed = Object.entries(bytes).filter(([file]) => /^train\.(svm|vw|csv)$/.test(file));
  return listed.map(([file, size]) => ` ${file}: ${(size / 1e6).toFixed(1)} MB.`).join('');
}

/** Whole processes, from spawn to exit. */
function processTable({ contenders }, reading) {
  const header = [
    'program',
    'task',
    'wall s',
    'start-up alone s',
    'load + fit s',
    'CPU s',
    'peak MB',
    'held-out accuracy',
  ];
  if (reading !== undefined) header.push('× reading');
  const rows = contenders.map((contender) => {
    const { name, task, failure, seconds, startupSeconds, cpuSeconds, peakMegabytes, details, accuracy } = contender;
    if (failure !== undefined) return [name, task, failed(failure), ...header.slice(3).map(() => '')];
    const { loadSeconds, fitSeconds } = details;
    const cells = [
      name,
      task,
      range(seconds, 3),
      number(startupSeconds, 3),
      loadSeconds === undefined ? '' : `${number(loadSeconds, 3)} + ${number(fitSeconds, 3)}`,
      number(cpuSeconds?.median, 2),
      number(peakMegabytes?.median, 0),
      number(accuracy, 4),
    ];
    if (reading !== undefined) cells.push(number(seconds.median / reading.seconds, 1));
    return cells;
  });
  return table(header, rows);
}

/** Inside the processes, as multiples of what the machine can do. */
function loopTable({ contenders }, what, limits) {
  const header = ['program', 'task', `ns per ${what} and pass`, ...limits.map(([name]) => name), 'held-out accuracy'];
  const rows = contenders.map(({ name, task, failure, figure, accuracy, details }) =>
    failure !== undefined
      ? [name, task, failed(failure), ...header.slice(3).map(() => '')]
      : [
          name,
          details.values === undefined ? task : `${task}, values kept as ${details.values}`,
          range(figure, 2),
          ...limits.map(([, limit]) => number(figure.median / limit, 2)),
          number(accuracy, 4),
        ],
  );
  return table(header, rows);
}

/** The figures that have goals; the times are in the JSON. */
function goalsTable({ rows = [] }) {
  const header = ['what', 'data', 'figure', 'goal', 'met', 'held-out accuracy', "the peer's"];
  return table(
    header,
    rows.map(({ what, data, figure, unit, goal, met, oursAccuracy, peerAccuracy }) => [
      what,
      data,
      figure === null ? 'not measured' : `${number(figure, 2)} ${unit}`,
      'least' in goal ? `≥ ${goal.least}` : `≤ ${goal.most}`,
      met === null ? '' : met ? 'yes' : 'no',
      number(oursAccuracy, 4),
      number(peerAccuracy, 4),
    ]),
  );
}

/** One answer at a time, and whole processes that do next to nothing. */
function answersTable({ contenders }) {
  const rows = contenders.map(({ name, failure, figure, seconds, details }) => {
    if (failure !== undefined) return [name, '', failed(failure), ''];
    if (figure === null) {
      const milliseconds = Object.fromEntries(Object.entries(seconds).map(([key, value]) => [key, 1000 * value]));
      return [name, '', range(/** @type {any} */ (milliseconds), 0), 'ms, whole process'];
    }
    return [name, number(details.fields, 0), range(figure, figure.median < 10 ? 2 : 0), 'ns'];
  });
  return table(['what', 'fields', 'takes', 'unit'], rows);
}

const failed = (failure) => `failed: ${failure.replaceAll('|', '\\|')}`;

function ratios({ comparisons }, name) {
  const inside = name === 'loop' || name === 'denseLoop';
  const what = inside ? "peer's ns ÷ ours" : name === 'answers' ? "the other's time ÷ ours" : "peer's wall time ÷ ours";
  const rows = comparisons.map(({ ours, peer, pairs, ratio }) => [
    ours,
    peer,
    ratio === null ? 'not measured' : number(ratio.min, 2),
    number(ratio?.median, 2),
    number(ratio?.max, 2),
    String(pairs),
  ]);
  if (rows.length === 0) return 'No peer for this group was found.';
  return `Ratios, pair by pair: ${what}; above 1 we are faster.\n\n${table(['ours', 'peer', 'min', 'median', 'max', 'pairs'], rows)}`;
}

function otherWork({ otherWork }) {
  if (otherWork === null) return '';
  const busy = `Cores busy with other work meanwhile, on average: ${otherWork.toFixed(2)}.`;
  return otherWork < 0.1 ? busy : `${busy} **Too many for figures to be quoted; run it again on a quiet machine.**`;
}

/** Every command that was measured. Shows the interpreter by its name instead of its path. @param {any} results */
export function commands({ groups, interpreter, options }) {
  const lines = Object.values(groups).flatMap((group) =>
    group.contenders.map(({ command }) =>
      interpreter === null ? command : command.replaceAll(interpreter, options.python),
    ),
  );
  return ['```', ...new Set(lines), '```'].join('\n');
}
