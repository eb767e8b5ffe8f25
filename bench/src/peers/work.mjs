import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { benchFolder } from '../run/process.mjs';

/**
 * The file of the model that the contender `name` learns from `train`: beside the data, so that runs on other data
 * never meet.
 *
 * @param {string} train relative to the bench folder, as the result is
 */
export function modelFile(train, name, suffix) {
  const folder = `${dirname(train)}/models`;
  mkdirSync(join(benchFolder, folder), { recursive: true });
  return `${folder}/${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}${suffix}`;
}

export function bytesOf(file) {
  return readFileSync(join(benchFolder, file));
}

/**
 * The share of lines of `predictions` whose sign is that of the label that begins the same line of `data`.
 *
 * @param {Buffer} data examples as text, the label first
 * @param {Buffer} predictions one number per line
 */
export function signAgreement(data, predictions) {
  let right = 0;
  let lines = 0;
  let at = 0;
  for (const score of predictions.toString('latin1').trimEnd().split('\n')) {
    const label = Number.parseFloat(data.toString('latin1', at, at + 8));
    if (Number.parseFloat(score) > 0 === label > 0) right++;
    lines++;
    at = data.indexOf(10, at) + 1;
  }
  return right / lines;
}
