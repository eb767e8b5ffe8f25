// A worker, as in an edge runtime: answers a request with the answers of every model.
import { answers } from './answers.mjs';

export default {
  async fetch() {
    return new Response(`${(await answers()).join('\n')}\n`);
  },
};
