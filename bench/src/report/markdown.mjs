import { number, range, table } from './table.mjs';

/** The results as Markdown: what was run on what, the times with the accuracy beside them, the ratios, the commands. */
export function markdown(results) {
  const parts = [
    '# halfspace and its peers',
    circumstances(results),
    programs(results),
    results.options.smoke ? '**Smoke run: tiny data and one round. The times mean nothing.**' : '',
    ...Object.keys(results.groups).flatMap((name) => groupSection(results, name)),
    '## Commands, from the bench folder',
    commands(results),
  ];
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

/** A group: its heading, its data, its times, its ratios and the other load meanwhile. @param {any} results */
export function groupSection({ data, groups }, name) {
  const { train, heldout, bytes } = data[name];
  const group = groups[name];
  const sizes = Object.entries(bytes).filter(([file]) => /^train\.(svm|vw|csv)$/.test(file));
  return [
    `## ${titles[name]}`,
    `${whole(train.examples)} examples, ${whole(train.nonzeros)} nonzeros; ${whole(heldout.examples)} held out.` +
      sizes.map(([file, size]) => ` ${file}: ${(size / 1e6).toFixed(1)} MB.`).join(''),
    name === 'answers' ? answersTable(group) : processTable(group),
    ratios(group),
    otherWork(group),
  ];
}

const titles = {
  text: 'From text to model: documents',
  dense: 'From text to model: dense rows',
  small: 'From text to model: few documents',
  answers: 'Answers',
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

const whole = (count) => count.toLocaleString('en');
const failed = (failure) => `failed: ${failure.replaceAll('|', '\\|')}`;

/** Whole processes, from spawn to exit. */
function processTable({ contenders }) {
  const measured = ['wall s', 'start-up alone s', 'load + fit s', 'CPU s', 'peak MB', 'held-out accuracy'];
  const rows = contenders.map((contender) => {
    const { name, task, failure, seconds, startupSeconds, cpuSeconds, peakMegabytes, details, accuracy } = contender;
    if (failure !== undefined) return [name, task, failed(failure), ...measured.slice(1).map(() => '')];
    const { loadSeconds, fitSeconds } = details;
    return [
      ...[name, task, range(seconds, 3), number(startupSeconds, 3)],
      loadSeconds === undefined ? '' : `${number(loadSeconds, 3)} + ${number(fitSeconds, 3)}`,
      ...[number(cpuSeconds?.median, 2), number(peakMegabytes?.median, 0), number(accuracy, 4)],
    ];
  });
  return table(['program', 'task', ...measured], rows);
}

/** One answer at a time, and whole processes that do next to nothing. */
function answersTable({ contenders }) {
  const rows = contenders.map(({ name, failure, figure, seconds, details }) => {
    if (failure !== undefined) return [name, '', failed(failure), ''];
    if (figure !== null) return [name, number(details.fields, 0), range(figure, figure.median < 10 ? 2 : 0), 'ns'];
    const milliseconds = Object.fromEntries(Object.entries(seconds).map(([key, value]) => [key, 1000 * value]));
    return [name, '', range(/** @type {any} */ (milliseconds), 0), 'ms, whole process'];
  });
  return table(['what', 'fields', 'takes', 'unit'], rows);
}

function ratios({ comparisons }) {
  const rows = comparisons.map(({ ours, peer, pairs, ratio }) => [
    ...[ours, peer, ratio === null ? 'not measured' : number(ratio.min, 2)],
    ...[number(ratio?.median, 2), number(ratio?.max, 2), String(pairs)],
  ]);
  if (rows.length === 0) return 'No peer for this group was found.';
  const header = ['ours', 'peer', 'min', 'median', 'max', 'pairs'];
  return `Ratios, pair by pair: the peer's time ÷ ours; above 1 we are faster.\n\n${table(header, rows)}`;
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
