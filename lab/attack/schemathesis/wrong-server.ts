/** A server that breaks its own document, each path in another way. */

const answer = (schema: object) => ({
  200: { description: 'ok', content: { 'application/json': { schema } } },
  '4xx': { description: 'refused' },
});
const fine = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
const limit = {
  ...{ name: 'limit', in: 'query', required: true },
  schema: { type: 'integer', minimum: 1, maximum: 9 },
};
const needsToken = { security: [{ token: [] }] };
const paths = ['/error', '/status', '/type', '/schema', '/lenient', '/open'] as const;
type Path = (typeof paths)[number];

/** As Schemathesis names them. */
const faults: Readonly<Record<Path, string>> = {
  '/error': 'Server error',
  '/status': 'Undocumented status code',
  '/type': 'Undocumented Content-Type',
  '/schema': 'Response violates schema',
  '/lenient': 'Schema-violating request accepted',
  '/open': 'API accepts requests without authentication',
};

export const wrongDocument = {
  faults,
  text: JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'wrong', version: '1' },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths: Object.fromEntries(
      paths.map((path) => [
        path,
        {
          get: {
            responses: answer(fine),
            ...(path === '/lenient' ? { parameters: [limit] } : {}),
            ...(path === '/open' ? needsToken : {}),
          },
        },
      ]),
    ),
  }),
};

type Answer = readonly [status: number, contentType: string, body: string];

export function wrongAnswers(url: string): Answer {
  const good: Answer = [200, 'application/json', '{"ok":true}'];
  if (url === '/openapi.json') return [200, 'application/json', wrongDocument.text];
  if (url.startsWith('/error')) return [500, 'application/json', '{}'];
  if (url.startsWith('/status')) return [202, 'application/json', '{"ok":true}'];
  if (url.startsWith('/type')) return [200, 'text/plain', 'ok'];
  if (url.startsWith('/schema')) return [200, 'application/json', '{"ok":"yes"}'];
  return good;
}
