import { namesIn } from './expression.ts';
import { ofSpace } from './quantities.ts';
import type { QuizPart } from './tour.ts';

/** Tests if the value of an expression depends on the place of the bias in R, γ and w*. */
export function dependsOnSpace(expression: string): boolean {
  return namesIn(expression).some((name) => ofSpace.includes(name.replace(/^.*\./, '')));
}

/** Returns the expressions that the right answer of a question is computed from. */
export function answersOf(quiz: QuizPart): readonly string[] {
  return quiz.kind === 'choice' ? quiz.options.map(({ right }) => right) : [quiz.answer];
}
