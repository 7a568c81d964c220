/** Very many notices at once, or of one budget: each arrives or is named; none waits for others. */
import { expect, it } from 'vitest';
import type { StoredEvent } from '../../../../collector/log/stored-event.ts';
import { undelivered } from '../../../../collector/process/notices/deliveries.ts';
import { mailTarget } from '../../../../collector/process/notices/mail/target.ts';
import { createNotices } from '../../../../collector/process/notices/subscriber.ts';
import { webhookTarget } from '../../../../collector/process/notices/webhook/target.ts';
import { crossing, driven } from './support/crossings.ts';
import { startEndpoint, statuses } from './support/endpoint.ts';
import { startMailServer } from './support/mail-server.ts';

const hourMs = 3_600_000;
const stateBytesMax = 1024 * 1024;

function sending(url: URL) {
  return driven((options) => webhookTarget({ url, secret: null, format: 'json' }, options));
}

const over = (n: number, budget: string) =>
  crossing(n, { budget, from: 'warning', to: 'over', isFirst: true });
/** Up and down again, as often as somebody moves spend to and fro. */
const again = (n: number, budget: string, more: object = {}) =>
  crossing(n, { budget, from: 'ok', to: 'over', isFirst: false, ...more });

const ninety = Array.from({ length: 90 }, (_, index) => over(index + 1, `budget-${index + 1}`));

function idsIn(events: readonly StoredEvent[]): readonly string[] {
  return events.map(({ event }) => String(event.id)).toSorted();
}

it('90 at once arrive at a healthy webhook, each once', async () => {
  const { url, received } = await startEndpoint(statuses(200));
  const webhook = sending(url);
  await webhook.turn(...ninety);
  const ids = received.map(({ headers }) => String(headers['webhook-id']));
  expect(ids.toSorted()).toEqual(idsIn(ninety));
  expect(webhook.said).toEqual([]);
});

it('90 at once arrive by e-mail, once a server that was busy takes them', async () => {
  const { at, received } = await startMailServer({ answer: (n) => (n < 3 ? 451 : 250) });
  const route = { server: at, from: 'ledger@example.com', to: 'lead@example.com' };
  const mail = driven((options) => mailTarget(route, options));
  await mail.turn(...ninety);
  while ((await mail.deliveries()).some(({ status }) => status === 'waiting')) {
    mail.pass(1_000);
    await mail.turn();
  }
  const arrived = received.slice(3).map(({ headers }) => headers['message-id']?.slice(1, 37));
  expect(arrived.toSorted()).toEqual(idsIn(ninety));
});

it.each([
  ['down', (response: { destroy(): void }) => response.destroy()],
  ['busy', statuses(429)],
] as const)('90 at once wait for a webhook that is %s for an hour', async (_, refuse) => {
  let isBack = false;
  const taken = statuses(200);
  const { url, received } = await startEndpoint((response, n) =>
    isBack ? taken(response, n) : refuse(response, n),
  );
  const webhook = sending(url);
  await webhook.turn(...ninety);
  for (let minutes = 0; minutes < 60; minutes++) {
    webhook.pass(60_000);
    await webhook.turn();
  }
  isBack = true;
  received.length = 0;
  webhook.pass(hourMs / 4);
  await webhook.turn();
  const ids = received.map(({ headers }) => String(headers['webhook-id']));
  expect(ids.toSorted()).toEqual(idsIn(ninety));
});

it('who was never tried is not given up, however long nobody was there to send it', async () => {
  const { url, received } = await startEndpoint(statuses(503, 200));
  const webhook = sending(url);
  await webhook.turn(...ninety);
  webhook.pass(48 * hourMs);
  await webhook.turn();
  expect(received).toHaveLength(91);
});

it('a flood by one budget holds up no other, and takes nobody’s room', async () => {
  let isBack = false;
  const { url, received } = await startEndpoint((response) =>
    response.writeHead(isBack ? 200 : 503).end(),
  );
  const webhook = sending(url);
  const flood = Array.from({ length: 3_000 }, (_, index) => again(index + 1, 'noisy'));
  for (let from = 0; from < flood.length; from += 1_000)
    await webhook.turn(...flood.slice(from, from + 1_000));
  await webhook.turn(again(4_000, 'calm'), over(4_001, 'quiet'), over(4_002, 'still'));
  await webhook.turn(...flood.map((_, index) => again(5_000 + index, 'noisy')));
  expect(Buffer.byteLength(webhook.state() ?? '')).toBeLessThan(stateBytesMax);
  isBack = true;
  received.length = 0;
  webhook.pass(hourMs / 4);
  await webhook.turn();
  const budgets = received.map(({ body }) => String(JSON.parse(body).budget));
  expect(budgets.slice(0, 4).toSorted()).toEqual(['calm', 'noisy', 'quiet', 'still']);
  expect(budgets.slice(0, 2).toSorted()).toEqual(['quiet', 'still']);

  const lost = (await webhook.deliveries()).filter(({ status }) => status === 'given up');
  expect(new Set(lost.map(({ budget }) => budget))).toEqual(new Set(['noisy']));
  const named = lost.reduce((sum, { notices }) => sum + notices, 0);
  expect(received.length + named).toBe(6_003);
  expect(webhook.said.join('\n')).toContain('given up: noisy over (');
});

it('one that its receiver never takes keeps no other waiting', async () => {
  const { url, received } = await startEndpoint((response, n) => {
    const isPoison = received[n]?.body.includes('"budget":"poison"');
    response.writeHead(isPoison ? 500 : 200).end();
  });
  const webhook = sending(url);
  await webhook.turn(over(1, 'poison'), over(2, 'shop'), over(3, 'ada'));
  for (let seconds = 0; seconds < 10; seconds++) {
    webhook.pass(1_000);
    await webhook.turn();
  }
  const rows = await webhook.deliveries();
  const of = (name: string) => rows.find(({ budget }) => budget === name)?.status;
  expect([of('poison'), of('shop'), of('ada')]).toEqual(['waiting', 'delivered', 'delivered']);
  expect(received.length).toBeLessThan(8);
});

it('every one that did not arrive is named, also behind those that did', async () => {
  let status = 410;
  const { url } = await startEndpoint((response) => response.writeHead(status).end());
  const webhook = sending(url);
  await webhook.turn(...ninety);
  await webhook.turn(...ninety.map((_, index) => again(100 + index, 'budget-1')));
  status = 200;
  await webhook.turn(...Array.from({ length: 60 }, (_, index) => over(500 + index, 'fine')));
  const lost = (await webhook.deliveries()).filter((row) => row.status === 'refused');
  expect(new Set(lost.map(({ budget }) => budget)).size).toBe(90);
  expect(lost.reduce((sum, { notices }) => sum + notices, 0)).toBe(180);

  const target = webhookTarget(
    { url, secret: null, format: 'json' },
    { version: '1', now: Date.now, pageOf: null },
  );
  const read = async (name: string) => ({ name, position: 1, state: webhook.state() });
  const [sentence = ''] = await undelivered([target], { read });
  expect(sentence).toContain('budget-1 over (91 times)');
  for (const { event } of ninety)
    expect(sentence).toMatch(new RegExp(`\\b${(event.data as { budget: string }).budget} over\\b`));
  expect(sentence).toContain('HTTP 410');

  webhook.pass(32 * 24 * hourMs);
  status = 410;
  await webhook.turn(...Array.from({ length: 51 }, (_, index) => over(600 + index, 'new')));
  await webhook.turn(over(700, 'new'));
  const later = (await webhook.deliveries()).filter((row) => row.budget.startsWith('budget-'));
  expect(later).toEqual([]);
});

it('what happens meanwhile is read while an endpoint is slow', async () => {
  const held: { end(): void }[] = [];
  const { url, received } = await startEndpoint((response) => held.push(response));
  const target = webhookTarget(
    { url, secret: null, format: 'json' },
    { version: '1', now: Date.now, pageOf: null },
  );
  const subscriber = createNotices(target, {
    ...{ now: Date.now, random: Math.random, say: () => undefined },
  });
  const stopping = new AbortController();
  const hand = (n: number, state: string | null) =>
    subscriber.handle({ events: [again(n, 'shop')], from: n - 1, to: n }, stopping.signal, state);
  let state: string | null = null;
  for (const n of [1, 2, 3]) state = (await hand(n, state)) ?? state;
  expect(JSON.parse(state ?? '').waiting).toHaveLength(3);
  await expect.poll(() => received.length, { interval: 5 }).toBe(1);
  for (const response of held) response.end();
  const idle = { events: [], from: 3, to: 3 };
  expect(JSON.parse((await subscriber.handle(idle, stopping.signal, state)) ?? '')).toMatchObject({
    waiting: [{ attempts: 0 }, { attempts: 0 }],
    done: [{ status: 'delivered', attempts: 1 }],
  });
});

it('what an earlier version left waiting is sent', async () => {
  const { url, received } = await startEndpoint(statuses(200));
  const target = webhookTarget(
    { url, secret: null, format: 'json' },
    { version: '1', now: Date.now, pageOf: null },
  );
  const subscriber = createNotices(target, {
    ...{ now: Date.now, random: Math.random, say: () => undefined },
  });
  const waits = { id: 'a', budget: 'shop', state: 'over', body: '{}', attempts: 0, detail: null };
  const old = {
    waiting: [{ ...waits, sinceMs: Date.now() }],
    done: [],
    failures: 0,
    notBeforeMs: 0,
  };
  const { signal } = new AbortController();
  await subscriber.handle({ events: [], from: 1, to: 1 }, signal, JSON.stringify(old));
  expect(received).toMatchObject([{ headers: { 'webhook-id': 'a' } }]);
});
