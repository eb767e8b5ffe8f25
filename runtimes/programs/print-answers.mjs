// Prints the answers of every model in Node, Bun and Deno.
import { answers } from './answers.mjs';

console.log((await answers()).join('\n'));
