/** Notices of budgets on their way to a real HTTP server: what arrives, when, how often. */
import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Webhook } from '../../../../collector/config/webhooks.ts';
import { readDeliveries } from '../../../../collector/process/notices/deliveries.ts';
import { createNotices } from '../../../../collector/process/notices/subscriber.ts';
import { webhookTarget } from '../../../../collector/process/notices/webhook/target.ts';
import { crossing, driven } from './support/crossings.ts';
import { startEndpoint, statuses } from './support/endpoint.ts';

const secret = `whsec_${Buffer.from('a key of at least 24 bytes').toString('base64')}`;
const hourMs = 3_600_000;

function json(url: URL): Webhook {
  return { url, secret, format: 'json' };
}

function sending(webhook: Webhook, timeoutMs?: number) {
  return driven((options) => webhookTarget(webhook, options), timeoutMs);
}

it('a crossing arrives once, signed by Standard Webhooks', async () => {
  const { url, received } = await startEndpoint(statuses(204));
  const webhook = sending(json(url));
  await webhook.turn(crossing(1));
  await webhook.turn();
  await webhook.turn(crossing(1));
  expect(received).toHaveLength(1);
  const [{ headers, body } = { headers: {}, body: '' }] = received;
  expect(headers['content-type']).toBe('application/json');
  expect(headers['user-agent']).toBe('pi-ledger/1.2.3');
  expect(headers['webhook-id']).toBe('01a2073c-26a2-8daf-b11a-000000000001');
  expect(headers['webhook-timestamp']).toBe(String(Date.parse('2026-11-21T15:02:12Z') / 1_000));
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from('a key of at least 24 bytes');
  const expected = createHmac('sha256', key).update(signed).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${expected}`);
  expect(JSON.parse(body)).toMatchObject({
    type: 'pi.budget.crossed.v1',
    id: headers['webhook-id'],
    at: '2026-11-21T15:02:11.480Z',
    text: 'Budget shop is at 80 %, a warning: ≥ $161.20 of $200.00 metered, this month.',
    to: 'warning',
    used: '161.204417',
    limit: '200',
  });
});

it('another text is a key by its bytes; without a secret nothing is signed', async () => {
  const { url, received } = await startEndpoint(statuses(200));
  await sending({ url, secret: 'sixteen-letters!', format: 'json' }).turn(crossing(1));
  await sending({ url, secret: null, format: 'json' }).turn(crossing(2));
  const [first, second] = received;
  const signed = `${first?.headers['webhook-id']}.${first?.headers['webhook-timestamp']}.`;
  const expected = createHmac('sha256', 'sixteen-letters!').update(`${signed}${first?.body}`);
  expect(first?.headers['webhook-signature']).toBe(`v1,${expected.digest('base64')}`);
  expect(second?.headers['webhook-signature']).toBeUndefined();
});

it('is sent again after errors, later each time, with the same id, until it is taken', async () => {
  const { url, received } = await startEndpoint(statuses(500, 503, 200));
  const webhook = sending(json(url));
  await webhook.turn(crossing(1));
  webhook.pass(999);
  await webhook.turn();
  expect(received).toHaveLength(1);
  webhook.pass(1);
  await webhook.turn();
  expect(received).toHaveLength(2);
  webhook.pass(1_999);
  await webhook.turn();
  expect(received).toHaveLength(2);
  webhook.pass(1);
  await webhook.turn();
  await webhook.turn();
  expect(received).toHaveLength(3);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  expect(await webhook.deliveries()).toMatchObject([
    { status: 'delivered', attempts: 3, detail: 'HTTP 200', budget: 'shop', state: 'warning' },
  ]);
});

it('those behind one that waits come in order, after it', async () => {
  const { url, received } = await startEndpoint(statuses(502, 200));
  const webhook = sending(json(url));
  await webhook.turn(crossing(1), crossing(2));
  await webhook.turn(crossing(3));
  expect(received).toHaveLength(1);
  webhook.pass(1_000);
  await webhook.turn();
  const ids = received.map(({ headers }) => String(headers['webhook-id']).slice(-1));
  expect(ids).toEqual(['1', '1', '2', '3']);
});

it('waits as long as it is asked to', async () => {
  const { url, received } = await startEndpoint((response, n) => {
    if (n === 0) response.writeHead(429, { 'retry-after': '120' }).end();
    else response.writeHead(200).end();
  });
  const webhook = sending(json(url));
  await webhook.turn(crossing(1));
  webhook.pass(119_999);
  await webhook.turn();
  expect(received).toHaveLength(1);
  expect(await webhook.deliveries()).toMatchObject([
    { status: 'waiting', detail: 'HTTP 429', nextAt: '2026-11-21T15:04:12.000Z', endedAt: null },
  ]);
  webhook.pass(1);
  await webhook.turn();
  expect(received).toHaveLength(2);
});

it.each([
  [410, 'HTTP 410'],
  [400, 'HTTP 400'],
  [302, 'HTTP 302: redirects are not followed'],
])('%i is for good: the next one is tried all the same', async (status, detail) => {
  const elsewhere = await startEndpoint(statuses(200));
  const { url, received } = await startEndpoint((response) => {
    response.writeHead(status, { location: elsewhere.url.href }).end();
  });
  const webhook = sending(json(url));
  await webhook.turn(crossing(1), crossing(2));
  webhook.pass(hourMs);
  await webhook.turn();
  expect(received).toHaveLength(2);
  expect(elsewhere.received).toEqual([]);
  expect(await webhook.deliveries()).toMatchObject([
    { status: 'refused', attempts: 1, detail },
    { status: 'refused', attempts: 1, detail },
  ]);
  expect(webhook.said).toHaveLength(2);
  expect(webhook.said[0]).toMatch(/^http:\/\/127.0.0.1:\d+\/\.\.\.: the notice of the budget shop/);
});

it('one that never answers is left after the timeout, and tried again', async () => {
  const { url, received } = await startEndpoint((response, n) => {
    if (n > 0) response.writeHead(200).end();
  });
  const webhook = sending(json(url), 200);
  await webhook.turn(crossing(1));
  expect(await webhook.deliveries()).toMatchObject([
    { status: 'waiting', detail: 'no answer within 1 s' },
  ]);
  const statusAfterAnother = async () => {
    webhook.pass(hourMs / 4);
    await webhook.turn();
    return (await webhook.deliveries())[0]?.status;
  };
  await expect.poll(statusAfterAnother, { interval: 5 }).toBe('delivered');
  expect(received.length).toBeGreaterThanOrEqual(2);
});

it('nobody there: it is given up after a day, and said once', async () => {
  const { url } = await startEndpoint(statuses(200));
  const closed = new URL(url);
  closed.port = '1';
  const webhook = sending(json(closed));
  await webhook.turn(crossing(1));
  for (let quarters = 0; quarters < 96; quarters++) {
    webhook.pass(hourMs / 4);
    await webhook.turn();
  }
  const [row] = await webhook.deliveries();
  expect(row).toMatchObject({ status: 'given up', detail: 'ECONNREFUSED' });
  expect(row?.attempts).toBeGreaterThan(90);
  expect(webhook.said).toHaveLength(2);
  expect(webhook.said[1]).toContain('is given up after');
});

it('no secret is in what is said, logged or kept', async () => {
  const { url } = await startEndpoint(statuses(404, 500));
  const webhook = sending(json(url));
  await webhook.turn(crossing(1), crossing(2));
  const all = [...webhook.said, webhook.state(), JSON.stringify(await webhook.deliveries())].join(
    '\n',
  );
  expect(all).not.toContain('s3cr3t-path');
  expect(all).not.toContain(secret.slice(6));
});

it('a state that nobody can read counts as none', async () => {
  const { url } = await startEndpoint(statuses(200));
  const target = webhookTarget(json(url), { version: '1', now: Date.now, pageOf: null });
  for (const state of ['{"waiting":1}', 'x']) {
    const read = async (name: string) => ({ name, position: 1, state });
    expect(await readDeliveries([target], { read })).toEqual([]);
  }
});

it('stops at once when it is told to, and keeps what was not sent', async () => {
  const { url, received } = await startEndpoint(() => undefined);
  const stopping = new AbortController();
  const target = webhookTarget(json(url), { version: '1', now: Date.now, pageOf: null });
  const subscriber = createNotices(target, {
    ...{ now: Date.now, random: Math.random, say: () => undefined },
  });
  const batch = { events: [crossing(1)], from: 0, to: 1 };
  const handled = subscriber.handle(batch, stopping.signal, null);
  await expect.poll(() => received.length, { interval: 5 }).toBe(1);
  stopping.abort();
  expect(JSON.parse((await handled) ?? '')).toMatchObject({ waiting: [{}], done: [] });
});
