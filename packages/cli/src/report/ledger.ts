import {
  type Forgettable,
  type ForgottenResult,
  type Ledger,
  type RuleDefinition,
  rules,
  type ScoreExplanation,
  stepsOfRow,
  updateAt,
  type WeightExplanation,
} from 'halfspace';
import { notClass } from 'halfspace/internal';
import { count, counted, number, section } from './format.ts';

/** A part of the report, as text and as members of the JSON object. Rows count from 1 in both. */
export interface ReportPart {
  readonly text: string;
  readonly json: object;
}

/** A run's ledger at a glance. */
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
        ...(fault === null ? [] : [`read up to its last whole block: ${fault.message}`]),
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

/** The updates that a row made. */
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

/** Which rows made a weight. */
export function weightOf(ledger: Ledger, name: string, explained: WeightExplanation, top: number): ReportPart {
  const { updates, weight, present, start, learned } = explained;
  const classes = ledger.closing!.classes;
  const perRow = new Map<number, { updates: number; share: number; raised: number }>();
  for (const { row, share, raised } of updates) {
    const before = perRow.get(row) ?? { updates: 0, share: 0, raised };
    perRow.set(row, { updates: before.updates + 1, share: before.share + share, raised });
  }
  const rows = [...perRow].sort((one, other) => Math.abs(other[1].share) - Math.abs(one[1].share) || one[0] - other[0]);
  const shown = rows.slice(0, top);
  const speaks = weight === 0 ? '' : `, for ${weight > 0 ? classes[explained.class] : rest(classes, explained.class)}`;
  const isMean = (rules[ledger.opening.variant.rule] as RuleDefinition).answersBy === 'mean';
  return {
    text: [
      section('Weight', [
        `${name}: ${number(weight)}${speaks}`,
        ...(isMean ? [`the mean of a weight that is ${number(present)} in the end`] : []),
        ...(learned === weight ? [] : [`${number(learned)} before all were divided by their length`]),
      ]),
      section('Made by', [
        `${counted(updates.length, 'update')} of ${counted(rows.length, 'row')}${start === 0 ? '' : `, from ${number(start)} on`}`,
        ...shown.map(([row, { updates: times, share, raised }]) =>
          contributionLine(share, row, className(classes, raised, explained.class), times),
        ),
        ...(rows.length > shown.length ? [`… and ${counted(rows.length - shown.length, 'more row')}`] : []),
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

/** Which rows made a score. */
export function scoreOf(ledger: Ledger, explained: ScoreExplanation, top: number): ReportPart {
  const { score, rows, start, rounding } = explained;
  const { classes } = ledger.closing!;
  const shown = rows.slice(0, top);
  const name = classes[explained.class]!;
  return {
    text: [
      section('Score', [`${number(score)} for ${name}`]),
      section('Made by', [
        `${counted(rows.length, 'row')}${start === 0 ? '' : `, and ${number(start)} from the start`}; rounding ${number(rounding)}`,
        ...shown.map((each) =>
          contributionLine(each.contribution, each.row, className(classes, each.class, explained.class), each.updates),
        ),
        ...(rows.length > shown.length ? [`… and ${counted(rows.length - shown.length, 'more row')}`] : []),
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
  'held-out': 'it was held out, and never learned from: without it the weights are the same',
  'no-update': 'without it the weights are the same, which takes no training to know',
  updates: 'without it the run goes another way from its first update on',
  mean: 'the present weights are the same without it, but their mean counts how long each stood',
  order: 'chance orders the other rows otherwise without it',
  'depends-on-all': 'the start, the scaling, the class weights or the end of the run depend on all rows',
};

/** What it takes to forget a row, and what came of it. */
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
            `trained without it: ${counted(result.report.updates, 'update')}, of which ${count(result.followed)} as the ledger has them: ${result.modelPath}`,
            ...(encoded ? ['how the columns are encoded (means, levels, words) is still what all rows say'] : []),
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

function contributionLine(share: number, row: number, name: string, updates: number): string {
  const signed = `${share > 0 ? '+' : ''}${number(share)}`;
  return `${signed.padStart(10)}  row ${count(row + 1)} (${name})${updates === 1 ? '' : `, ${count(updates)} updates`}`;
}

/** The name of the class that a row raised; −1: not the one asked about. */
function className(classes: readonly string[], raised: number, asked: number): string {
  return raised === -1 ? notClass(classes[asked]!) : classes[raised]!;
}

function rest(classes: readonly string[], k: number): string {
  return classes.length === 2 ? classes[1 - k]! : notClass(classes[k]!);
}

/** Names of the two sides of an update; of a ledger that is cut, the classes' numbers. */
function nameOf({ closing }: Ledger): (k: number, other: number) => string {
  const name = (k: number) => closing?.classes[k] ?? `class ${k}`;
  return (k, other) => (k === -1 ? notClass(name(other)) : name(k));
}
