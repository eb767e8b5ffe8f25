import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, createApp } from '../../src/http/app.ts';
import { naiveModels } from '../support/naive-models.ts';

let app: App;
beforeAll(async () => {
  app = await createApp(naiveModels(), { version: '1.2.3' });
});
afterAll(() => app.close());

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

describe('/openapi.json', () => {
  test('is a valid document of OpenAPI 3.1, whose references lead somewhere', async () => {
    const { body } = await app.inject({ url: '/openapi.json' });
    const document = JSON.parse(body);
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    const references = [...body.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name!);
    expect(references.length).toBeGreaterThan(20);
    for (const name of references) expect(Object.keys(document.components.schemas)).toContain(name);
    expect(body).not.toContain('def-');
    expect(document.info).toMatchObject({ title: 'halfspace', version: '1.2.3' });
  });

  test('describes every route with its errors', async () => {
    const { paths } = (await app.inject({ url: '/openapi.json' })).json() as {
      paths: Record<string, Record<string, Operation>>;
    };
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining([
        '/livez',
        '/readyz',
        '/metrics',
        '/v1/models',
        ...['', '/model', '/state', '/predict', '/explain', '/learn', '/feedback'].map(
          (end) => `/v1/models/{name}${end}`,
        ),
      ]),
    );
    for (const [path, operations] of Object.entries(paths))
      for (const [method, { responses }] of Object.entries(operations))
        expect({ path, method, statuses: Object.keys(responses) }).toEqual({
          path,
          method,
          statuses: expect.arrayContaining(['400', '403', '500', ...(path.includes('{name}') ? ['401', '404'] : [])]),
        });
  });

  test('tells that a body is too large wherever one is read', async () => {
    const { paths } = (await app.inject({ url: '/openapi.json' })).json() as {
      paths: Record<string, Record<string, Operation>>;
    };
    const small = await createApp(naiveModels(), {
      limits: { body: 1024, routes: { '/v1/models/{name}': { body: 1024 } } },
    });
    for (const [path, operations] of Object.entries(paths))
      for (const [method, { responses }] of Object.entries(operations)) {
        const { statusCode } = await small.inject({
          method: method.toUpperCase() as 'POST',
          url: path.replaceAll(/\{\w+\}/g, 'm'),
          headers: { 'content-type': 'application/json' },
          payload: 'x'.repeat(1025),
        });
        expect({ path, method, isTold: '413' in responses }).toEqual({ path, method, isTold: statusCode === 413 });
      }
    await small.close();
  });

  test('asks for a body wherever one is needed, and for lines only where they are read', async () => {
    const { paths } = app.swagger() as {
      paths: Record<string, Record<string, { requestBody?: { content: Record<string, object> } }>>;
    };
    const found: string[] = [];
    for (const [path, operations] of Object.entries(paths))
      for (const [method, { requestBody }] of Object.entries(operations)) {
        if (requestBody === undefined) continue;
        const ask = async (more: object) => {
          const url = path.replaceAll(/\{\w+\}/g, 'm');
          const { statusCode, body } = await app.inject({ method: method.toUpperCase() as 'POST', url, ...more });
          return `${statusCode} ${JSON.parse(body).code}`;
        };
        expect(await ask({}), path).toBe('400 body-malformed');
        const lines = await ask({ headers: { 'content-type': 'application/x-ndjson' }, payload: '{}' });
        const isRead = 'application/x-ndjson' in requestBody.content;
        expect(lines, path).toBe(isRead ? '404 model-unknown' : '415 media-type-unknown');
        if (isRead) found.push(path);
      }
    expect(found).toEqual(['/v1/models/{name}/predict', '/v1/models/{name}/learn']);
  });
});
