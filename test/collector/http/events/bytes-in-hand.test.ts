import { batchContentType, limits } from '@pi-ledger/contract';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { machineCaller } from '../../../../collector/auth/access.ts';
import { addErrorAnswers } from '../../../../collector/http/error-answer.ts';
import { createBytesInHand } from '../../../../collector/http/events/bytes-in-hand.ts';
import { routes } from '../../../../collector/http/events/route.ts';
import type { Ingest } from '../../../../collector/ingest/ingest.ts';

/** A collector whose store answers on demand. */
async function withSlowStore() {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  let taken = 0;
  const accept: Ingest['accept'] = async () => {
    taken += 1;
    await answered;
    return { accepted: 0, duplicates: 0, expired: 0, rejected: [] };
  };
  const app = Fastify();
  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request) => {
    request.caller = machineCaller;
  });
  addErrorAnswers(app);
  await app.register(routes({ ingest: { accept } as unknown as Ingest }));
  const send = (payload: string) =>
    app
      .inject({
        method: 'POST',
        url: '/v1/events',
        headers: { 'content-type': batchContentType },
        payload,
      })
      .then((sent) => sent.statusCode);
  return { send, answer, taken: () => taken, close: () => app.close() };
}

const large = `[${' '.repeat(limits.bodyBytesMax - 2)}]`;

describe('bodies of events, many at once', () => {
  it('are refused beyond what memory holds, and accepted again when there is room', async () => {
    const { send, answer, taken, close } = await withSlowStore();
    const sent = Array.from({ length: 20 }, () => send(large));
    await expect.poll(taken).toBe(16);
    expect(await send('[]')).toBe(503);
    answer();
    const statuses = await Promise.all(sent);
    expect(statuses.filter((status) => status === 200)).toHaveLength(16);
    expect(statuses.filter((status) => status === 503)).toHaveLength(4);
    expect(await Promise.all(Array.from({ length: 16 }, () => send(large)))).toEqual(
      Array(16).fill(200),
    );
    await close();
  });

  it('that are refused no longer count', async () => {
    const { send, answer, close } = await withSlowStore();
    answer();
    for (let i = 0; i < 40; i++) expect(await send(`${large.slice(0, -1)}{`)).toBe(400);
    expect(await send(large)).toBe(200);
    await close();
  });
});

describe('what is in hand', () => {
  it('is what was taken and not yet released', () => {
    const bytesInHand = createBytesInHand(10);
    const [one, other] = [bytesInHand.open(), bytesInHand.open()];
    one.take(6);
    expect(() => other.take(5)).toThrow('try again');
    other.take(4);
    one.release();
    one.release();
    other.take(6);
    expect(() => other.take(1)).toThrow('try again');
  });
});
