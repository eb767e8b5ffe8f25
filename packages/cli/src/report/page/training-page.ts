import { basename } from 'node:path';
import type { MetricName, Model, RuleName, Setting, TriedRule } from 'halfspace';
import { isLoss } from 'halfspace/metrics';
import { describeFunctions } from 'halfspace/models';
import { hasPasses } from 'halfspace/rules';
import { drawTree } from 'halfspace/tree';
import { calibrationLines, rightLines } from '../calibration.ts';
import { settingNames, untriedLines } from '../candidates.ts';
import { readable } from '../features.ts';
import { below, count, counted, ifKnown, number, numbers, percent, radiusAbove } from '../format.ts';
import { metricNumber, metricWords } from '../metric.ts';
import { mistakeLines } from '../mistakes.ts';
import { judgedClasses } from '../quality.ts';
import type { ScoreAnalysis } from '../score-analysis.ts';
import {
  chosenReason,
  drawable,
  listedClasses,
  ruleOf,
  stopLines,
  type TrainingSummary,
  thresholdText,
} from '../training.ts';
import { learningCurveChart, updatesChart, validationCurveChart } from './charts.ts';
import { curveSection } from './curves.ts';
import { documentOf, type Tile } from './document.ts';
import { cardOf, escaped, factsOf, notesCard, sectionOf, sideBar, tableOf, whisker } from './html.ts';
import { baselineTile, confusionCard, judgedRows, rankingTile, scoreCards } from './judgement.ts';
import { readingCards } from './reading.ts';

const strongestShown = 15;
/** Smallest number of candidates that are drawn in full. */
const fewestDrawn = 8;
const treeSize = { width: 100, lines: 100 };
/** Maximum number of classes whose features are drawn. */
const mostClasses = 12;

/** Returns the page of a training run. */
export async function trainingPage(run: TrainingSummary): Promise<string> {
  const { analysis, report, input, model } = run;
  const { classes, rule, as } = report;
  const judged = report.holdout ?? report.validation;
  const confusion = judged?.confusion ?? analysis?.confusion ?? report.train?.confusion;
  const all = judgedClasses(classes, judged ?? {});
  const quality = confusion === undefined ? [] : [confusionCard(confusion, all, classes)];
  if (confusion !== undefined && analysis !== null) quality.push(...(await scoreCards(analysis, classes)));
  return documentOf({
    title: `${basename(input.name)}: ${classes.length === 2 ? `${classes[1]} or ${classes[0]}` : counted(classes.length, 'class', 'classes')}`,
    subtitle: `A model of the rule ${rule}${as === null ? '' : ` as in ${as}`}, trained on ${counted(report.examples, 'row')}`,
    tiles: tiles(run, baselineTile(confusion, all)),
    sections: [
      sectionOf('How good it is', `Evaluated on ${judgedOn(run)}.`, quality),
      curveSection(model, run.means),
      sectionOf('Choice of the rule, and curves', '', [choiceCard(run), ...(await curveCards(run))]),
      sectionOf('The model and its run', '', [...featureCards(model), ...(await runCards(run))]),
    ],
    footer: `halfspace train, seed ${report.seed}. The same rows, options and seed give the same page.`,
  });
}

function judgedOn({ analysis, report, scores, judgedOn: file }: TrainingSummary): string {
  if (scores !== null && analysis !== null) return judgedRows(scores.of, analysis.rows, file);
  if (report.holdout !== null) return judgedRows('holdout', report.holdout.examples, file);
  if (report.validation !== null) return judgedRows('validation', report.validation.examples, file);
  return judgedRows('train', report.examples, file);
}

function tiles({ analysis, report, calibration, scores }: TrainingSummary, baseline: readonly Tile[]): Tile[] {
  const { train, passes, stop } = report;
  const judged = report.holdout ?? report.validation;
  const worth = calibration?.holdout ?? calibration?.validation ?? calibration?.outOfFold;
  const outOfFold = scores?.of === 'out-of-fold' ? analysis : null;
  const errorsIn = ({ errors, examples }: { errors: number; examples: number }) =>
    `${counted(errors, 'error')} in ${counted(examples, 'row')}`;
  return [
    ...(judged === null
      ? ifKnown(outOfFold, (scored): Tile[] => [['Right', percent(rightOf(scored)), 'in cross-validation']])
      : ([['Right', percent(judged.accuracy), `${errorsIn(judged)} not trained on`]] as const)),
    ...ifKnown(train, (known): Tile[] => [['Right in training', percent(known.accuracy), errorsIn(known)]]),
    ...baseline,
    ...rankingTile(analysis),
    ...ifKnown(worth, ({ logLoss, brierScore }): Tile[] => [
      ['Log loss', number(logLoss), `Brier score ${number(brierScore)}`],
    ]),
    ...(stop === 'grown' || stop === 'minimum' ? [] : ([['Passes', count(passes), `stopped: ${stop}`]] as const)),
  ];
}

function rightOf({ confusion, rows }: ScoreAnalysis): number {
  return confusion.reduce((sum, row, k) => sum + row[k]!, 0) / rows;
}

function choiceCard({ search, readings }: TrainingSummary): string {
  if (search === null || search.tried.length === 0) return '';
  const { tried, taken, metric, untried } = search;
  const nameOf = settingNames<Setting & { readonly shape?: TriedRule['shape'] }>([...tried, ...untried], readings);
  const left = untriedLines(untried.map(nameOf));
  const reason = chosenReason(search);
  const [{ folds, examples }] = tried as [(typeof tried)[number]];
  const shown = (value: number) => (isLoss(metric) ? number(value) : percent(Math.max(0, value)));
  const known = tried.filter(({ value }) => Number.isFinite(value));
  const error = ({ valueSpread, folds }: TriedRule) => valueSpread / Math.sqrt(folds);
  // The best half is drawn in full, because few that are far behind would hide its differences.
  const half = known.slice(0, Math.max(fewestDrawn, Math.ceil(known.length / 2)));
  const least = Math.min(...half.map((each) => each.value - error(each)));
  const most = Math.max(...half.map((each) => each.value + error(each)));
  const at = (share: number) => (most === least ? 0.5 : Math.min(1, Math.max(0, (share - least) / (most - least))));
  return cardOf({
    title: 'Rules tried',
    text: [
      `${judgedText(metric, folds, examples)} Diamond: the chosen one${reason === '' ? '' : ` (${reason})`}.`,
      ...(left.length === 0 ? [] : [`Not tried: ${left.join('; ')}.`]),
    ].join(' '),
    body: tableOf({
      caption: 'Best first',
      columns: ['rule', metric === 'accuracy' ? 'right' : metricWords(metric), '±', 'passes', 'folds'],
      rows: tried.map((each) => [
        nameOf(each),
        shown(each.value),
        each.folds === 1 ? '' : metricNumber(metric, error(each)),
        hasPasses(each.rule.name) ? each.passes : '',
        each.folds,
      ]),
      drawn: tried.map((each) =>
        Number.isFinite(each.value)
          ? whisker(at(each.value - error(each)), at(each.value), at(each.value + error(each)))
          : '',
      ),
      drawnHead: `<span><span>${shown(Math.max(0, least))}</span><span>${shown(isLoss(metric) ? most : Math.min(1, most))}</span></span>`,
      taken,
    }),
    wide: true,
  });
}

async function curveCards({ curves, report }: TrainingSummary): Promise<string[]> {
  if (curves === null) return [];
  const [learningCurve, validationCurve] = [drawable(curves.learning), drawable(curves.validation)];
  const share = ({ mean, deviation }: { mean: number; deviation: number }) =>
    `${percent(mean)} ± ${(100 * deviation).toFixed(2)}`;
  const curveCard = <Point extends { learned: Parameters<typeof share>[0]; heldOut: Parameters<typeof share>[0] }>(
    title: string,
    text: string,
    body: string,
    column: string,
    points: readonly Point[],
    value: (point: Point) => string | number,
  ) =>
    cardOf({
      title,
      text,
      body,
      numbers: {
        caption: 'Accuracy ± standard deviation between folds',
        columns: [column, 'training', 'held out'],
        words: 0,
        rows: points.map((point) => [value(point), share(point.learned), share(point.heldOut)]),
      },
    });
  const cards: string[] = [];
  if (learningCurve !== null) {
    const { folds, examples, points } = learningCurve;
    const sample = examples < report.examples ? ` of ${counted(examples, 'row')}, drawn by the seed` : '';
    const text = `Would more rows help? If the two lines have met, hardly. ${folds} folds${sample}. Bands: one standard deviation between folds.`;
    const body = await learningCurveChart(learningCurve);
    cards.push(curveCard('Learning curve', text, body, 'rows', points, (point) => count(Math.round(point.examples))));
  }
  if (validationCurve !== null) {
    const { points } = validationCurve;
    const errors = points.map(({ heldOut }) => 1 - heldOut.mean);
    const best = points[errors.indexOf(Math.min(...errors))]!;
    const text = `Would more passes help? Both lines high: underfitting. Held out rising while training falls: overfitting. The held-out error is lowest after ${counted(best.passes, 'pass', 'passes')}; the model has ${count(report.best?.pass ?? report.passes)}.`;
    const body = await validationCurveChart(validationCurve);
    cards.push(curveCard('Validation curve', text, body, 'passes', points, ({ passes }) => passes));
  }
  return cards;
}

/** Returns the strongest features of each class, apart from curves and pairs; or the tree, or the mistakes. */
export function featureCards(model: Model): string[] {
  if (model.kind === 'tree')
    return [textCard('The tree', 'From left to right; the numbers are training rows.', drawTree(model.tree, treeSize))];
  if (model.kind === 'dual')
    return [textCard('Mistakes', 'The model is a sum over its mistakes.', mistakeLines(model))];
  const functions = describeFunctions(model);
  return functions.slice(0, mostClasses).map(({ class: name, against, others }, k) => {
    const features = readable(others.strongest(functions.length === 1 ? strongestShown : 8));
    const texts = numbers(features.map(({ weight }) => weight));
    if (features.length === 0) return '';
    const largest = Math.abs(features[0]!.weight);
    return cardOf({
      title: model.kind === 'linear' ? 'Strongest features' : `Strongest for ${name}`,
      text:
        model.kind === 'linear' || k === 0 ? 'Weights can be compared only if the features have the same scale.' : '',
      body: tableOf({
        caption: 'Features by size of weight',
        columns: ['feature', 'weight'],
        rows: features.map(({ feature }, i) => [feature, texts[i]!]),
        drawn: features.map(({ weight }) => sideBar(weight / largest)),
        drawnHead:
          model.kind === 'linear'
            ? `<span><span>← ${escaped(against)}</span><span>${escaped(name)} →</span></span>`
            : '<span><span>← against</span><span>for →</span></span>',
      }),
      wide: model.kind === 'linear',
    });
  });
}

function textCard(title: string, text: string, lines: readonly string[]): string {
  return cardOf({
    title,
    text,
    body: `<div class="scroll" tabindex="0"><pre>${lines.map(escaped).join('\n')}</pre></div>`,
    wide: true,
  });
}

async function runCards(run: TrainingSummary): Promise<string[]> {
  const { report, input, model, calibration } = run;
  const { train, holdout, updatesPerPass } = report;
  // What a rule without passes counts are steps to a minimum, each with all rows.
  const updates = hasPasses(model.rule as RuleName) ? report.updates : 0;
  const [stop = 'the tree is grown and pruned'] = stopLines(run);
  const held = holdout === null ? '' : `, ${count(holdout.examples)} held out`;
  type Fact = readonly [what: string, value: string];
  const facts: Fact[] = [
    ['rows', `${count(report.examples)} for training${held}`],
    ['classes', listedClasses(report, 12)],
    ['features', `${count(report.features)}; ${counted(report.nonzeros, 'value')}`],
    ['rule', ruleOf(model)],
    ...ifKnown(run.threshold, (threshold): Fact[] => [['threshold', thresholdText(threshold)]]),
    ...ifKnown(updates || null, (made): Fact[] => [['updates', count(made)]]),
    ['stopped', stop],
    ...ifKnown(train?.radius, (radius): Fact[] => [['radius', radiusAbove(radius)]]),
    ...ifKnown(train?.margin, (margin): Fact[] => [['margin', below(margin, 4)]]),
    ...ifKnown(calibration, ({ kind, folds, outOfFold }): Fact[] => [
      [
        'calibration',
        [
          `${kind}, on scores of a ${folds}-fold cross-validation: log loss ${number(outOfFold.logLoss)}, Brier score ${number(outOfFold.brierScore)} out of fold`,
          ...calibrationLines(model),
          ...rightLines(outOfFold, 'out of fold'),
        ].join('; '),
      ],
    ]),
  ];
  const notes = [...input.notes];
  if (input.rejects.count > 0) notes.push(`${counted(input.rejects.count, 'bad row')} skipped`);
  return [
    cardOf({ title: 'In numbers', body: factsOf(facts) }),
    updates === 0 || updatesPerPass.length < 2
      ? ''
      : cardOf({
          title: 'Updates in each pass',
          text: 'A pass without updates is clean: every training row is classified correctly.',
          body: await updatesChart(updatesPerPass),
          numbers: {
            caption: 'Updates in each pass',
            columns: ['pass', 'updates'],
            words: 0,
            rows: updatesPerPass.map((made, i) => [i + 1, count(made)]),
          },
        }),
    ...readingCards(model),
    notesCard(notes),
  ];
}

/** Returns a sentence on the examples that the candidates of a search were judged on. */
function judgedText(metric: MetricName, folds: number, examples: number): string {
  const value = metric === 'accuracy' ? 'Accuracy' : `Values of the metric, ${metricWords(metric)},`;
  const rows = counted(examples, 'row');
  return folds === 1
    ? `${value} on one fold of ${rows}, by runs on the others.`
    : `${value} in cross-validation, ${folds} folds of ${rows}. Bars: one standard error; those far behind are at the edge.`;
}
