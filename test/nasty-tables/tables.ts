import { archiveTables } from './archives.ts';
import { arffTables } from './arff.ts';
import { dateTables } from './dates.ts';
import { encodingTables } from './encodings.ts';
import { fixedWidthTables } from './fixed-width.ts';
import { formTables } from './forms.ts';
import { headerTables } from './headers.ts';
import { identifierTables } from './identifiers.ts';
import { identityTables } from './identities.ts';
import { jsonShapeTables } from './json-shapes.ts';
import { kindTables } from './kinds.ts';
import { labelTables } from './labels.ts';
import { missingTables } from './missing.ts';
import { numberTables } from './numbers.ts';
import { printedTables } from './printed.ts';
import { quantityTables } from './quantities.ts';
import { setTables } from './sets.ts';
import { shapeTables } from './shapes.ts';
import type { NastyTable } from './table.ts';

/** All tables of the corpus. */
export const nastyTables: readonly NastyTable[] = [
  ...numberTables,
  ...quantityTables,
  ...dateTables,
  ...identityTables,
  ...identifierTables,
  ...kindTables,
  ...setTables,
  ...missingTables,
  ...headerTables,
  ...formTables,
  ...encodingTables,
  ...shapeTables,
  ...jsonShapeTables,
  ...arffTables,
  ...archiveTables,
  ...printedTables,
  ...fixedWidthTables,
  ...labelTables,
];
