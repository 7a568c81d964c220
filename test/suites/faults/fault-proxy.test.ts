/** The proxy that the fault harness puts in front of servers, against a real server. */
import { once } from 'node:events';
import { createServer as createHttpServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { dice } from '../../hosts/support/machine/dice.ts';
import { freePort } from '../../hosts/support/machine/ports.ts';
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface Served {
  readonly proxy: FaultProxy;
  readonly port: number;
  /** Bodies in the order in which the server had them. */
  readonly had: string[];
  /** Until it is called, the server answers nothing. */
  answer(): void;
}

const isPost = (chunk: Buffer): boolean => chunk.includes('POST /');

async function serve({ isHeld = false } = {}): Promise<Served> {
  const had: string[] = [];
  const { promise: allowed, resolve: answer } = Promise.withResolvers<void>();
  if (!isHeld) answer();
  const server = createHttpServer(async (incoming, reply) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    had.push(body);
    await allowed;
    reply.setHeader('connection', 'close').end(`had ${body}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxy = await startFaultProxy({ port, isRequest: isPost });
  closing.push(
    () => new Promise((resolve) => server.close(resolve)),
    async () => server.closeAllConnections(),
    proxy.close,
  );
  return { proxy, port, had, answer };
}

/** The answer, or the code of what went wrong. */
function post({ proxy }: Served, body: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const sent = request({ port: proxy.port, method: 'POST', agent: false }, async (answer) => {
    let text = '';
    for await (const chunk of answer) text += chunk;
    resolve(text);
  });
  sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
  sent.end(body);
  return promise;
}

it('passes on what is sent and answered, late too', async () => {
  const served = await serve();
  expect(await post(served, 'one')).toBe('had one');
  served.proxy.slow(30);
  expect(await post(served, 'two')).toBe('had two');
  expect(served.proxy.counts()).toMatchObject({ requests: 2, unanswered: 0, answersLost: 0 });
});

it('loses an answer after the server has had the request', async () => {
  const served = await serve();
  const lost = served.proxy.loseAnswerTo(isPost);
  expect(await post(served, 'one')).toBe('ECONNRESET');
  await lost;
  expect(served.had).toEqual(['one']);
  expect(await post(served, 'two')).toBe('had two');
});

it('says how many requests are in flight, and which stayed without an answer', async () => {
  const served = await serve({ isHeld: true });
  const answers = [post(served, 'one'), post(served, 'two')];
  await expect.poll(() => served.had.length).toBe(2);
  expect(served.proxy.inFlight()).toBe(2);
  served.proxy.cut();
  expect(await Promise.all(answers)).toEqual(['ECONNRESET', 'ECONNRESET']);
  await expect.poll(() => served.proxy.counts().unanswered).toBe(2);
  expect(served.proxy.inFlight()).toBe(0);
});

it('counts no request while the server is away, and passes on when it is back', async () => {
  const served = await serve();
  const away = await freePort();
  served.proxy.retarget(away);
  expect(await post(served, 'one')).toBe('ECONNRESET');
  expect(served.proxy.counts()).toMatchObject({ requests: 0, unanswered: 0 });
  served.proxy.retarget(served.port);
  expect(await post(served, 'two')).toBe('had two');
});

it('keeps connections that hang, until it resumes', async () => {
  const served = await serve();
  served.proxy.hang();
  const answer = post(served, 'one');
  await sleep(50);
  expect(served.had).toEqual([]);
  served.proxy.resume();
  expect(await answer).toBe('had one');
});

it('delivers again what it delivered before', async () => {
  const served = await serve();
  expect(served.proxy.deliverAgain(dice('again', 1))).toBe(false);
  await post(served, 'one');
  await expect.poll(() => served.proxy.deliverAgain(dice('again', 1))).toBe(true);
  await expect.poll(() => served.had).toEqual(['one', 'one']);
});

it('draws the same weather from the same seed', async () => {
  const outcomes = async (seed: number): Promise<readonly string[]> => {
    const served = await serve();
    const draws = dice('weather', seed);
    const chances = { delayMsMax: 2, cutChance: 0.3, loseAnswerChance: 0.3 };
    served.proxy.setWeather({ dice: draws, ...chances });
    const answers: string[] = [];
    for (let number = 0; number < 12; number += 1) {
      const before = served.proxy.counts();
      const answer = await post(served, `${number}`);
      const { cut, answersLost } = served.proxy.counts();
      answers.push(cut > before.cut ? 'cut' : answersLost > before.answersLost ? 'lost' : answer);
    }
    return answers;
  };
  const first = await outcomes(7);
  expect(new Set(first.map((answer) => answer.slice(0, 3)))).toEqual(
    new Set(['cut', 'los', 'had']),
  );
  expect(await outcomes(7)).toEqual(first);
  expect(await outcomes(8)).not.toEqual(first);
});
