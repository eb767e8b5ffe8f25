import type {
  CompareOptions as CompareOptionsOfLibrary,
  Comparison,
  MetricName,
  RuleName,
  RuleToTry,
  Setting,
} from 'halfspace';
import { isLoss } from 'halfspace/metrics';
import { type AnyRuleOptions, hasPasses } from 'halfspace/rules';
import { withKernels } from 'halfspace/runs';
import { claimFiles } from '../files/claim.ts';
import type { CommandOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { flatCandidate, settingNames, untriedLines } from '../report/candidates.ts';
import { counted, percent, section } from '../report/format.ts';
import { metricLines, metricNumber } from '../report/metric.ts';
import { givenRuleOptions } from '../rule-flags.ts';
import { interruptSignal } from '../signals.ts';
import { usage } from '../usage.ts';
import { checkCost } from './costs.ts';
import { type Reading, readingsOf, withInput, withReadings } from './with-input.ts';

type CompareOptions = CommandOptions<'compare'> & AnyRuleOptions & { readonly rules?: readonly RuleName[] };

/** Runs `halfspace compare`: cross-validates several rules on the same folds. */
export async function compare(data: readonly string[], given: CompareOptions): Promise<void> {
  const options = await claimFiles('compare', { data }, given);
  const ruleOptions = givenRuleOptions(options);
  checkCost(options);
  if (Object.keys(ruleOptions).length > 0 && options.rules?.length !== 1)
    throw usage('options of a rule need --rules with that rule alone; got no rule, or several rules');
  const readings = readingsOf(options);
  await withInput(data, { ...options, ...readings[0] }, async (session) => {
    const { input, kernels, progress } = session;
    const asked: CompareOptionsOfLibrary = {
      candidates: options.rules?.map((name) => ({ name, ...ruleOptions }) as RuleToTry),
      folds: options.folds,
      repeats: options.repeats,
      passes: options.passes,
      multiclass: options.multiclass,
      classWeights: options.classWeight,
      metric: options.metric,
      cost: options.cost,
      positive: options.positive,
      seed: options.seed,
      threads: options.threads,
      seconds: options.seconds,
      signal: interruptSignal(),
      onProgress: ({ done, of }) => progress.search(done, of),
    };
    const comparison = await withReadings(data, { ...options, ...readings[0] }, readings, session, (sources) =>
      withKernels(kernels).compareRules(sources, asked),
    );
    progress.stop();
    input.finish();
    const { rejects, name } = input;
    const notes = [...new Set([...input.notes, ...comparison.notes])];
    const seconds = { total: process.uptime() };
    await printResult(options.json, {
      json: () => ({
        ...comparison,
        compared: comparison.compared.map(flatCandidate),
        untried: comparison.untried.map(flatCandidate),
        ...(readings.length > 1 ? { sources: readings.map(({ name }) => name) } : {}),
        rejected: rejects.count,
        seconds,
        ...(input.leaks?.length ? { leaks: input.leaks } : {}),
        notes,
      }),
      text: () => comparisonText(comparison, name, readings),
      notes,
    });
  });
}

/** Significance level of the comparison with the best rule. */
const significance = 0.05;

function comparisonText(comparison: Comparison, name: string, readings: readonly Reading[]): string {
  const { examples, classes, folds, repeats, baseline, metric, compared, taken, untried } = comparison;
  const namesOf = settingNames([...compared, ...untried], readings, true);
  const names = compared.map(namesOf);
  const width = Math.max(4, ...names.map((each) => each.length));
  const times = repeats === 1 ? '' : `, ${repeats} times`;
  return [
    section('Read', [`${name}: ${counted(examples, 'row')} of ${counted(classes.length, 'class', 'classes')}`]),
    section('Judged', [
      `by ${folds}-fold cross-validation${times}; ${passesText([...compared, ...untried])}`,
      ...metricLines(metric),
      `${percent(baseline)}  baseline: always predicting the most frequent class${(compared[0]?.accuracy ?? 0) > baseline ? '' : '; no rule is better'}`,
    ]),
    section('Rules', [
      `  ${''.padEnd(width)}  ${metric === 'accuracy' ? '  right' : '  value'}  ± between folds   behind the first`,
      ...compared.map(({ value, valueSpread, behind }, k) => {
        const share = `${metricNumber(metric, value).padStart(7)}  ± ${metricNumber(metric, valueSpread).padEnd(13)}`;
        const line = `${names[k]!.padEnd(width)}  ${share}  ${behind === null ? '' : behindText(behind, metric)}`;
        return `${k === taken ? '→' : ' '} ${line}`.trimEnd();
      }),
      ...(taken === 0 ? [] : ['→ the simplest that is at most one standard error worse than the best']),
    ]),
    section('Untried', untriedLines(untried.map(namesOf))),
  ].join('');
}

function passesText(settings: readonly Setting[]): string {
  const lengths = [...new Set(settings.filter(({ rule }) => hasPasses(rule.name)).map(({ passes }) => passes))];
  return lengths.length === 1 ? `${counted(lengths[0]!, 'pass', 'passes')} each` : 'passes as shown';
}

/** Returns the difference from the best rule, its p-value, and a word on its significance. */
function behindText({ mean, pValue }: { readonly mean: number; readonly pValue: number }, metric: MetricName): string {
  const less = `${metricNumber(metric, mean).padStart(5)} ${isLoss(metric) ? 'more' : 'less'}`;
  if (mean === 0) return 'none';
  const p = pValue < 0.001 ? 'p < 0.001' : `p = ${pValue.toFixed(3)}`;
  return `${less}, ${p}: ${pValue < significance ? 'more than chance' : 'may be chance'}`;
}
