import { HalfspaceError } from 'halfspace';
import { ColumnWatch, inspected } from 'halfspace/tables';
import { beginning } from '../data/table-input.ts';
import { claimFiles } from '../files/claim.ts';
import { formatOfName } from '../files/formats.ts';
import type { CommandOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { counted, listed, section } from '../report/format.ts';
import { tableLines, whyLines } from '../report/inspected.ts';
import { usage } from '../usage.ts';
import { withInput } from './with-input.ts';

/** Tests if a file has data, and no model. A tree is a model, too. */
export async function holdsData(path: string, { format }: CommandOptions<'inspect'>): Promise<boolean> {
  if (format !== undefined || path === '-') return true;
  const named = formatOfName(path);
  if (named !== null && named !== 'json') return true;
  const head = new TextDecoder().decode(await beginning(path, null).catch(() => new Uint8Array(0)));
  return head.trim() !== '' && !/^\s*\{\s*"(?:format|digest)"\s*:/.test(head);
}

/** Runs `halfspace inspect` of a table. */
export async function inspectData(data: readonly string[], given: CommandOptions<'inspect'>): Promise<void> {
  const options = await claimFiles('inspect', { data }, given);
  const { intervals } = options;
  for (const name of ['drawing', 'report'] as const)
    if (options[name] !== undefined) throw usage(`--${name} is for a model; got DATA`);
  if (intervals === true) throw usage('--intervals is for a model and DATA; got DATA alone');
  let watch: ColumnWatch | null = null;
  const watching = {
    ...options,
    watch: (...columns: ConstructorParameters<typeof ColumnWatch>) => (watch = new ColumnWatch(...columns)),
  };
  await withInput(data, watching, async ({ input, progress }) => {
    const encoding = input.source.encoding?.();
    if (encoding?.kind !== 'table' || watch === null)
      throw new HalfspaceError('option-invalid', `expected a table; got ${input.format}, which has no columns`, {
        source: input.name,
      });
    progress.stop();
    input.finish();
    const { column: label, classes } = encoding.label;
    const { rows } = watch;
    const { notes } = input;
    const columns = inspected(encoding, watch.columns(), input.leaks ?? [], notes);
    await printResult(options.json, {
      json: () => ({ data: input.name, rows, label: { column: label, classes }, columns, notes }),
      text: () =>
        section('Read', [
          `${input.name}: ${counted(rows, 'row')}`,
          `the label is ${label}: ${classes.length === 0 ? 'no classes as it stands' : `${counted(classes.length, 'class', 'classes')}, ${listed(classes, 10)}`}`,
        ]) +
        section('Columns', tableLines(columns)) +
        section('Why', whyLines(columns)),
      notes,
    });
  });
}
