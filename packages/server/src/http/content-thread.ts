// A thread that reads what a model shall be.
import { parentPort, workerData } from 'node:worker_threads';
import { readContent } from '../models/read-content.ts';
import { contentOf, type GivenContent, type ToldContent } from './given-content.ts';
import { refusalOf } from './problem.ts';

const given = workerData as GivenContent;
const answer = told();
parentPort!.postMessage(answer, [...buffersIn(answer)]);

function told(): ToldContent {
  try {
    return { content: readContent(contentOf(given), given.name) };
  } catch (error) {
    const refusal = refusalOf(error);
    // It ends the thread, and is told.
    if (refusal.code === 'fault') throw error;
    const { status, code, message, headers, where } = refusal;
    return { refused: { status, code, message, headers, ...(where === undefined ? {} : { where }) } };
  }
}

/** Returns the memory of the arrays of numbers in plain data. It is handed over, and not copied. */
function buffersIn(value: unknown, into = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) into.add(value.buffer as ArrayBuffer);
  else if (typeof value === 'object' && value !== null)
    for (const member of Array.isArray(value) ? value : Object.values(value)) buffersIn(member, into);
  return into;
}
