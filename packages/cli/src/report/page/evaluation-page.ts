import { basename } from 'node:path';
import type { Judgement, Model } from 'halfspace';
import { count, counted, number, percent } from '../format.ts';
import type { ScoreAnalysis } from '../score-analysis.ts';
import { documentOf } from './document.ts';
import { cardOf, escaped, sectionOf } from './html.ts';
import { confusionCard, scoreCards } from './judgement.ts';

export interface Evaluation {
  readonly judgement: Judgement;
  readonly model: Model;
  /** Null where there were too many rows to keep their scores. */
  readonly analysis: ScoreAnalysis | null;
  readonly modelPath: string;
  /** What was read. */
  readonly name: string;
  readonly notes: readonly string[];
}

/** The page of an evaluation. */
export async function evaluationPage({
  judgement,
  model,
  analysis,
  modelPath,
  name,
  notes,
}: Evaluation): Promise<string> {
  const { classes } = model;
  const [first] = analysis?.rankings ?? [];
  const two = classes.length === 2;
  return documentOf({
    title: `${basename(modelPath)} on ${basename(name)}`,
    subtitle: `A model of the rule ${model.rule}, learned from ${counted(model.training.examples, 'row')}, judged on ${counted(judgement.examples, 'row')}`,
    tiles: [
      ['Right', percent(judgement.accuracy), counted(judgement.errors, 'error')],
      ['Rows', count(judgement.examples)],
      ...(two && first?.rocArea !== undefined && first.rocArea !== null
        ? [
            ['ROC area', number(first.rocArea), `average precision ${number(first.averagePrecision!)}`] as [
              string,
              string,
              string,
            ],
          ]
        : []),
      ...(analysis === null || analysis.probabilities === null
        ? []
        : [
            [
              'Log loss',
              number(analysis.probabilities.logLoss),
              `Brier score ${number(analysis.probabilities.brierScore)}`,
            ] as [string, string, string],
          ]),
    ],
    sections: [
      sectionOf('How good it is', `Judged on ${counted(judgement.examples, 'row')} of ${name}.`, [
        confusionCard(judgement.confusion, classes),
        ...(analysis === null ? [] : await scoreCards(analysis, classes)),
      ]),
      sectionOf(
        'Notes',
        '',
        notes.length === 0
          ? []
          : [
              cardOf({
                title: 'Of the reading',
                body: `<ul>${notes.map((note) => `<li>${escaped(note)}</li>`).join('')}</ul>`,
              }),
            ],
      ),
    ],
    footer: 'halfspace evaluate. The same model and rows give this page again.',
  });
}
