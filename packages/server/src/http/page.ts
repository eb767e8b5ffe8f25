import type { FastifyInstance } from 'fastify';
import { answerFile } from '../static/answer.ts';
import { pageFiles } from '../static/page-files.ts';
import { securityHeaders } from '../static/security-headers.ts';
import { packedFiles } from '../static/static-file.ts';

const files = packedFiles(pageFiles);
const headers = securityHeaders();

/** Adds the page at `/` and its files. They need no key: the page asks for one and sends it with what it asks. */
export function addPage(app: FastifyInstance): void {
  for (const [url, file] of files) {
    if (url === '/index.html') continue;
    app.get(url, { schema: { hide: true } }, async (request, reply) => {
      const { status, headers: own, body } = await answerFile(file, request.headers);
      return reply
        .code(status)
        .headers(headers)
        .headers(own)
        .send(body ?? undefined);
    });
  }
}
