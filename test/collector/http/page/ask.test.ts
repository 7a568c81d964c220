import Fastify, { type FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { requestOrigin } from '../../../../collector/http/origin.ts';
import { askRoute } from '../../../../collector/http/page/ask.ts';

it.each([
  ['page', 'same-origin'],
  ['page', 'none'],
  ['program', undefined],
])('what a %s asks for is asked by it (%s)', async (kind, site) => {
  const app = Fastify();
  app.get('/v1/kind', async (request) => requestOrigin(request).kind);
  app.addHook('onSend', async (_request, reply, payload) => {
    reply.type('application/json');
    return JSON.stringify(payload);
  });
  const headers = site === undefined ? {} : { 'sec-fetch-site': site };
  const request = { ip: '127.0.0.1', headers } as unknown as FastifyRequest;
  expect(await askRoute(app, request, '/v1/kind')).toEqual({ status: 200, body: `"${kind}"` });
});
