/** Real sockets that hold connections without using them. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { boundConnections, connectionTimes } from '../../../collector/http/connections.ts';
import { exampleEvents } from '../support/events.ts';
import { batchType, ledgerHomes } from '../support/ledger.ts';

const homes = ledgerHomes();
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function open(port: number, sent = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (sent !== '') socket.write(sent);
  return socket;
}

const portOf = (address: string): number => Number(new URL(address).port);
const listen = { host: '127.0.0.1', port: 0 };
const slowHead = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\nX-';
const slowBody = slowPost('/v1/events', batchType);

/** A request whose body ends after one of its 100 characters. */
function slowPost(path: string, type: string): string {
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n`;
  return `${head}Content-Length: 100\r\n\r\n[`;
}

describe('a collector', () => {
  it.each([
    ['nothing', ''],
    ['half a head', slowHead],
    ['half a body', slowBody],
  ])('takes in and answers others while 400 connections that sent %s are held', async (_, sent) => {
    const ledger = await homes.open();
    const port = portOf(await ledger.app.listen(listen));
    for (let count = 0; count < 400; count++) await open(port, sent);
    const body = JSON.stringify(exampleEvents(1, 10));
    const answer = await fetch(`http://127.0.0.1:${port}/v1/events`, {
      method: 'POST',
      body,
      headers: { 'content-type': batchType },
    });
    expect(await answer.json()).toMatchObject({ accepted: 10 });
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
  });
});

describe('bounded connections', () => {
  /** Where nothing ends in time, a busy machine has all the time that it needs. */
  const unhurried = { headersTimeout: 600_000, requestTimeout: 600_000 };
  const hurried = { headersTimeout: 200, requestTimeout: 400 };

  async function served(max: number, times = unhurried) {
    const app = Fastify({
      http: { ...connectionTimes, ...times, connectionsCheckingInterval: 50 },
      requestTimeout: times.requestTimeout,
    });
    boundConnections(app.server, max);
    const release = Promise.withResolvers<string>();
    let requests = 0;
    app.get('/slow', () => {
      requests += 1;
      return release.promise;
    });
    app.get('/fast', async () => 'fast');
    app.post('/take', async () => 'taken');
    return {
      app,
      port: portOf(await app.listen(listen)),
      release: () => release.resolve('slow'),
      underWay: () => requests,
    };
  }

  it('never cut one whose answer is being made, and refuse a new one if all are such', async () => {
    const { app, port, release, underWay } = await served(3);
    try {
      const slow = [1, 2, 3].map(() =>
        fetch(`http://127.0.0.1:${port}/slow`).then((answer) => answer.text()),
      );
      await expect.poll(underWay).toBe(3);
      await expect(fetch(`http://127.0.0.1:${port}/fast`)).rejects.toThrow();
      release();
      expect(await Promise.all(slow)).toEqual(['slow', 'slow', 'slow']);
      expect(await (await fetch(`http://127.0.0.1:${port}/fast`)).text()).toBe('fast');
    } finally {
      await app.close();
    }
  });

  it('close those that never asked before one that has just been answered', async () => {
    const { app, port } = await served(3);
    try {
      const asks = await open(port);
      const silent = await open(port);
      await open(port);
      asks.write('GET /fast HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await once(asks, 'data');
      silent.resume();
      await Promise.all([open(port), Promise.race([once(asks, 'close'), once(silent, 'close')])]);
      expect({ asks: asks.closed, silent: silent.closed }).toEqual({ asks: false, silent: true });
    } finally {
      for (const socket of sockets) socket.destroy();
      await app.close();
    }
  });

  it.each([
    ['a head', 'GET /fast HTTP/1.1\r\nHost: localhost\r\nX-'],
    ['a body', slowPost('/take', 'text/plain')],
    ['nothing', ''],
  ])('end in time without all of a request: %s', async (_, sent) => {
    const { app, port } = await served(100, hurried);
    try {
      const socket = await open(port, sent);
      socket.resume();
      await once(socket, 'close');
    } finally {
      await app.close();
    }
  });
});

it('a body has all the time of its limit, which Node swaps with that of the headers', async () => {
  const ledger = await homes.open();
  const { headersTimeout, requestTimeout } = ledger.app.server;
  expect({ headersTimeout, requestTimeout }).toEqual({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
  });
});
