/** What receivers are told, and when. */
import { expect, it } from 'vitest';
import type { Webhook } from '../../../../collector/config/webhooks.ts';
import { createPageOf, type PageOf } from '../../../../collector/process/notices/page-link.ts';
import { webhookTarget } from '../../../../collector/process/notices/webhook/target.ts';
import { crossing } from './support/crossings.ts';

const url = new URL('https://hooks.example/x');
const slack: Webhook = { url, secret: null, format: 'slack' };
const json: Webhook = { url, secret: null, format: 'json' };
const targetOf = (webhook: Webhook, pageOf: PageOf | null = null) =>
  webhookTarget(webhook, { version: '1', now: Date.now, pageOf });

type Data = Parameters<typeof crossing>[1];

function told(data: Data, webhook: Webhook, at?: string) {
  const { event, ...stored } = crossing(1, data);
  const receivedAtMs = at === undefined ? stored.receivedAtMs : Date.parse(at);
  if (event.type !== 'pi.budget.crossed.v1') throw new Error('It is a crossing.');
  const body = targetOf(webhook).bodyOf({ event, receivedAtMs });
  return body === null ? null : JSON.parse(body);
}

const likely: Data = {
  ...{ from: 'ok', to: 'forecast', used: '120', isAtLeast: false },
  forecast: {
    ...{ low: '190.1', middle: '214.759', high: '251.0309' },
    fullAt: '2026-11-28T13:20:00.000Z',
  },
};
const over: Data = { from: 'warning', to: 'over', used: '212.4', number: 2, isAtLeast: false };

it('Slack is told of states that are reached for the first time, upwards', () => {
  expect(told({}, slack)).not.toBeNull();
  expect(told(over, slack)).not.toBeNull();
  expect(told({ isFirst: false }, slack)).toBeNull();
  expect(told({ from: 'over', to: 'warning', isFirst: true }, slack)).toBeNull();
  expect(told({ from: 'warning', to: 'ok', isFirst: false }, slack)).toBeNull();
});

it('both are told what is likely, and what that rests on', () => {
  const text =
    'Budget shop is likely to pass its limit, now at 60 %: $120.00 of $200.00 metered, ' +
    'this month, and ~$214.76 at its end.';
  expect(told(likely, json)).toMatchObject({ text, to: 'forecast', forecast: likely.forecast });
  const { text: said, blocks } = told(likely, slack);
  expect(said).toBe(text);
  expect(blocks[1].elements[0].text).toBe(
    'project shop · 1 Nov 2026 to 30 Nov 2026 · ~: if the days left are like the last 4 of ' +
      'their weekdays, $190.10 to $251.03',
  );
  expect(told({ from: 'forecast', to: 'warning' }, slack)?.text).toContain('a warning');
  expect(told({ from: 'forecast', to: 'warning' }, json)?.text).not.toContain('~');
});

it('programs are told of every crossing', () => {
  expect(told({ from: 'over', to: 'warning', isFirst: false }, json)).toMatchObject({
    isFirst: false,
    text: 'Budget shop is at 80 % again, a warning: ≥ $161.20 of $200.00 metered, this month.',
  });
  expect(told({ from: 'warning', to: 'ok', used: '10', isAtLeast: false }, json)?.text).toBe(
    'Budget shop is ok again, at 5 %: $10.00 of $200.00 metered, this month.',
  );
});

it.each<[Data, string]>([
  [over, 'Budget shop is over its limit, at 106 %: $212.40 of $200.00 metered, this month.'],
  [
    { unit: 'list-price dollars', per: 'week', used: '199.999999999', isAtLeast: false },
    'Budget shop is at 99 %, a warning: $200.00 of $200.00 at list price, not billed, this week.',
  ],
  [
    { unit: 'tokens', per: 'day', used: '1200000', limit: '1500000', isAtLeast: false },
    'Budget shop is at 80 %, a warning: 1.20M tokens of 1.50M tokens, this day.',
  ],
  [
    { unit: 'percent', per: '5h window', used: '91.7', limit: '90', to: 'over', isAtLeast: false },
    'Budget shop is over its limit, at 101 %: 91 % of 90 %, in the window of 5 hours.',
  ],
])('%o', (data, text) => {
  expect(told(data, json)?.text).toBe(text);
});

const week = { start: '2026-11-22T23:00:00.000Z', end: '2026-11-29T23:00:00.000Z' };
const day = { start: '2026-11-29T23:00:00.000Z', end: '2026-11-30T23:00:00.000Z' };

it.each<[string, Data, string, string]>([
  ['2026-11-30T22:59:59.999Z', {}, 'is', 'this month'],
  ['2026-11-30T23:00:00.000Z', {}, 'was', 'in November'],
  ['2026-11-30T23:00:00.000Z', { per: 'week', period: week }, 'was', 'from 23 Nov to 29 Nov'],
  ['2026-11-30T23:00:00.000Z', { per: '7 days', period: week }, 'was', 'from 23 Nov to 29 Nov'],
  ['2026-11-24T23:00:00.000Z', { per: '7 days', period: week }, 'is', 'in these 7 days'],
  ['2026-12-01T08:00:00.000Z', { per: 'day', period: day }, 'was', 'on 30 Nov'],
  [
    '2026-12-01T08:00:00.000Z',
    { per: '5h window' },
    'was',
    'in a window of 5 hours that has ended',
  ],
])('what is seen at %s of %o %s over, %s', (at, data, verb, words) => {
  const text = `shop ${verb} over its limit, at 106 %: $212.40 of $200.00 metered, ${words}.`;
  expect(told({ ...over, ...data }, json, at)?.text).toContain(text);
  expect(told({ ...over, ...data }, slack, at)?.text).toContain(text);
});

it.each<[Data, string]>([
  [{}, 'Budget shop was at 80 %, a warning: '],
  [{ from: 'over', to: 'ok', used: '1', isAtLeast: false }, 'Budget shop was ok again, at <1 %: '],
])('an ended period of %o is told of in the past', (data, text) => {
  expect(told(data, json, '2026-12-01T08:00:00.000Z')?.text).toMatch(
    new RegExp(`^${text}.*ber\\.$`),
  );
});

it('a message for Slack says the scope and the days, in the time zone of the budget', () => {
  const message = told({ label: 'team=checkout' }, slack);
  expect(message).toMatchObject({ unfurl_links: false, unfurl_media: false });
  expect(message.blocks[0].text).toMatchObject({ type: 'mrkdwn', verbatim: true });
  expect(message.text).toBe(message.blocks[0].text.text);
  expect(message.blocks[1].elements[0].text).toBe(
    'project shop · label team=checkout · 1 Nov 2026 to 30 Nov 2026 · ' +
      '≥: records without a known amount are left out',
  );
});

it('a day is said once', () => {
  const period = { start: '2026-11-21T23:00:00.000Z', end: '2026-11-22T23:00:00.000Z' };
  const { blocks } = told({ per: 'day', period, project: null, isAtLeast: false }, slack);
  expect(blocks[1].elements[0].text).toBe('22 Nov 2026');
});

it.each([
  ['<!channel>', '&lt;!channel&gt;'],
  ['<https://evil.example|shop>', '&lt;https://evil.example|shop&gt;'],
  ['a & b', 'a &amp; b'],
  ['\u202Egnp.exe', '\\u202egnp.exe'],
  ['two\nlines', 'two\\u000alines'],
])('what is named %j mentions nobody and links nowhere', (budget, written) => {
  const { text, blocks } = told({ budget, project: budget }, slack);
  expect(text).toContain(`Budget ${written} is`);
  expect(blocks[1].elements[0].text).toContain(`project ${written} `);
});

it('a test says that it is one', () => {
  expect(JSON.parse(targetOf(slack).testBody('i', 't')).text).toMatch(/^A test by pi-ledger/);
  expect(JSON.parse(targetOf(json).testBody('i', 't'))).toMatchObject({
    type: 'test',
    id: 'i',
    at: 't',
  });
});

const shared = { address: '127.0.0.1', hosts: [], port: 7717, tls: null, url: null };

it.each([
  [{ hosts: ['ledger.example'] }, 'https://ledger.example/budgets?show=shop'],
  [{ url: 'https://a.example:8443/team/' }, 'https://a.example:8443/team/budgets?show=shop'],
  [{ address: '0.0.0.0' }, 'http://machine:7717/budgets?show=shop'],
  [{ address: '10.0.0.7', port: 80 }, 'http://10.0.0.7/budgets?show=shop'],
])('the page of a budget is where others reach the collector: %o', (settings, page) => {
  expect(createPageOf({ ...shared, ...settings }, 'machine')?.('shop')).toBe(page);
});

it.each([{}, { address: '::1' }, { url: 'http://localhost:7717' }])(
  'there is no page for others on this machine alone: %o',
  (settings) => {
    expect(createPageOf({ ...shared, ...settings }, 'machine')).toBeNull();
  },
);

it('both are told where its page is, whatever it is called', () => {
  const pageOf = createPageOf({ ...shared, hosts: ['ledger.example'] }, 'machine');
  const { event, receivedAtMs } = crossing(1, { ...over, budget: 'a&b|<@U1> "x"' });
  if (event.type !== 'pi.budget.crossed.v1') throw new Error('It is a crossing.');
  const page = 'https://ledger.example/budgets?show=a%26b%7C%3C%40U1%3E%20%22x%22';
  const [told, posted] = [json, slack].map((webhook) =>
    JSON.parse(targetOf(webhook, pageOf).bodyOf({ event, receivedAtMs }) ?? ''),
  );
  expect(told).toMatchObject({ page, budget: 'a&b|<@U1> "x"' });
  expect(posted.blocks[1].elements[1]).toEqual({
    ...{ type: 'mrkdwn', verbatim: true },
    text: `<${page}|Open the budget>`,
  });
});

it('there is no page on a machine whose name is no address', () => {
  expect(createPageOf({ ...shared, address: '0.0.0.0' }, 'a machine')).toBeNull();
});
