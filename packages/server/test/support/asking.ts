import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
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

interface DescribedAnswer {
  readonly content?: Record<string, { schema: object }>;
  readonly headers?: Record<string, { schema: object }>;
}

export interface Document {
  readonly components: object;
  readonly paths: Record<string, Record<string, { responses: Record<string, DescribedAnswer> }>>;
}

/** Headers of HTTP itself, which a document does not describe. */
const ofHttp = /^(connection|keep-alive|date|content-(type|length)|transfer-encoding|vary|access-control-.*|allow)$/;

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
/** Headers that only some services and refusals have. */
const sometimes = /^x-ratelimit-|^www-authenticate$/;

/** Returns a function that fails if an answer is not what a document says of its path, method, status, headers and type. */
export function checkedBy(document: Document): (method: string, url: string, answered: Answered) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const compiled = new Map<object, ValidateFunction>();
  const isValid = (schema: object, value: unknown) => {
    const validate = compiled.get(schema) ?? ajv.compile({ ...schema, components: document.components });
    compiled.set(schema, validate);
    expect({ valid: validate(value), errors: validate.errors, value }).toMatchObject({ valid: true });
  };
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const problem = ref('Problem');
  const inLine = {
    anyOf: [
      ref('Prediction'),
      ref('Learned'),
      { type: 'object', properties: { problem: problem }, required: ['problem'] },
    ],
  };
  return (method, url, { status, headers, text, json }) => {
    const path = url.split('?')[0]!;
    const template = Object.keys(document.paths).find((each) =>
      new RegExp(`^${each.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
    const operation = template === undefined ? undefined : document.paths[template]![method.toLowerCase()];
    if (operation === undefined) {
      if (path !== '/openapi.json') isValid(problem, json);
      return;
    }
    const response = operation.responses[status];
    expect(response, `${method} ${path} may answer ${status}`).toBeDefined();
    const described = response!.headers ?? {};
    for (const name of Object.keys(headers).filter((each) => !ofHttp.test(each)))
      expect(described, `headers of ${method} ${path}, ${status}`).toHaveProperty([name]);
    for (const [name, { schema }] of Object.entries(described)) {
      const value = headers[name];
      if (value === undefined) expect(name, `headers of ${method} ${path}, ${status}`).toMatch(sometimes);
      else isValid(schema, String(value));
    }
    if (response!.content === undefined) {
      expect(text).toBe('');
      return;
    }
    const content = response!.content[typeOf(headers)];
    expect(content, `${method} ${path} may answer ${status} by ${typeOf(headers)}`).toBeDefined();
    if (!Array.isArray(json)) isValid(content!.schema, json ?? text);
    else for (const line of json) isValid(inLine, line);
  };
}
