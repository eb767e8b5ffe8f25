import { basename } from 'node:path';
import type { Model } from 'halfspace';
import { counted } from '../format.ts';
import { ruleOf } from '../training.ts';
import { curveSection } from './curves.ts';
import { documentOf } from './document.ts';
import { sectionOf } from './html.ts';
import { readingCards } from './reading.ts';
import { featureCards } from './training-page.ts';

/** Returns the page of a model file. The rows of intervals are known if the model was trained with `means`. */
export function modelPage(model: Model, path: string): string {
  const { classes, training } = model;
  const means = 'means' in model ? (model.means ?? null) : null;
  return documentOf({
    title: `${basename(path)}: ${classes.length === 2 ? `${classes[1]} or ${classes[0]}` : counted(classes.length, 'class', 'classes')}`,
    subtitle: `A model of the rule ${ruleOf(model)}, trained on ${counted(training.examples, 'row')}`,
    tiles: [],
    sections: [
      curveSection(model, means),
      sectionOf('The model', '', [...featureCards(model), ...readingCards(model)]),
    ],
    footer: 'halfspace inspect. The same model gives the same page.',
  });
}
