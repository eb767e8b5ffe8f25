import { basename } from 'node:path';
import type { Judgement, Model } from 'halfspace';
import { count, counted, ifKnown, number, percent } from '../format.ts';
import { judgedClasses } from '../quality.ts';
import type { ScoreAnalysis } from '../score-analysis.ts';
import { documentOf, type Tile } from './document.ts';
import { notesCard, sectionOf } from './html.ts';
import { baselineTile, confusionCard, rankingTile, scoreCards } from './judgement.ts';
import { readingCards } from './reading.ts';

export interface Evaluation {
  readonly judgement: Judgement;
  readonly model: Model;
  /** Null if there were too many rows to store their scores. */
  readonly analysis: ScoreAnalysis | null;
  readonly modelPath: string;
  /** Name of the data. */
  readonly name: string;
  readonly notes: readonly string[];
}

/** Returns the page of an evaluation. */
export async function evaluationPage(evaluation: Evaluation): Promise<string> {
  const { judgement, model, analysis, modelPath, name, notes } = evaluation;
  const { classes } = model;
  const all = judgedClasses(classes, judgement);
  const judged = counted(judgement.examples, 'row');
  return documentOf({
    title: `${basename(modelPath)} on ${basename(name)}`,
    subtitle: `A model of the rule ${model.rule}, trained on ${counted(model.training.examples, 'row')}, evaluated on ${judged}`,
    tiles: [
      ['Right', percent(judgement.accuracy), counted(judgement.errors, 'error')],
      ...baselineTile(judgement.confusion, all),
      ['Rows', count(judgement.examples)],
      ...rankingTile(analysis),
      ...ifKnown(analysis?.probabilities, ({ logLoss, brierScore }): Tile[] => [
        ['Log loss', number(logLoss), `Brier score ${number(brierScore)}`],
      ]),
    ],
    sections: [
      sectionOf('How good it is', `Evaluated on ${judged} of ${name}.`, [
        confusionCard(judgement.confusion, all, classes),
        ...(analysis === null ? [] : await scoreCards(analysis, classes)),
      ]),
      sectionOf('Reading', '', [...readingCards(model), notesCard(notes)]),
    ],
    footer: 'halfspace evaluate. The same model and rows give the same page.',
  });
}
