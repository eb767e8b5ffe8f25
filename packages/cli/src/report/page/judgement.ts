import { type Confusion, perClass, thinCurve } from 'halfspace';
import { rightLines } from '../calibration.ts';
import { confusedPairs } from '../confusion.ts';
import { count, counted, listed, number, percent } from '../format.ts';
import type { ScoreAnalysis } from '../score-analysis.ts';
import { histogramChart, mostLines, precisionRecallChart, reliabilityChart, rocChart, written } from './charts.ts';
import { cardOf, escaped, tableOf } from './html.ts';

/** More classes than this are told by their pairs that were mistaken most often. */
const mostColumns = 16;

/** Which classes rows were given, and precision and recall of each. */
export function confusionCard(confusion: Confusion, classes: readonly string[]): string {
  const many = classes.length > mostColumns;
  const metrics = tableOf({
    caption: 'Precision: right among those given the class. Recall: found among those that have it.',
    columns: ['class', 'precision', 'recall', 'F1', 'rows'],
    rows: perClass(confusion, classes).map((each) => [
      each.class,
      ...[each.precision, each.recall, each.f1].map((share) => (share === null ? '–' : percent(share))),
      count(each.support),
    ]),
  });
  return cardOf({
    title: 'Classes given',
    text: many ? '' : 'Shades are shares of the class: blue is right, orange wrong.',
    body: `${many ? mistakenTable(confusion, classes) : confusionTable(confusion, classes)}\n<h3>Class by class</h3>\n${metrics}`,
    wide: classes.length > 5,
  });
}

function confusionTable(confusion: Confusion, classes: readonly string[]): string {
  const head = classes.map((name) => `<th scope="col" class="n">${escaped(name)}</th>`).join('');
  const rows = confusion.map((row, i) => {
    const total = row.reduce((sum, n) => sum + n, 0);
    const cells = row.map((n, j) => {
      const share = total === 0 ? 0 : n / total;
      const colour = i === j ? 'blue' : 'orange';
      return `<td style="--share: ${share.toFixed(3)}; --cell: var(--${colour})">${count(n)}<small>${percent(share)}</small></td>`;
    });
    return `<tr><th scope="row">${escaped(classes[i]!)}</th>${cells.join('')}</tr>`;
  });
  return `<div class="scroll" tabindex="0"><table class="confusion"><caption>True class down, class given across</caption><thead><tr><td></td>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

function mistakenTable(confusion: Confusion, classes: readonly string[]): string {
  return tableOf({
    caption: 'Pairs of classes mistaken most often',
    columns: ['class', 'given', 'rows'],
    words: 2,
    rows: confusedPairs(confusion)
      .slice(0, 20)
      .map(({ i, j, n }) => [classes[i]!, classes[j]!, count(n)]),
  });
}

/** Curves of scores: ROC, precision and recall, histogram, reliability. */
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
    cards.push(
      cardOf({
        title: 'ROC',
        text: `${areas('Area', (each) => each.rocArea!)} Chance is ½, the dotted line.${some}`,
        body: await rocChart(known),
        numbers:
          known.length > 1
            ? areaTable(known)
            : curveTable(
                'Points of the ROC curve',
                [two ? 'score at least' : 'lead at least', 'others taken', 'found'],
                thinCurve(first.roc!, written).thresholds,
                [thinCurve(first.roc!, written).falsePositiveRates, thinCurve(first.roc!, written).truePositiveRates],
              ),
      }),
      cardOf({
        title: 'Precision and recall',
        text: `${areas('Average precision', (each) => each.averagePrecision!)}${some}`,
        body: await precisionRecallChart(known),
        numbers:
          known.length > 1
            ? areaTable(known)
            : curveTable(
                'Points of the precision–recall curve',
                [two ? 'score at least' : 'lead at least', 'recall', 'precision'],
                thinCurve(first.precisionRecall!, written).thresholds,
                [
                  thinCurve(first.precisionRecall!, written).recalls,
                  thinCurve(first.precisionRecall!, written).precisions,
                ],
              ),
      }),
    );
  }
  cards.push(
    cardOf({
      title: two ? 'Scores' : 'Leads',
      text: two
        ? `Share of ${classes[1]} (up) and of ${classes[0]} (down) by score. The dashed line is the threshold: above it a row is given ${classes[1]}.`
        : 'The score of the true class less the highest other one. Above 0 the row is right.',
      body: await histogramChart(histogram, classes),
      numbers: {
        caption: 'Rows in each bin; the first and the last have those beyond them as well',
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
        text: `${two ? `Where ${classes[1]} had a probability, how often it came true` : 'How often the most probable class was right'}. Off by ${percent(reliability.expectedCalibrationError)} on average; Brier score ${number(brierScore)}, log loss ${number(logLoss)}${right === undefined ? '' : `; ${right}`}.`,
        body: await reliabilityChart(reliability, two ? `came true: share of ${classes[1]}` : 'came true: share right'),
        numbers: {
          caption: 'Groups of rows by probability',
          columns: ['said', 'came true', 'rows'],
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
    caption: 'Each class against all others, ranked by its lead: its score less the highest other one',
    columns: ['class', 'ROC area', 'average precision'],
    rows: rankings.map((each) => [each.class, number(each.rocArea!), number(each.averagePrecision!)]),
  };
}

function curveTable(
  caption: string,
  columns: readonly string[],
  thresholds: Float64Array,
  shares: readonly Float64Array[],
) {
  return {
    caption,
    columns,
    words: 0,
    rows: Array.from(thresholds, (threshold, i) => [
      threshold === Infinity ? '∞' : number(threshold),
      ...shares.map((own) => percent(own[i]!)),
    ]),
  };
}

/** `5 rows held out`: which rows a model was judged on. */
export function judgedRows(
  of: 'holdout' | 'validate' | 'out-of-fold' | 'train',
  rows: number,
  file: string | null,
): string {
  const told = counted(rows, 'row');
  switch (of) {
    case 'holdout':
      return `${told} held out`;
    case 'validate':
      return `${told} of ${file}`;
    case 'out-of-fold':
      return `${told}, each scored by a run that did not learn from it (5-fold cross-validation)`;
    case 'train':
      return `the ${told} learned from, which flatters the model: nothing was held out`;
  }
}
