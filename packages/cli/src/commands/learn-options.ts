import type { OnlineRuleName } from 'halfspace';
import { quote } from 'halfspace/checks';
import type { AnyRuleOptions } from 'halfspace/rules';
import { onlineRule } from 'halfspace/rules';
import { readFeatureOptions } from '../data/feature-file.ts';
import type { StreamForm, StreamRun, StreamSettings, StreamState } from '../data/stream-state.ts';
import { usualRule } from '../data/stream-state.ts';
import { type CommandOptions, flagOf } from '../options.ts';
import { givenRuleOptions, ruleFlags } from '../rule-flags.ts';
import { usage } from '../usage.ts';

export type LearnOptions = CommandOptions<'learn'> & AnyRuleOptions & { readonly rule?: OnlineRuleName };

/**
 * Returns what the state decides, or what the options decide for a new state.
 *
 * @throws HalfspaceError `option-invalid` for an option that differs from the state's.
 */
export function settingsOf(options: LearnOptions, before: StreamState | null, path: string): StreamSettings {
  const rule = options.rule ?? before?.settings.rule ?? usualRule;
  for (const [name, { owners }] of ruleFlags())
    if (options[name as keyof AnyRuleOptions] !== undefined && !owners.includes(rule))
      throw usage(`${flagOf(name)} is for --rule ${owners.join(' or ')}; got the rule ${rule}`);
  const given = givenRuleOptions(options);
  const columns = columnsOf(options);
  if (before === null)
    return {
      rule,
      options: onlineRule({ ...given, name: rule } as never).ruleOptions,
      positive: options.positive ?? null,
      columns,
      scale: options.scale ?? 'standard',
      label: options.label ?? null,
      bits: options.bits ?? null,
      calibrate: options.calibrate ?? false,
      window: options.window ?? 1000,
      drift: options.drift ?? null,
    };
  const { settings } = before;
  const { positive, scale, label, bits, calibrate, window, drift } = settings;
  const plain = { positive, scale, label, bits, calibrate, window, drift };
  const check = (name: string, own: unknown, now: unknown) => {
    if (now === undefined || now === own) return;
    const has = own === null || own === undefined || own === false ? 'none' : quote(own);
    throw usage(`expected ${flagOf(name)} as in the state ${path}, which has ${has}; got ${quote(now)}`);
  };
  check('rule', settings.rule, options.rule);
  for (const [name, value] of Object.entries(given)) check(name, settings.options[name], value);
  for (const [name, own] of Object.entries(plain)) check(name, own, options[name as keyof typeof plain]);
  if (columns === 'bag' || settings.columns === 'bag')
    check('column', settings.columns === 'bag' ? 'bag' : null, options.column?.join(', '));
  else for (const [name, kind] of Object.entries(columns)) check('column', settings.columns[name], kind);
  return settings;
}

/** Returns the kinds of columns that were given, by name, or `bag`. */
function columnsOf({ column, scale }: LearnOptions): StreamSettings['columns'] {
  if (column?.includes('bag') === true) {
    if (column.length > 1 || scale !== undefined)
      throw usage(
        'expected --column bag, whose features have no kinds and are not scaled, alone; got more of --column or --scale',
      );
    return 'bag';
  }
  const { columns = {} } = readFeatureOptions(undefined, column) ?? {};
  return Object.fromEntries(
    Object.entries(columns).map(([name, { kind, separator, ...form }]) => {
      if (Object.keys(form).length > 0)
        throw usage(`learn reads plain values: expected --column ${name}=${kind}, without a form`);
      return [name, separator === undefined ? kind! : `set:${separator}`];
    }),
  );
}

/** Refuses options that are for another form of rows. @throws HalfspaceError `option-invalid`. */
export function checkForm(options: LearnOptions, form: StreamForm): void {
  const others = form === 'table' ? (['bits'] as const) : (['label', 'column', 'scale'] as const);
  const forTables = form !== 'table';
  for (const name of others)
    if (options[name] !== undefined)
      throw usage(
        `${flagOf(name)} is for ${forTables ? 'tables' : 'Vowpal Wabbit text'}; got ${form === 'table' ? 'a table' : `${form} text`}`,
      );
  if (form === 'libsvm' && options.bits !== undefined) throw usage('--bits is for Vowpal Wabbit text; got libsvm text');
  if (options.bits !== undefined && options.bits > mostBits)
    throw usage(`--bits must be at most ${mostBits} for learn; got ${options.bits}`);
}

const mostBits = 24;

/**
 * Returns the number of rows of DATA to skip, and the last good row among them if it is known.
 *
 * @throws HalfspaceError `option-invalid` if it is not said what to skip after an interrupted run.
 */
export function startOf(
  { skip, resume }: LearnOptions,
  before: StreamState | null,
  path: string,
  data: readonly string[],
): StreamRun {
  const none: StreamRun = { rows: 0, done: false, last: null };
  if (data.length === 0) return none;
  if (resume === true) {
    if (before === null) return none;
    if (before.run.done)
      throw usage(`--resume is for a run that was interrupted; the last run on ${path} has learned all of its DATA`);
    return before.run;
  }
  if (skip !== undefined) return { ...none, rows: skip };
  if (before === null || before.run.done || before.run.rows === 0) return none;
  throw usage(
    `the last run on ${path} was interrupted after row ${before.run.rows} of its DATA: --resume goes on with the rows after it, of the same DATA; --skip 0 takes DATA for new rows`,
  );
}

/** Names of the columns to leave out. */
export function droppedColumns({ columns }: StreamSettings): ReadonlySet<string> {
  return new Set(Object.entries(columns).flatMap(([name, kind]) => (kind === 'drop' ? [name] : [])));
}
