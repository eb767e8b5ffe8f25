import {
  type AnyRuleOptions,
  type ClassWeights,
  type Comparison,
  compareRules,
  type RuleName,
  type Strategy,
} from 'halfspace';
import { temporarySpill } from 'halfspace/node';
import { readFeatureOptions } from '../data/feature-file.ts';
import { openInput } from '../data/input.ts';
import type { DataOptions, Input } from '../data/opened.ts';
import { claimFiles } from '../files/claim.ts';
import { kernelsOfRun } from '../kernels.ts';
import { openOutput } from '../output.ts';
import { createProgress } from '../progress.ts';
import { candidateName } from '../report/candidates.ts';
import { counted, percent, section } from '../report/format.ts';
import { printNotes } from '../report/notes.ts';
import { ruleFlags } from '../rule-flags.ts';
import { interruptSignal } from '../signals.ts';
import { usage } from '../usage.ts';

export interface CompareCommandOptions extends Omit<DataOptions, 'scale' | 'model' | 'featureOptions'>, AnyRuleOptions {
  readonly rules?: readonly RuleName[];
  readonly folds?: number;
  readonly repeats?: number;
  readonly passes?: number;
  readonly multiclass?: Strategy;
  readonly classWeight?: ClassWeights;
  readonly seed?: number;
  readonly scale?: 'none' | 'standard';
  readonly column?: readonly string[];
  readonly features?: string;
  readonly json?: boolean;
}

/** `halfspace compare`: rules side by side, cross-validated on the same folds. */
export async function compare(data: readonly string[], asked: CompareCommandOptions): Promise<void> {
  const started = performance.now();
  const options = await claimFiles('compare', { data }, asked);
  const given = [...ruleFlags()].filter(([name]) => options[name as keyof AnyRuleOptions] !== undefined);
  const only = options.rules?.length === 1 ? options.rules[0] : undefined;
  if (given.length > 0 && only === undefined)
    throw usage('options of a rule are for --rules with that rule alone; got options without, or several rules');
  const kernels = kernelsOfRun();
  const featureOptions = readFeatureOptions(options.features, options.column);
  const input = await openInput(data, { ...options, scale: options.scale ?? 'standard', featureOptions }, kernels);
  const progress = createProgress(input, options.json === true);
  try {
    const own = Object.fromEntries(given.map(([name]) => [name, options[name as keyof AnyRuleOptions]]));
    const comparison = await compareRules(input.source, {
      candidates: options.rules?.map((rule) => ({ rule, options: own })),
      folds: options.folds,
      repeats: options.repeats,
      passes: options.passes,
      multiclass: options.multiclass,
      classWeights: options.classWeight,
      positive: options.positive,
      seed: options.seed,
      kernels,
      store: { spill: temporarySpill },
      signal: interruptSignal(),
      onProgress: (done, of) => progress.search(done, of),
    });
    progress.stop();
    input.finish();
    const seconds = (performance.now() - started) / 1000;
    const output = openOutput();
    await output.write(
      options.json === true
        ? `${JSON.stringify({ ...comparison, rejected: input.rejects.count, seconds: { total: seconds }, notes: input.notes })}\n`
        : comparisonText(comparison, input),
    );
    await output.finish();
    if (options.json !== true) printNotes(input.notes);
  } finally {
    progress.stop();
    input.close();
  }
}

/** Differences are called real where chance alone would make so large ones less often than this. */
const significance = 0.05;

function comparisonText(comparison: Comparison, { name }: Input): string {
  const { examples, classes, folds, repeats, passes, baseline, compared } = comparison;
  const names = compared.map(candidateName);
  const width = Math.max(4, ...names.map((each) => each.length));
  const times = repeats === 1 ? '' : `, ${repeats} times`;
  return [
    section('Read', [`${name}: ${counted(examples, 'row')} of ${counted(classes.length, 'class', 'classes')}`]),
    section('Judged', [
      `by ${folds}-fold cross-validation${times}; ${counted(passes, 'pass', 'passes')} each`,
      `always naming the most frequent class would be right for ${percent(baseline)}`,
    ]),
    section('Rules', [
      `${''.padEnd(width)}    right  ± between folds   behind the first`,
      ...compared.map(({ accuracy, spread, behind }, k) => {
        const share = `${(100 * accuracy).toFixed(2).padStart(7)}  ± ${(100 * spread).toFixed(2).padEnd(13)}`;
        return `${names[k]!.padEnd(width)}  ${share}  ${behind === null ? '' : behindText(behind)}`.trimEnd();
      }),
    ]),
  ].join('');
}

/** How much less, and whether that is more than chance. */
function behindText({ mean, pValue }: { readonly mean: number; readonly pValue: number }): string {
  const less = `${(100 * mean).toFixed(2).padStart(5)} less`;
  if (mean === 0) return 'none';
  const p = pValue < 0.001 ? 'p < 0.001' : `p = ${pValue.toFixed(3)}`;
  return `${less}, ${p}: ${pValue < significance ? 'more than chance' : 'may be chance'}`;
}
