import { choiceCount, choiceTable } from 'halfspace-bench/quality/report.mjs';
import { circumstances, commands, groupSection, programs } from 'halfspace-bench/report/markdown.mjs';
import type { Accuracies, Results } from '../measurements.ts';
import { timeChart } from './time-chart.ts';

/** The groups of the bench in the order of the page. */
const groups = ['text', 'dense', 'small', 'answers'];
/** The groups whose programs learn. */
const charted = ['text', 'dense', 'small'];

/** Writes the sections of the page of numbers as Markdown: a chart's place first, then all figures of a group. */
export function numbersPart(results: Results, accuracies: Accuracies): string {
  const sections = groups.flatMap((name) => {
    const [heading, data, table, ...rest] = groupSection(results, name);
    return charted.includes(name)
      ? [heading, data, `<numbers-chart of="${name}"></numbers-chart>`, folded('All figures', [table, ...rest])]
      : [heading, data, table, folded('Ratios', rest)];
  });
  return [
    '## Machine and programs',
    circumstances(results),
    programs(results),
    ...sections,
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
export function numbersCharts({ groups }: Results): Map<string, string> {
  return new Map(charted.map((name) => [name, timeChart(groups[name]!.contenders)]));
}

function folded(summary: string, parts: readonly string[]): string {
  return [`<details><summary>${summary}</summary>`, ...parts, '</details>'].filter((part) => part !== '').join('\n\n');
}
