import type { LiveLine } from '@pi-ledger/contract/answers';
import { afterEach, describe, expect, it } from 'vitest';
import { openLedger, startCollector } from '../../../../collector/main.ts';
import { eventually } from '../../../support/eventually.ts';
import { errorsIn } from '../../support/contract-check.ts';
import { batchType, ledgerHomes } from '../../support/ledger.ts';
import { servedCollectors } from '../../support/served.ts';
import { adas, bobs } from '../../support/two-people.ts';
import { sessionEvents } from '../../support/work.ts';

const homes = ledgerHomes();
const served = servedCollectors();
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function start(config = homes.config()) {
  const collector = await startCollector(config);
  ends.push(collector.stop);
  return collector;
}

interface Followed {
  readonly status: number;
  readonly headers: Headers;
  readonly lines: readonly LiveLine[];
  isOver(): boolean;
  close(): void;
}

function follow(url: string, token?: string, query = ''): Promise<Followed> {
  return followAs(url, token === undefined ? {} : { authorization: `Bearer ${token}` }, query);
}

async function followAs(
  url: string,
  headers: Readonly<Record<string, string>>,
  query = '',
): Promise<Followed> {
  const closing = new AbortController();
  ends.push(async () => closing.abort());
  const answer = await fetch(`${url}/v1/live${query}`, {
    signal: closing.signal,
    headers,
  });
  const lines: LiveLine[] = [];
  let isOver = false;
  const read = async (): Promise<void> => {
    let rest = '';
    for await (const text of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const whole = (rest + text).split('\n');
      rest = whole.pop() ?? '';
      for (const line of whole) lines.push(JSON.parse(line));
    }
    isOver = true;
  };
  read().catch(() => {
    isOver = true;
  });
  return {
    status: answer.status,
    headers: answer.headers,
    lines,
    isOver: () => isOver,
    close: () => closing.abort(),
  };
}

function until(check: () => void): Promise<void> {
  return eventually(check);
}

async function send(url: string, events: readonly object[], token?: string): Promise<void> {
  const answer = await fetch(`${url}/v1/events`, {
    method: 'POST',
    body: JSON.stringify(events),
    headers: {
      'content-type': batchType,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  });
  expect(await answer.json()).toMatchObject({ accepted: events.length, rejected: [] });
}

let sessions = 0;
function work(project: string) {
  sessions += 1;
  const id = `live-${sessions}`;
  const turns = [{ time: '2026-11-16T09:05:00.000Z', nanoUsd: 5_000 }];
  return {
    id,
    events: sessionEvents({ id, project, startedAt: '2026-11-16T09:00:00.000Z', turns }),
  };
}

/** Of all lines, each once. */
function told(lines: readonly LiveLine[]) {
  const all = lines.flatMap((line) => line.sessions ?? []);
  return new Map(all.map(({ id, project }) => [id, project]));
}

describe('a stream of what changes', () => {
  it('says where the views stand, then what they committed, as it happens', async () => {
    const { url } = await start();
    const { headers, lines } = await follow(url);
    expect(headers.get('content-type')).toContain('application/x-ndjson');
    expect(headers.get('cache-control')).toBe('no-store');
    await until(() => expect(lines).toEqual([{ position: 0 }]));
    const [first, second] = [work('shop'), work('blog')];
    await send(url, first.events);
    await until(() => expect(told(lines)).toEqual(new Map([[first.id, 'shop']])));
    await send(url, second.events);
    await until(() => expect(told(lines).get(second.id)).toBe('blog'));
    const positions = lines.map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(positions.at(-1)).toBe(first.events.length + second.events.length);
    expect(lines.flatMap((line) => errorsIn('GET /v1/live', line))).toEqual([]);
  });

  it('goes on where a reader was, and says what it missed', async () => {
    const { url } = await start();
    const [before, missed] = [work('shop'), work('blog')];
    await send(url, before.events);
    const first = await follow(url);
    await until(() => expect(first.lines.at(-1)?.position).toBe(before.events.length));
    await send(url, missed.events);
    // Once it is in the views: else a line says first where they stand.
    const head = before.events.length + missed.events.length;
    await until(() => expect(first.lines.at(-1)?.position).toBe(head));
    first.close();
    const again = await follow(url, undefined, `?after=${before.events.length}`);
    await until(() => expect(told(again.lines)).toEqual(new Map([[missed.id, 'blog']])));
    expect(again.lines[0]).toMatchObject({ position: head, more: false });
  });

  it('says where the views stand to who heard of a later position in another store', async () => {
    const { url } = await start();
    const { lines } = await follow(url, undefined, '?after=4000');
    await until(() => expect(lines).toEqual([{ position: 0 }]));
  });

  it('names 50 sessions of many, and says that there are more', async () => {
    const { url } = await start();
    const { lines } = await follow(url);
    await until(() => expect(lines).toHaveLength(1));
    await send(url, Array.from({ length: 60 }, () => work('shop').events).flat());
    await until(() => expect(lines.some(({ more }) => more === true)).toBe(true));
    for (const line of lines) expect(line.sessions?.length ?? 0).toBeLessThanOrEqual(50);
  });

  it('ends when the collector stops, which does not wait for it', async () => {
    const collector = await start();
    const streams = [await follow(collector.url), await follow(collector.url)];
    await until(() => expect(streams.map(({ lines }) => lines.length)).toEqual([1, 1]));
    await collector.stop();
    await until(() => expect(streams.map((stream) => stream.isOver())).toEqual([true, true]));
  });

  it('is one of 16 to an address; who comes gets a place, and the oldest yields', async () => {
    const { url } = await start();
    const oldest = await follow(url);
    const others = await Promise.all(Array.from({ length: 16 }, () => follow(url)));
    const statuses = [oldest, ...others].map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: 17 }, () => 200));
    await until(() => expect(oldest.isOver()).toBe(true));
    expect(others.some((stream) => stream.isOver())).toBe(false);
  });

  it.each([
    ['by its name', () => 'greedy', true],
    // The other program is then one of many, and the oldest.
    ['by many names', (count: number) => `greedy ${count}`, false],
  ])('of the page stays, whatever one program opens, %s', async (_how, nameOf, staysOther) => {
    const { url } = await start();
    const page = await followAs(url, { 'sec-fetch-site': 'same-origin', 'user-agent': 'browser' });
    const other = await followAs(url, { 'user-agent': 'another program' });
    const many = Array.from({ length: 40 }, (_, count) =>
      followAs(url, { 'user-agent': nameOf(count) }),
    );
    for (const { status } of await Promise.all(many)) expect(status).toBe(200);
    const late = await followAs(url, { 'sec-fetch-site': 'same-origin', 'user-agent': 'browser' });
    const { id, events } = work('shop');
    await send(url, events);
    for (const { lines } of [page, late]) await until(() => expect(told(lines).has(id)).toBe(true));
    if (staysOther) await until(() => expect(told(other.lines).has(id)).toBe(true));
  });

  it('is asked for by GET, with a position or without', async () => {
    const { url } = await start();
    expect((await fetch(`${url}/v1/live`, { method: 'HEAD' })).status).toBe(404);
    expect((await fetch(`${url}/v1/live?after=x`)).status).toBe(400);
  });
});

it('a collector that does not fold tells what the other one folded', async () => {
  const config = homes.config();
  const leader = await start(config);
  const standby = await openLedger(config);
  ends.push(standby.close);
  expect(standby.readOnly).toBe(true);
  const { lines } = await follow(await standby.app.listen({ host: '127.0.0.1', port: 0 }));
  await until(() => expect(lines).toEqual([{ position: 0 }]));
  const { id, events } = work('shop');
  await send(leader.url, events);
  await until(() => expect(told(lines)).toEqual(new Map([[id, 'shop']])));
});

describe('with tokens', () => {
  async function tokenFor(url: string, machineToken: string, limits: object) {
    const answer = await fetch(`${url}/v1/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${machineToken}` },
      body: JSON.stringify({ user: 'ada', scopes: ['read'], ...limits }),
    });
    const { token, id } = await answer.json();
    return { token: String(token), id: String(id) };
  }

  it('a reader hears only of what its token may see', async () => {
    const { collector, machineToken } = await served.start();
    const { url } = collector;
    const own = await tokenFor(url, machineToken, { onlyOwn: true });
    const shop = await tokenFor(url, machineToken, { projects: ['shop'] });
    const ofAda = await follow(url, own.token);
    const ofShop = await follow(url, shop.token);
    const ofAll = await follow(url, machineToken);
    await until(() => expect(ofAll.lines).toHaveLength(1));
    await send(url, [...bobs()], machineToken);
    await until(() => expect(told(ofAll.lines).has('bob-vault')).toBe(true));
    await send(url, [...adas], machineToken);
    await until(() => {
      expect(told(ofAll.lines).has('ada-blog')).toBe(true);
      expect(told(ofAda.lines).has('ada-blog')).toBe(true);
      expect(told(ofShop.lines).has('ada-shop')).toBe(true);
    });
    expect(JSON.stringify([ofAda.lines, ofShop.lines])).not.toContain('bob');
    expect(told(ofShop.lines).has('ada-blog')).toBe(false);
  });

  it('nobody follows without one, or with one that hides small groups', async () => {
    const { collector, machineToken } = await served.start({ minimumUsers: 3 });
    const { token } = await tokenFor(collector.url, machineToken, {});
    expect((await follow(collector.url)).status).toBe(401);
    expect((await follow(collector.url, token)).status).toBe(403);
  });
});
