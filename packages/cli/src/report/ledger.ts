import {
  type Forgettable,
  type ForgottenResult,
  type Ledger,
  type ScoreExplanation,
  stepsOfRow,
  updateAt,
  type WeightExplanation,
} from 'halfspace/ledger';
import { notClass } from 'halfspace/models';
import { answersBy } from 'halfspace/rules';
import { count, counted, number, section } from './format.ts';

/** A part of the report, as text and as members of the JSON object. Rows count from 1 in both. */
export interface ReportPart {
  readonly text: string;
  readonly json: object;
}

/** Returns an overview of a ledger. */
export function ledgerOverview(path: string, ledger: Ledger, top: number): ReportPart {
  const { opening, closing, updates, fault } = ledger;
  const { as, variant } = opening;
  const perRow = new Map<number, number>();
  for (let u = 0; u < updates.count; u++) perRow.set(updates.rows[u]!, (perRow.get(updates.rows[u]!) ?? 0) + 1);
  const most = [...perRow].sort((one, other) => other[1] - one[1] || one[0] - other[0]).slice(0, top);
  const perPass = updates.passes.map((_, p) => updates.rangeOf(p + 1)).map(([from, to]) => to - from);
  const ran = `${as === null ? variant.rule : `${variant.rule} as in ${as}`}, order ${variant.order}, seed ${opening.seed}`;
  return {
    text: [
      section('Ledger', [
        `${path}: ${ran}`,
        `${counted(updates.count, 'update')} in ${counted(updates.passes.length, 'pass', 'passes')}${closing === null ? '' : `, stopped: ${closing.stop}`}`,
        ...(fault === null ? [] : [`damaged; read up to its last whole block: ${fault.message}`]),
      ]),
      section('Rows', [
        `${counted(perRow.size, 'row')}${closing === null ? '' : ` of ${count(closing.rows)}`} made updates${most.length === 0 ? '' : ', most often:'}`,
        ...most.map(([row, times]) => `${String(times).padStart(7)} ×  row ${count(row + 1)}`),
      ]),
    ].join(''),
    json: {
      ledger: path,
      rule: variant.rule,
      options: opening.ruleOptions,
      as,
      order: variant.order,
      seed: opening.seed,
      updates: updates.count,
      updatesPerPass: perPass,
      classes: closing?.classes ?? null,
      rows: closing?.rows ?? null,
      stop: closing?.stop ?? null,
      updatedRows: perRow.size,
      mostOften: most.map(([row, times]) => ({ row: row + 1, updates: times })),
      fault: fault?.message ?? null,
    },
  };
}

/** Returns the updates on a row. */
export function rowUpdates(ledger: Ledger, row: number, top: number): ReportPart {
  const made = stepsOfRow(ledger, row).map((step) => updateAt(ledger, step));
  const shown = made.slice(0, Math.max(1, top));
  const name = nameOf(ledger);
  const lines = shown.map(
    ({ step, pass, raised, lowered, lead }) =>
      `update ${count(step)}, pass ${pass}: ${name(raised, lowered)} over ${name(lowered, raised)}, which was ahead by ${number(-lead)}`,
  );
  return {
    text: section('Row', [
      `${count(row + 1)} made ${made.length === 0 ? 'no update' : counted(made.length, 'update')}`,
      ...lines,
      ...(made.length > shown.length ? [`… and ${count(made.length - shown.length)} more`] : []),
    ]),
    json: {
      row: row + 1,
      updates: made.map(({ step, pass, raised, lowered, lead }) => ({
        step,
        pass,
        raised: name(raised, lowered),
        lowered: name(lowered, raised),
        lead,
      })),
    },
  };
}

/** Returns the rows whose updates made a weight. */
export function weightOf(ledger: Ledger, name: string, explained: WeightExplanation, top: number): ReportPart {
  const { updates, weight, present, start, learned } = explained;
  const classes = ledger.closing!.classes;
  const perRow = new Map<number, { updates: number; share: number; raised: number }>();
  for (const { row, share, raised } of updates) {
    const before = perRow.get(row) ?? { updates: 0, share: 0, raised };
    perRow.set(row, { updates: before.updates + 1, share: before.share + share, raised });
  }
  const rows = [...perRow].sort((one, other) => Math.abs(other[1].share) - Math.abs(one[1].share) || one[0] - other[0]);
  const speaks = weight === 0 ? '' : `, for ${weight > 0 ? classes[explained.class] : rest(classes, explained.class)}`;
  const isMean = answersBy(ledger.opening.variant.rule, ledger.opening.ruleOptions) === 'mean';
  return {
    text: [
      section('Weight', [
        `${name}: ${number(weight)}${speaks}`,
        ...(isMean ? [`this is a mean over time; the last value is ${number(present)}`] : []),
        ...(learned === weight ? [] : [`${number(learned)} before all weights were divided by their norm`]),
      ]),
      section('Made by', [
        `${counted(updates.length, 'update')} of ${counted(rows.length, 'row')}${start === 0 ? '' : `, from ${number(start)} on`}`,
        ...contributionLines(
          rows.map(([row, { updates: times, share, raised }]) => ({ row, share, raised, times })),
          ledger,
          explained.class,
          top,
        ),
      ]),
    ].join(''),
    json: {
      weight: {
        feature: name,
        class: classes[explained.class],
        weight,
        learned,
        present,
        start,
        updates: updates.map((each) => ({
          ...each,
          row: each.row + 1,
          raised: className(classes, each.raised, explained.class),
        })),
      },
    },
  };
}

/** Returns the rows whose updates made a score. */
export function scoreOf(ledger: Ledger, explained: ScoreExplanation, top: number): ReportPart {
  const { score, rows, start, rounding } = explained;
  const { classes } = ledger.closing!;
  const name = classes[explained.class]!;
  return {
    text: [
      section('Score', [`${number(score)} for ${name}`]),
      section('Made by', [
        `${counted(rows.length, 'row')}${start === 0 ? '' : `, and ${number(start)} from the start`}; rounding ${number(rounding)}`,
        ...contributionLines(
          rows.map(({ row, contribution, class: raised, updates }) => ({
            row,
            share: contribution,
            raised,
            times: updates,
          })),
          ledger,
          explained.class,
          top,
        ),
      ]),
    ].join(''),
    json: {
      score: {
        ...explained,
        row: explained.row + 1,
        class: name,
        rows: rows.map((each) => ({
          ...each,
          row: each.row + 1,
          class: className(classes, each.class, explained.class),
        })),
      },
    },
  };
}

const reasons: Readonly<Record<Forgettable['why'], string>> = {
  'held-out': 'it was held out: the weights without it are the same',
  'no-update': 'the weights without it are the same; the ledger proves that without training',
  updates: 'without it the run differs from its first update on',
  mean: 'without it the last weights are the same, but their mean over time differs',
  order: 'without it the other rows are in another random order',
  'depends-on-all': 'the start, the scaling, the class weights or the end of the run depend on all rows',
};

/** Returns what forgetting a row changes, and the result of the training without it. */
export function forgetting(
  ledger: Ledger,
  row: number,
  { steps, unchanged, why }: Forgettable,
  result: (ForgottenResult & { readonly modelPath: string }) | null,
): ReportPart {
  const made =
    steps.length === 0
      ? 'made no update'
      : `made ${counted(steps.length, 'update')}, the first in pass ${updateAt(ledger, steps[0]!).pass} (update ${count(steps[0]!)})`;
  const encoded = ledger.closing!.features.kind === 'table';
  return {
    text: section('Forget', [
      `row ${count(row + 1)} ${made}`,
      reasons[why],
      ...(result === null
        ? []
        : [
            `trained without it: ${counted(result.report.updates, 'update')}, ${count(result.followed)} of them from the ledger: ${result.modelPath}`,
            ...(encoded ? ['the encoding of the columns (means, levels, words) is still fitted to all rows'] : []),
          ]),
    ]),
    json: {
      forget: {
        row: row + 1,
        steps,
        unchanged,
        why,
        ...(result === null
          ? {}
          : {
              updates: result.report.updates,
              followed: result.followed,
              stop: result.report.stop,
              model: result.modelPath,
            }),
      },
    },
  };
}

interface Contribution {
  readonly row: number;
  readonly share: number;
  readonly raised: number;
  readonly times: number;
}

function contributionLines(rows: readonly Contribution[], { closing }: Ledger, asked: number, top: number): string[] {
  const lines = rows.slice(0, top).map(({ row, share, raised, times }) => {
    const signed = `${share > 0 ? '+' : ''}${number(share)}`;
    const name = className(closing!.classes, raised, asked);
    return `${signed.padStart(10)}  row ${count(row + 1)} (${name})${times === 1 ? '' : `, ${count(times)} updates`}`;
  });
  return rows.length > top ? [...lines, `… and ${counted(rows.length - top, 'more row')}`] : lines;
}

/** Returns the name of the class that an update raised; −1 stands for the rest of the classes. */
function className(classes: readonly string[], raised: number, asked: number): string {
  return raised === -1 ? notClass(classes[asked]!) : classes[raised]!;
}

function rest(classes: readonly string[], k: number): string {
  return classes.length === 2 ? classes[1 - k]! : notClass(classes[k]!);
}

/** Returns a function that names the two classes of an update. A cut ledger has no names, only numbers. */
function nameOf({ closing }: Ledger): (k: number, other: number) => string {
  const name = (k: number) => closing?.classes[k] ?? `class ${k}`;
  return (k, other) => (k === -1 ? notClass(name(other)) : name(k));
}
