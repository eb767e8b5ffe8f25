import { choiceCount, choiceTable } from 'halfspace-bench/quality/report.mjs';
import { growthSection } from 'halfspace-bench/report/growth-section.mjs';
import { circumstances, commands, groupSection, limitLines, programs } from 'halfspace-bench/report/markdown.mjs';
import type { Accuracies, Results } from '../measurements.ts';
import { growthChart } from './growth-chart.ts';
import { type Time, timeChart } from './time-chart.ts';

/** The groups of the bench in the order of the page. */
const groups = ['text', 'dense', 'small', 'loop', 'denseLoop', 'answers'];
const seconds: Time = { of: ({ seconds }) => seconds.median, unit: 's', words: 'time of the whole process' };
const nanoseconds: Time = { of: ({ figure }) => figure!.median, unit: 'ns', words: 'time of one number in one pass' };
/** The groups whose programs learn, with the time that their charts show beside the accuracy. */
const charted: Record<string, Time> = {
  text: seconds,
  dense: seconds,
  small: seconds,
  loop: nanoseconds,
  denseLoop: nanoseconds,
};

/** Writes the sections of the page of numbers as Markdown: a chart's place first, then all figures of a group. */
export function numbersPart(results: Results, accuracies: Accuracies): string {
  const sections = groups.flatMap((name) => {
    const [heading, data, table, ...rest] = groupSection(results, name);
    return name in charted
      ? [heading, data, `<numbers-chart of="${name}"></numbers-chart>`, folded('All figures', [table, ...rest])]
      : [heading, data, table, folded('Ratios', rest)];
  });
  const [heading, ...curves] = growthSection(results.growth).split('\n\n');
  return [
    '## Machine and programs',
    circumstances(results),
    programs(results),
    folded('Limits of the machine', [limitLines(results.limits)]),
    ...sections,
    heading,
    '<numbers-chart of="growth"></numbers-chart>',
    folded(
      'All figures',
      curves.map((part) => part.replace(/^### (.+)$/m, '**$1**')),
    ),
    '## Accuracy on published sets',
    `Shares of right answers on held-out rows: halfspace ${accuracies.halfspace}, which chose the rule itself, and linear models of ` +
      `scikit-learn ${accuracies.peer.version}. s.e. is the standard error of a share of so many rows.`,
    choiceTable(accuracies.sets, accuracies.peer.columns),
    choiceCount(accuracies.sets, accuracies.peer.columns),
    'Measured by `npm run quality`; [the recorded results](measurements/accuracy.json).',
    '## Commands',
    'In the folder of the bench, after `npm run bench` has made the data:',
    folded('All commands', [commands(results)]),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Draws the charts of the page, by the names that their places have. */
export function numbersCharts({ groups, growth }: Results): Map<string, string> {
  const times = Object.entries(charted).map(
    ([name, time]) => [name, timeChart(groups[name]!.contenders, time)] as const,
  );
  return new Map([...times, ['growth', growthChart(growth.curves)]]);
}

function folded(summary: string, parts: readonly string[]): string {
  return [`<details><summary>${summary}</summary>`, ...parts, '</details>'].filter((part) => part !== '').join('\n\n');
}
