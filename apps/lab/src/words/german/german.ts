import type { Catalogue } from '../catalogue.ts';
import { algorithm } from './algorithm.ts';
import { data } from './data.ts';
import { dialogs } from './dialogs.ts';
import { engine } from './engine.ts';
import { figures } from './figures.ts';
import { page } from './page.ts';
import { proof } from './proof.ts';
import { spaces } from './spaces.ts';
import { state } from './state.ts';
import { terms } from './terms.ts';
import { theorem } from './theorem.ts';
import { verdict } from './verdict.ts';

/** The German catalogue. Decimals keep their point, as in formulas and files. */
export const german: Catalogue = {
  ...algorithm,
  ...data,
  ...dialogs,
  ...engine,
  ...figures,
  ...page,
  ...proof,
  ...spaces,
  ...state,
  ...terms,
  ...theorem,
  ...verdict,
};
