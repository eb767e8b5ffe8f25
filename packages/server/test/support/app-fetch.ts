import type { FastifyInstance } from 'fastify';

/** Returns a `fetch` that asks an application without a network. */
export function fetchOf(app: FastifyInstance): typeof fetch {
  return async (input, init) => {
    const { method, url, headers } = new Request(input, init);
    init?.signal?.throwIfAborted();
    const { pathname, search } = new URL(url);
    const response = await app.inject({
      method: method as 'GET',
      url: pathname + search,
      headers: Object.fromEntries(headers),
      ...(init?.body == null ? {} : { payload: init.body as string }),
    });
    const answered = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as [string, string]);
    return new Response(response.statusCode === 204 ? null : response.body, {
      status: response.statusCode,
      headers: answered,
    });
  };
}
