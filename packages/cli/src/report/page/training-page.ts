import { basename } from 'node:path';
import { drawTree, functionsOf, type Model } from 'halfspace';
import { notClass } from 'halfspace/internal';
import { calibrationLines, rightLines } from '../calibration.ts';
import { candidateName } from '../candidates.ts';
import { strongest } from '../features.ts';
import { count, counted, listed, number, percent } from '../format.ts';
import { mistakeLines } from '../mistakes.ts';
import type { ScoreAnalysis } from '../score-analysis.ts';
import { chosenReason, stopLines, type TrainingSummary } from '../training.ts';
import { learningCurveChart, updatesChart, validationCurveChart } from './charts.ts';
import { documentOf } from './document.ts';
import { cardOf, escaped, factsOf, sectionOf, sideBar, tableOf, whisker } from './html.ts';
import { confusionCard, judgedRows, scoreCards } from './judgement.ts';

const strongestShown = 15;
const treeSize = { width: 100, lines: 100 };
/** Features are drawn for so many classes at most. */
const mostClasses = 12;

/** The page of a training run. */
export async function trainingPage(run: TrainingSummary): Promise<string> {
  const { analysis, report, input, model } = run;
  const confusion = (report.holdout ?? report.validate)?.confusion ?? analysis?.confusion ?? report.train?.confusion;
  return documentOf({
    title: `${basename(input.name)}: ${report.classes.length === 2 ? `${report.classes[1]} or ${report.classes[0]}` : counted(report.classes.length, 'class', 'classes')}`,
    subtitle: `What halfspace learned, ${report.as === null ? `by the rule ${report.rule}` : `by the rule ${report.rule} as in ${report.as}`}, from ${counted(report.examples, 'row')}`,
    tiles: tiles(run),
    sections: [
      sectionOf(
        'How good it is',
        `Judged on ${judgedOn(run)}.`,
        confusion === undefined
          ? []
          : [
              confusionCard(confusion, report.classes),
              ...(analysis === null ? [] : await scoreCards(analysis, report.classes)),
            ],
      ),
      sectionOf('What was tried, and what more would bring', '', [choiceCard(run), ...(await curveCards(run))]),
      sectionOf('The model and its run', '', [...featureCards(model), ...(await runCards(run))]),
    ],
    footer: `halfspace train, seed ${report.seed}. The same rows, options and seed give this page again.`,
  });
}

function judgedOn({ analysis, report, study, judgedOn: file }: TrainingSummary): string {
  const scored = study?.scored ?? null;
  if (scored !== null && analysis !== null) return judgedRows(scored.of, analysis.rows, file);
  if (report.holdout !== null) return judgedRows('holdout', report.holdout.examples, file);
  if (report.validate !== null) return judgedRows('validate', report.validate.examples, file);
  return judgedRows('train', report.examples, file);
}

function tiles({ analysis, report, study }: TrainingSummary): [string, string, string?][] {
  const judged = report.holdout ?? report.validate;
  const [first] = analysis?.rankings ?? [];
  const calibration = study?.calibration ?? null;
  const worth = calibration?.holdout ?? calibration?.validate ?? calibration?.outOfFold ?? null;
  const outOfFold = study?.scored?.of === 'out-of-fold' && analysis !== null ? analysis : null;
  return [
    ...(judged !== null
      ? [
          [
            'Right',
            percent(judged.accuracy),
            `${counted(judged.errors, 'error')} in ${counted(judged.examples, 'row')} not learned from`,
          ] as [string, string, string],
        ]
      : outOfFold !== null
        ? [['Right', percent(rightOf(outOfFold)), 'in cross-validation'] as [string, string, string]]
        : []),
    ...(report.train === null
      ? []
      : [
          [
            'Right where it learned',
            percent(report.train.accuracy),
            `${counted(report.train.errors, 'error')} in ${counted(report.train.examples, 'row')}`,
          ] as [string, string, string],
        ]),
    ...(first?.rocArea === undefined || first.rocArea === null || analysis!.rankings.length > 1
      ? []
      : [
          ['ROC area', number(first.rocArea), `average precision ${number(first.averagePrecision!)}`] as [
            string,
            string,
            string,
          ],
        ]),
    ...(worth === null
      ? []
      : [['Log loss', number(worth.logLoss), `Brier score ${number(worth.brierScore)}`] as [string, string, string]]),
    ...(report.stop === 'grown'
      ? []
      : [['Passes', count(report.passes), `stopped: ${report.stop}`] as [string, string, string]]),
  ];
}

function rightOf({ confusion, rows }: ScoreAnalysis): number {
  return confusion.reduce((sum, row, k) => sum + row[k]!, 0) / rows;
}

function choiceCard({ search }: TrainingSummary): string {
  if (search === null || search.tried.length === 0) return '';
  const { tried, taken } = search;
  const [{ folds, examples }] = tried as [(typeof tried)[number]];
  const least = Math.min(...tried.map(({ accuracy, spread }) => accuracy - spread));
  const most = Math.max(...tried.map(({ accuracy, spread }) => accuracy + spread));
  const at = (share: number) => (most === least ? 0.5 : (share - least) / (most - least));
  return cardOf({
    title: 'Rules tried',
    text: `Share right in cross-validation, ${folds} folds of ${counted(examples, 'row')}; bars are one deviation between folds to either side. The diamond was taken. ${chosenReason(search)}`,
    body: tableOf({
      caption: 'Best first',
      columns: ['rule', 'right', '±', 'passes'],
      rows: tried.map((each) => [
        candidateName(each),
        percent(each.accuracy),
        (100 * each.spread).toFixed(2),
        each.passes,
      ]),
      drawn: tried.map(({ accuracy, spread }) => whisker(at(accuracy - spread), at(accuracy), at(accuracy + spread))),
      drawnHead: `<span><span>${percent(Math.max(0, least))}</span><span>${percent(Math.min(1, most))}</span></span>`,
      taken,
    }),
    wide: true,
  });
}

async function curveCards({ study, report }: TrainingSummary): Promise<string[]> {
  if (study === null) return [];
  const { learningCurve, validationCurve } = study;
  const cards: string[] = [];
  const share = ({ mean, deviation }: { mean: number; deviation: number }) =>
    `${percent(mean)} ± ${(100 * deviation).toFixed(2)}`;
  if (learningCurve !== null)
    cards.push(
      cardOf({
        title: 'Learning curve',
        text: `Would more rows help? Where the two lines have met, hardly. ${learningCurve.folds} folds${learningCurve.examples < report.examples ? ` of ${counted(learningCurve.examples, 'row')}, taken by the seed` : ''}; bands are one deviation between them.`,
        body: await learningCurveChart(learningCurve),
        numbers: {
          caption: 'Share right, ± deviation between folds',
          columns: ['rows', 'learned from', 'held out'],
          words: 0,
          rows: learningCurve.points.map(({ examples, learned, heldOut }) => [
            count(Math.round(examples)),
            share(learned),
            share(heldOut),
          ]),
        },
      }),
    );
  if (validationCurve !== null) {
    const errors = validationCurve.points.map(({ heldOut }) => 1 - heldOut.mean);
    const best = validationCurve.points[errors.indexOf(Math.min(...errors))]!;
    const taken = report.best?.pass ?? report.passes;
    cards.push(
      cardOf({
        title: 'Validation curve',
        text: `Would more passes help? Both lines high: underfitting; held out rising while the other falls: overfitting. Least held-out error after ${counted(best.passes, 'pass', 'passes')}; the model took ${count(taken)}.`,
        body: await validationCurveChart(validationCurve),
        numbers: {
          caption: 'Share right, ± deviation between folds',
          columns: ['passes', 'learned from', 'held out'],
          words: 0,
          rows: validationCurve.points.map(({ passes, learned, heldOut }) => [passes, share(learned), share(heldOut)]),
        },
      }),
    );
  }
  return cards;
}

function featureCards(model: Model): string[] {
  if (model.kind === 'tree')
    return [
      textCard('The tree', 'From left to right; the numbers are rows learned from.', drawTree(model.tree, treeSize)),
    ];
  if (model.kind === 'dual')
    return [textCard('Rows mistaken most often', 'The model is a sum over its mistakes.', mistakeLines(model))];
  const functions = functionsOf(model);
  return functions.slice(0, mostClasses).map((linear, k) => {
    const features = strongest(model.features, linear, functions.length === 1 ? strongestShown : 8);
    const classes: readonly [string, string] =
      model.kind === 'linear' ? model.classes : [notClass(model.classes[k]!), model.classes[k]!];
    if (features.length === 0) return '';
    const largest = Math.abs(features[0]!.weight);
    return cardOf({
      title: model.kind === 'linear' ? 'Strongest features' : `Strongest for ${classes[1]}`,
      text: model.kind === 'linear' || k === 0 ? 'Weights can be compared only where features are scaled alike.' : '',
      body: tableOf({
        caption: 'Features by size of weight',
        columns: ['feature', 'weight'],
        rows: features.map(({ feature, weight }) => [feature, number(weight)]),
        drawn: features.map(({ weight }) => sideBar(weight / largest)),
        drawnHead:
          model.kind === 'linear'
            ? `<span><span>← ${escaped(classes[0])}</span><span>${escaped(classes[1])} →</span></span>`
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
  const { report, input, model, study } = run;
  const { train } = report;
  const calibration = study?.calibration ?? null;
  const [stop] = stopLines(run);
  const facts: [string, string][] = [
    [
      'rows',
      `${count(report.examples)} learned from${report.holdout === null ? '' : `, ${count(report.holdout.examples)} held out`}`,
    ],
    [
      'classes',
      listed(
        report.classes.map((name, k) => `${name} (${count(report.classExamples[k]!)})`),
        12,
      ),
    ],
    ['features', `${count(report.features)}; ${counted(report.nonzeros, 'value')}`],
    [
      'rule',
      candidateName({
        rule: report.rule as never,
        options: model.options,
        multiclass: model.kind === 'multiclass' ? model.strategy : 'one-vs-rest',
      }),
    ],
    ...(report.updates === 0 ? [] : ([['updates', count(report.updates)]] as [string, string][])),
    ['stopped', stop ?? 'the tree is grown and pruned'],
    ...(train === null || train.radius === null ? [] : ([['radius', number(train.radius)]] as [string, string][])),
    ...(train === null || train.margin === null ? [] : ([['margin', number(train.margin)]] as [string, string][])),
    ...(calibration === null
      ? []
      : ([
          [
            'calibration',
            [
              `${calibration.kind}, on scores of a ${calibration.folds}-fold cross-validation: log loss ${number(calibration.outOfFold.logLoss)}, Brier score ${number(calibration.outOfFold.brierScore)} out of fold`,
              ...calibrationLines(model),
              ...rightLines(calibration.outOfFold, 'out of fold'),
            ].join('; '),
          ],
        ] as [string, string][])),
  ];
  const notes = [...input.notes];
  if (input.rejects.count > 0) notes.push(`${counted(input.rejects.count, 'row')} set aside`);
  return [
    cardOf({ title: 'In numbers', body: factsOf(facts) }),
    report.updates === 0
      ? ''
      : cardOf({
          title: 'Updates in each pass',
          text: 'A pass without any has nothing left to learn.',
          body: await updatesChart(report.updatesPerPass),
          numbers: {
            caption: 'Updates in each pass',
            columns: ['pass', 'updates'],
            words: 0,
            rows: report.updatesPerPass.map((updates, i) => [i + 1, count(updates)]),
          },
        }),
    notes.length === 0
      ? ''
      : cardOf({ title: 'Notes', body: `<ul>${notes.map((note) => `<li>${escaped(note)}</li>`).join('')}</ul>` }),
  ];
}
