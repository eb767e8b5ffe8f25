import { drawn, drawRule } from '../scripts/rule-pictures.mjs';

/** Draws the pictures of all rules, by their names. */
export async function drawRulePictures(): Promise<Map<string, string>> {
  const pictures = new Map<string, string>();
  for (const name of Object.keys(drawn)) pictures.set(name, await drawRule(name));
  return pictures;
}
