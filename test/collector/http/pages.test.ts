/** Pages of long rows, and slow readers. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { limits } from '@pi-ledger/contract';
import Fastify from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { addAnswersInHand, createAnswersInHand } from '../../../collector/http/answers-in-hand.ts';
import { fitPage, pageChars } from '../../../collector/http/cursor.ts';
import { addErrorAnswers } from '../../../collector/http/error-answer.ts';
import type { Ledger } from '../../../collector/roles/ledger.ts';
import { eventId, exampleEvent } from '../support/events.ts';
import { get, ledgerHomes } from '../support/ledger.ts';

const homes = ledgerHomes();
const events = 60;
const filler = 'x'.repeat(200_000);
const large = (number: number, options: object = {}) => ({
  ...exampleEvent({ number, data: { filler } }),
  ...options,
});
const ids = Array.from({ length: events }, (_, index) => eventId(index + 1));

/** More than two pages of them. */
async function largeLedger(options: object = {}): Promise<Ledger> {
  const ledger = await homes.open();
  for (let number = 1; number <= events; number++)
    await ledger.ingest.accept([large(number, options)]);
  return ledger;
}

/** A page may be longer by one row. */
const pageBytesMax = pageChars + limits.eventBytesMax + 1_000;

describe('a page of long rows ends early, and the next one goes on', () => {
  it('the log, as JSON', async () => {
    const ledger = await largeLedger();
    const found: string[] = [];
    for (let next: number | null = 0; next !== null; ) {
      const { text, json } = await get(ledger, `/v1/log?after=${next}&limit=1000`);
      expect(text.length).toBeLessThan(pageBytesMax);
      const page: { rows: { event: { id: string } }[]; next: number | null } = json();
      found.push(...page.rows.map(({ event }) => event.id));
      next = page.next;
    }
    expect(found).toEqual(ids);
  });

  it('the log, as NDJSON', async () => {
    const ledger = await largeLedger();
    const found: { position: number; event: { id: string } }[] = [];
    for (let page = null; page !== ''; ) {
      page = (
        await get(ledger, `/v1/log?format=ndjson&after=${found.at(-1)?.position ?? 0}&limit=1000`)
      ).text;
      expect(page.length).toBeLessThan(pageBytesMax);
      found.push(
        ...page
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line)),
      );
    }
    expect(found.map(({ event }) => event.id)).toEqual(ids);
  });

  it('dead letters', async () => {
    const ledger = await largeLedger({ type: 'pi.unheard.of.v1' });
    const found: number[] = [];
    let cursor = '';
    do {
      const { text, json } = await get(ledger, `/v1/dead-letters?limit=1000${cursor}`);
      expect(text.length).toBeLessThan(2 * pageBytesMax);
      found.push(...json().rows.map(({ id }: { id: number }) => id));
      cursor = json().next === null ? '' : `&cursor=${json().next}`;
    } while (cursor !== '');
    expect(found).toEqual(ids.map((_, index) => index + 1));
  });

  it('any list: with as many rows as fit, at least one, and the cursor of the last', async () => {
    const places = [1, 2, 3];
    const long = { text: 'x'.repeat(pageChars) };
    const pageOf = (rows: readonly object[]) =>
      fitPage({ rows, places: places.slice(0, rows.length), next: 'end' }, String);
    expect(await pageOf([{}, {}, {}])).toEqual({ rows: [{}, {}, {}], next: 'end' });
    expect(await pageOf([long, {}, {}])).toEqual({ rows: [long], next: '1' });
    expect(await pageOf([{}, long, {}])).toEqual({ rows: [{}], next: '1' });
    expect(await pageOf([{}, {}, long])).toEqual({ rows: [{}, {}], next: '2' });
    expect(await pageOf([long])).toEqual({ rows: [long], next: 'end' });
  });
});

describe('readers that do not read', () => {
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  /** Sends a request, reads only the first bytes of the answer, and returns its status. */
  async function ask(port: number, path: string, localAddress = '127.0.0.1'): Promise<string> {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await once(socket, 'readable');
    return String(socket.read(12)).slice(-3);
  }

  /** All of `/large` arrives. */
  async function readsWhole(socket: Socket): Promise<void> {
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    await expect.poll(() => bytes).toBeGreaterThan(20 * 1024 * 1024);
  }

  const asPage = { headers: { 'sec-fetch-site': 'same-origin' } };
  const portOf = (address: string): number => Number(new URL(address).port);

  /** Two of its large answers may be unread at a time. */
  async function withLargeAnswers(
    stalledMs: number,
    work: (port: number) => Promise<void>,
  ): Promise<void> {
    const app = Fastify();
    addErrorAnswers(app);
    addAnswersInHand(app, createAnswersInHand({ bytesMax: 48 * 1024 * 1024, stalledMs }));
    app.get('/large', async () => 'x'.repeat(20 * 1024 * 1024));
    app.get('/larger', async () => 'x'.repeat(39 * 1024 * 1024));
    app.get('/small', async () => 'x');
    try {
      await work(portOf(await app.listen({ host: '127.0.0.1', port: 0 })));
    } finally {
      for (const socket of sockets.splice(0)) socket.destroy();
      await app.close();
    }
  }

  it('of the log hold a slice each, up to a number of slow readers', async () => {
    const ledger = await largeLedger();
    const port = portOf(await ledger.app.listen({ host: '127.0.0.1', port: 0 }));
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => ask(port, '/v1/log?limit=1000')),
    );
    // A socket's buffers may hold a whole page: its reader is then finished.
    expect(answers.filter((status) => status === '200').length).toBeGreaterThanOrEqual(64);
    expect(answers).toContain('503');
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
    for (const socket of sockets.splice(0)) socket.destroy();
    await expect
      .poll(async () => (await fetch(`http://127.0.0.1:${port}/v1/log?limit=1`)).status)
      .toBe(200);
  });

  it('of other large answers are bounded by their bytes', async () => {
    await withLargeAnswers(600_000, async (port) => {
      const answers = [
        await ask(port, '/large'),
        await ask(port, '/large'),
        await ask(port, '/large'),
        await ask(port, '/small'),
      ];
      expect(answers).toEqual(['200', '200', '503', '200']);
    });
  });

  it('of one who holds the most make room for others, the oldest first', async () => {
    await withLargeAnswers(600_000, async (port) => {
      await ask(port, '/large');
      await ask(port, '/large');
      const [oldest, newer] = sockets;
      // A page is another caller than a program.
      const other = await fetch(`http://127.0.0.1:${port}/large`, asPage);
      expect([other.status, (await other.text()).length]).toEqual([200, 20 * 1024 * 1024]);
      oldest?.resume();
      await expect.poll(() => oldest?.closed).toBe(true);
      expect(newer?.closed).toBe(false);
      expect(await ask(port, '/large')).toBe('200');
      expect(await ask(port, '/large')).toBe('503');
    });
  });

  it('lose nothing for an answer that is refused all the same', async () => {
    await withLargeAnswers(600_000, async (port) => {
      await ask(port, '/large');
      await ask(port, '/large');
      expect((await fetch(`http://127.0.0.1:${port}/larger`, asPage)).status).toBe(503);
      for (const socket of sockets) await readsWhole(socket);
    });
  });

  it('lose nothing to one who holds more, as page and program together', async () => {
    await withLargeAnswers(600_000, async (port) => {
      await ask(port, '/large', '127.0.0.2');
      await ask(port, '/large');
      expect((await fetch(`http://127.0.0.1:${port}/large`, asPage)).status).toBe(503);
      for (const socket of sockets) await readsWhole(socket);
    });
  });

  it('of other large answers are cut off after a while', async () => {
    await withLargeAnswers(200, async (port) => {
      await ask(port, '/large');
      await ask(port, '/large');
      await expect
        .poll(async () => (await fetch(`http://127.0.0.1:${port}/large`)).status)
        .toBe(200);
    });
  });

  it('that left before their answer was made hold nothing', async () => {
    const app = Fastify();
    addErrorAnswers(app);
    addAnswersInHand(app, createAnswersInHand({ bytesMax: 48 * 1024 * 1024 }));
    let [asked, made] = [0, 0];
    app.get('/late', async ({ raw }) => {
      asked += 1;
      if (asked <= 3) await once(raw.socket, 'close');
      return 'x'.repeat(20 * 1024 * 1024);
    });
    app.addHook('onSend', async () => {
      made += 1;
    });
    try {
      const port = portOf(await app.listen({ host: '127.0.0.1', port: 0 }));
      for (let left = 1; left <= 3; left++) {
        const socket = connect(port, '127.0.0.1');
        socket.write('GET /late HTTP/1.1\r\nHost: localhost\r\n\r\n');
        await expect.poll(() => asked).toBe(left);
        socket.destroy();
        await expect.poll(() => made).toBe(left);
      }
      const answer = await fetch(`http://127.0.0.1:${port}/late`);
      expect([answer.status, (await answer.text()).length]).toEqual([200, 20 * 1024 * 1024]);
    } finally {
      await app.close();
    }
  });

  it('one who reads page after page is never refused', async () => {
    const ledger = await homes.open();
    for (let page = 0; page < 200; page++) expect((await get(ledger, '/v1/log')).status).toBe(200);
  });
});
