import type { TableEncoding } from 'halfspace';
import { saidMissing } from 'halfspace/tables';
import { columnOptions } from '../data/column-options.ts';
import { type Dataset, pointLabel, type Table } from '../data/dataset.ts';
import type { Algorithm } from './algorithm.ts';
import { ruleSpecs } from './rules.constant.ts';
import { trainOptions } from './train-options.ts';

/** Returns the file name of a dataset in exports and commands. */
export function fileNameOf(dataset: Dataset): string {
  const stem = dataset.name.replace(/[\\/]+/g, '-').trim();
  if (dataset.kind === 'table') return stem === '' ? 'data.csv' : stem;
  return `${stem.replace(/\s+/g, '-') || 'points'}.csv`;
}

/**
 * Returns the command that makes the same model, bit for bit, from the file that the lab exports or that the user
 * opened.
 * @param file its path; null: {@link fileNameOf}.
 * @param encoding of the open examples. With three or more classes it has the class that is learned against the rest.
 */
export function commandOf(
  dataset: Dataset,
  algorithm: Algorithm,
  file: string | null = null,
  encoding: TableEncoding | null = null,
): string {
  const path = file ?? fileNameOf(dataset);
  const words = ['halfspace', 'train', path.startsWith('-') ? `./${path}` : path];
  const format = dataset.kind === 'table' && /\.(?:tsv|tab)$/i.test(dataset.name) ? 'tsv' : 'csv';
  if (!new RegExp(`\\.${format === 'csv' ? 'csv' : '(?:tsv|tab)'}$`, 'i').test(path)) words.push('--format', format);
  if (dataset.kind === 'table') {
    words.push('--label', dataset.label);
    const positive = positiveOf(dataset, encoding);
    if (positive !== null) words.push('--positive', positive);
    words.push(...readingFlags(dataset, encoding));
  }
  words.push(...algorithmFlags(algorithm, dataset.kind === 'points' ? 'none' : dataset.scale));
  return words.map(quoted).join(' ');
}

/** Returns the flags of the algorithm. */
function algorithmFlags(algorithm: Algorithm, scale: 'none' | 'standard'): string[] {
  const { as, rule, options, seed } = algorithm;
  const { order, passes, holdout } = trainOptions(algorithm);
  const flags = as === null ? ['--rule', rule] : ['--as', as];
  for (const [name, value] of Object.entries(options)) {
    const spec = ruleSpecs[rule].options[name];
    // The command has no flag for this option: it comes with a lecture.
    if (spec === undefined || name === 'updateWhen' || value === false) continue;
    flags.push(flagOf(name));
    if (spec.kind !== 'flag') flags.push(String(value));
  }
  if (order !== undefined) flags.push('--order', order);
  if (passes !== undefined) flags.push('--passes', String(passes));
  if (holdout !== undefined) flags.push('--holdout', String(holdout));
  // Lectures and trees take numbers as they are by default; other rules standardise them.
  const { hasHyperplanes } = ruleSpecs[rule];
  const isPlain = as !== null || !hasHyperplanes;
  if (hasHyperplanes && (scale === 'standard') === isPlain) flags.push('--scale', scale);
  if (seed !== 1) flags.push('--seed', String(seed));
  return flags;
}

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function positiveOf(dataset: Dataset & { readonly kind: 'table' }, encoding: TableEncoding | null): string | null {
  if (dataset.positive !== null) return dataset.positive;
  if (encoding === null || encoding.label.column !== dataset.label) return null;
  return encoding.label.classes.length > 2 ? encoding.label.positive : null;
}

/** Returns the kinds that the user named, and `drop` for the columns left out, which only the encoding lists. */
function kindsOf(dataset: Dataset, encoding: TableEncoding | null): ReturnType<typeof columnOptions> {
  if (dataset.kind === 'points') return {};
  const { columns, reading } = dataset;
  const dropped = (encoding?.leftOut ?? []).filter(({ reason }) => reason === 'dropped' && columns !== null);
  return columnOptions(dataset, [...Object.keys(reading?.kinds ?? {}), ...dropped.map(({ name }) => name)]);
}

/** Returns the flags that say how a table is read. */
function readingFlags(table: Table, encoding: TableEncoding | null): string[] {
  const { header, encoding: characters, delimiter, quote, comment, skipLines, missing } = table.reading ?? {};
  const flags = Object.entries({
    encoding: characters,
    delimiter: delimiter?.replaceAll('\t', '\\t'),
    ...{ quote, comment, 'skip-lines': skipLines, missing: missing?.join(',') },
  });
  return [
    ...(header === undefined ? [] : [header ? '--header' : '--no-header']),
    // A value that begins like a flag would be taken for one.
    ...flags.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`])),
    ...Object.entries(kindsOf(table, encoding)).flatMap(([name, { kind }]) => ['--column', `${name}=${kind}`]),
  ];
}

/** Quotes a word for the shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Returns TypeScript for Node that makes the same model with the library.
 * @param encoding of the open examples.
 */
export function codeOf(dataset: Dataset, algorithm: Algorithm, encoding: TableEncoding): string {
  const { seed, holdout = 0, ...options } = trainOptions(algorithm);
  const label = dataset.kind === 'points' ? pointLabel.column : dataset.label;
  const positive = dataset.kind === 'points' ? null : positiveOf(dataset, encoding);
  const scale = !ruleSpecs[algorithm.rule].hasHyperplanes || dataset.kind === 'points' ? 'none' : dataset.scale;
  const columns = kindsOf(dataset, encoding);
  const { kinds: _, missing, ...form } = (dataset.kind === 'table' && dataset.reading) || {};
  const training = { ...options, ...(holdout > 0 ? { holdout } : {}), seed };
  return [
    `import { writeFileSync } from 'node:fs';`,
    `import { csv, encodeModel, train } from 'halfspace';`,
    '',
    `const source = csv(${JSON.stringify(fileNameOf(dataset))}, {`,
    `  label: ${JSON.stringify(label)},`,
    ...(positive === null ? [] : [`  positive: ${JSON.stringify(positive)},`]),
    `  scale: '${scale}',`,
    ...(Object.keys(columns).length === 0 ? [] : [`  features: { columns: ${JSON.stringify(columns)} },`]),
    ...(missing === undefined ? [] : [`  missing: ${JSON.stringify(missingOf(missing))},`]),
    ...Object.entries(form).map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`),
    `  format: '${encoding.format === 'tsv' ? 'tsv' : 'csv'}',`,
    '});',
    `const { model, report } = await train(source, ${literal(training)});`,
    `writeFileSync(${JSON.stringify(`${fileNameOf(dataset).replace(/(\.[A-Za-z0-9]{1,8}){1,2}$/, '')}.model.json`)}, encodeModel(model));`,
    `console.log(report.stop, report.updates, report.train?.accuracy);`,
    '',
  ].join('\n');
}

/** Returns the words for missing values as the library takes them. */
function missingOf(words: readonly string[]): unknown {
  const { missing, notMissing } = saidMissing(words);
  if (notMissing === undefined) return missing;
  return notMissing === true ? 'none' : Object.fromEntries(notMissing.map((column) => [column, 'none']));
}

function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${name}: ${literal(member)}`)
    .join(', ')} }`;
}
