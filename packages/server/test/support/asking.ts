import { Ajv2020 } from 'ajv/dist/2020.js';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';

export interface Asked {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD';
  readonly url: string;
  /** An object is sent as JSON; a list of objects, as lines. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: LightMyRequestResponse['headers'];
  readonly text: string;
  /** The JSON of the answer, or the list of its lines. */
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it.
  readonly json: any;
}

/** Returns a function that asks an application, and checks every answer against the application's own document. */
export async function asking(app: FastifyInstance): Promise<(asked: Asked) => Promise<Answered>> {
  await app.ready();
  const check = checkedBy(app.swagger() as unknown as Document);
  return async ({ method = 'GET', url, body, headers = {} }) => {
    const isLines = Array.isArray(body);
    const sent = isLines ? body.map((line) => `${JSON.stringify(line)}\n`).join('') : body;
    const type = isLines ? 'application/x-ndjson' : 'application/json';
    const response = await app.inject({
      method,
      url,
      headers: { ...(body === undefined ? {} : { 'content-type': type }), ...headers },
      ...(sent === undefined ? {} : { payload: sent }),
    });
    const { statusCode: status, body: text } = response;
    const answered = { status, headers: response.headers, text, json: parsed(response) };
    if (method !== 'HEAD') check(method, url, answered);
    return answered;
  };
}

interface Document {
  readonly components: object;
  readonly paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >;
}

const typeOf = (headers: Answered['headers']) => String(headers['content-type'] ?? '').split(';')[0]!;

function parsed({ headers, body }: LightMyRequestResponse): unknown {
  const type = typeOf(headers);
  if (type === 'application/x-ndjson')
    return body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  return type.endsWith('json') ? JSON.parse(body) : undefined;
}

/** Returns a function that fails if an answer is not what a document says of its path, method, status and type. */
function checkedBy(document: Document): (method: string, url: string, answered: Answered) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const isValid = (schema: object, value: unknown) => {
    const validate = ajv.compile({ ...schema, components: document.components });
    expect({ valid: validate(value), errors: validate.errors, value }).toMatchObject({ valid: true });
  };
  const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const inLine = {
    anyOf: [
      named('Prediction'),
      named('Learned'),
      { type: 'object', properties: { problem: named('Problem') }, required: ['problem'] },
    ],
  };
  return (method, url, { status, headers, text, json }) => {
    const path = url.split('?')[0]!;
    const template = Object.keys(document.paths).find((each) =>
      new RegExp(`^${each.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
    const operation = template === undefined ? undefined : document.paths[template]![method.toLowerCase()];
    if (operation === undefined) {
      if (path !== '/openapi.json') isValid(named('Problem'), json);
      return;
    }
    const response = operation.responses[status] ?? operation.responses.default;
    expect(response, `${method} ${path} may answer ${status}`).toBeDefined();
    if (response!.content === undefined) return;
    const content = response!.content[typeOf(headers)];
    expect(content, `${method} ${path} may answer ${status} by ${typeOf(headers)}`).toBeDefined();
    if (!Array.isArray(json)) isValid(content!.schema, json ?? text);
    else for (const line of json) isValid(inLine, line);
  };
}
