import type { Confusion } from 'halfspace';
import { perClass, thinCurve } from 'halfspace/metrics';
import { rightLines } from '../calibration.ts';
import { confusedPairs } from '../confusion.ts';
import { count, counted, ifKnown, listed, number, percent } from '../format.ts';
import { baselineOf } from '../quality.ts';
import type { ScoreAnalysis } from '../score-analysis.ts';
import { histogramChart, mostLines, precisionRecallChart, reliabilityChart, rocChart, written } from './charts.ts';
import type { Tile } from './document.ts';
import { cardOf, escaped, tableOf } from './html.ts';

/** Maximum number of classes in a confusion matrix. With more classes the most frequent errors are listed. */
const mostColumns = 16;

/**
 * Returns the confusion matrix, and precision and recall of each class.
 *
 * @param predicted the classes of the model: `classes` without those that only the rows have.
 */
export function confusionCard(confusion: Confusion, classes: readonly string[], predicted: readonly string[]): string {
  const many = classes.length > mostColumns;
  const metrics = tableOf({
    caption:
      'Precision: share of correct rows among those predicted as the class. Recall: share of the class predicted correctly.',
    columns: ['class', 'precision', 'recall', 'F1', 'rows'],
    rows: perClass(confusion, classes).map((each) => [
      each.class,
      ...[each.precision, each.recall, each.f1].map((share) => (share === null ? '–' : percent(share))),
      count(each.support),
    ]),
  });
  return cardOf({
    title: 'Confusion matrix',
    text: many ? '' : 'Shades are shares of the true class: blue is correct, orange is wrong.',
    body: `${many ? mistakenTable(confusion, classes) : confusionTable(confusion, classes, predicted)}\n<h3>Class by class</h3>\n${metrics}`,
    wide: classes.length > 5,
  });
}

function confusionTable(confusion: Confusion, classes: readonly string[], predicted: readonly string[]): string {
  const head = predicted.map((name) => `<th scope="col" class="n">${escaped(name)}</th>`).join('');
  const rows = confusion.map((row, i) => {
    const total = row.reduce((sum, n) => sum + n, 0);
    const cells = row.slice(0, predicted.length).map((n, j) => {
      const share = total === 0 ? 0 : n / total;
      const colour = i === j ? 'blue' : 'orange';
      return `<td style="--share: ${share.toFixed(3)}; --cell: var(--${colour})">${count(n)}<small>${percent(share)}</small></td>`;
    });
    return `<tr><th scope="row">${escaped(classes[i]!)}</th>${cells.join('')}</tr>`;
  });
  return `<div class="scroll" tabindex="0"><table class="confusion"><caption>Rows: true class. Columns: predicted class</caption><thead><tr><td></td>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

function mistakenTable(confusion: Confusion, classes: readonly string[]): string {
  return tableOf({
    caption: 'Most frequent errors',
    columns: ['class', 'predicted', 'rows'],
    words: 2,
    rows: confusedPairs(confusion)
      .slice(0, 20)
      .map(({ i, j, n }) => [classes[i]!, classes[j]!, count(n)]),
  });
}

/** Returns the tile of the baseline: the accuracy of always predicting the most frequent class of the same rows. */
export function baselineTile(confusion: Confusion | undefined, classes: readonly string[]): readonly Tile[] {
  const baseline = confusion === undefined ? null : baselineOf(confusion, classes);
  return ifKnown(baseline, (known) => [['Baseline', percent(known.accuracy), `always predicting ${known.class}`]]);
}

/** Returns the tile of the ROC area for two classes, if it is known. */
export function rankingTile(analysis: ScoreAnalysis | null): readonly Tile[] {
  const [first, second] = analysis?.rankings ?? [];
  return ifKnown(second === undefined ? first?.rocArea : null, (area) => [
    ['ROC area', number(area), `average precision ${number(first!.averagePrecision!)}`],
  ]);
}

/** Returns the cards of scores: ROC, precision and recall, histogram, reliability. */
export async function scoreCards(analysis: ScoreAnalysis, classes: readonly string[]): Promise<string[]> {
  const { rankings, histogram, probabilities } = analysis;
  const known = rankings.filter(({ roc }) => roc !== null);
  const two = histogram.kind === 'scores';
  const some =
    known.length > mostLines ? ` The ${mostLines} of ${known.length} classes with the smallest areas are drawn.` : '';
  const areas = (name: string, of: (ranking: (typeof known)[number]) => number) =>
    known.length === 1
      ? `${name} ${number(of(known[0]!))}.`
      : `${name}: ${listed(
          known.map((each) => `${each.class} ${number(of(each))}`),
          mostLines,
        )}.`;
  const cards: string[] = [];
  if (known.length > 0) {
    const [first] = known as [(typeof known)[number]];
    const threshold = two ? 'score at least' : 'lead at least';
    const curveCard = (title: string, text: string, body: string, columns: readonly string[], points: CurvePoints) =>
      cardOf({
        title,
        text: `${text}${some}`,
        body,
        numbers:
          known.length > 1 ? areaTable(known) : curveTable(`Points of the curve`, [threshold, ...columns], points),
      });
    const roc = thinCurve(first.roc!, written);
    const precision = thinCurve(first.precisionRecall!, written);
    cards.push(
      curveCard(
        'ROC',
        `${areas('Area', (each) => each.rocArea!)} Chance is ½, the dotted line.`,
        await rocChart(known),
        ['false positive rate', 'true positive rate'],
        [roc.thresholds, roc.falsePositiveRates, roc.truePositiveRates],
      ),
      curveCard(
        'Precision and recall',
        areas('Average precision', (each) => each.averagePrecision!),
        await precisionRecallChart(known),
        ['recall', 'precision'],
        [precision.thresholds, precision.recalls, precision.precisions],
      ),
    );
  }
  cards.push(
    cardOf({
      title: two ? 'Scores' : 'Leads',
      text: two
        ? `Share of ${classes[1]} (up) and of ${classes[0]} (down) by score. The dashed line is the threshold: above it the prediction is ${classes[1]}.`
        : 'The score of the true class minus the highest other score. Above 0 the prediction is correct.',
      body: await histogramChart(histogram, classes),
      numbers: {
        caption: 'Rows in each bin; the first and the last bin include all rows beyond them',
        columns: two ? ['from', 'to', classes[0]!, classes[1]!] : ['from', 'to', 'rows'],
        words: 0,
        rows: histogram.edges
          .slice(0, -1)
          .map((edge, k) => [
            number(edge),
            number(histogram.edges[k + 1]!),
            ...histogram.counts.map((own) => count(own[k]!)),
          ]),
      },
    }),
  );
  if (probabilities !== null) {
    const { reliability, brierScore, logLoss } = probabilities;
    const [right] = rightLines(probabilities);
    cards.push(
      cardOf({
        title: 'Reliability',
        text: `${two ? `Observed frequency of ${classes[1]} for each predicted probability` : 'Accuracy of the most probable class for each predicted probability'}. The mean difference is ${percent(reliability.expectedCalibrationError)}; Brier score ${number(brierScore)}, log loss ${number(logLoss)}${right === undefined ? '' : `; ${right}`}.`,
        body: await reliabilityChart(reliability, two ? `observed share of ${classes[1]}` : 'observed accuracy'),
        numbers: {
          caption: 'Groups of rows by probability',
          columns: ['predicted', 'observed', 'rows'],
          words: 0,
          rows: Array.from(reliability.weights, (weight, i) => [
            percent(reliability.meanProbabilities[i]!),
            percent(reliability.positiveShares[i]!),
            count(weight),
          ]),
        },
      }),
    );
  }
  return cards;
}

function areaTable(rankings: ScoreAnalysis['rankings']) {
  return {
    caption: 'Each class against all others, ranked by its lead: its score minus the highest other score',
    columns: ['class', 'ROC area', 'average precision'],
    rows: rankings.map((each) => [each.class, number(each.rocArea!), number(each.averagePrecision!)]),
  };
}

type CurvePoints = readonly [thresholds: Float64Array, ...shares: Float64Array[]];

function curveTable(caption: string, columns: readonly string[], [thresholds, ...shares]: CurvePoints) {
  const rows = Array.from(thresholds, (threshold, i) => [
    threshold === Infinity ? '∞' : number(threshold),
    ...shares.map((own) => percent(own[i]!)),
  ]);
  return { caption, columns, words: 0, rows };
}

/** Returns the rows that a model was judged on: `5 rows held out`. */
export function judgedRows(
  of: 'holdout' | 'validation' | 'out-of-fold' | 'train',
  rows: number,
  file: string | null,
): string {
  const shown = counted(rows, 'row');
  switch (of) {
    case 'holdout':
      return `${shown} held out`;
    case 'validation':
      return `${shown} of ${file}`;
    case 'out-of-fold':
      return `${shown}, each scored by a run that did not train on it (5-fold cross-validation)`;
    case 'train':
      return `the ${shown} of the training data, which makes the model look better than it is: no rows were held out`;
  }
}
