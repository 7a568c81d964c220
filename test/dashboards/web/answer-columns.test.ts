/** The columns of questions as the page has them. */
import type { ModelRow, Request } from '@pi-ledger/contract/answers';
import { modelTable } from '@pi-ledger/contract/columns/models';
import { requestTable } from '@pi-ledger/contract/columns/requests';
import { toolCostTable } from '@pi-ledger/contract/columns/tools';
import { expect, test } from 'vitest';
import { pageColumns } from '../../../dashboards/web/parts/answer-columns.tsx';
import { csvOf } from '../../../dashboards/web/parts/table-rows.ts';

const cell = { cell: () => '' };
const request: Request = {
  ...{ time: '2026-11-22T09:41:12.000Z', session: '01a1addd', project: 'shop', kind: 'turn' },
  ...{ turn: 12, provider: 'anthropic', model: 'sonnet', startedAt: null, durationMs: 9_000 },
  ...{ firstTokenMs: 810, sentTokens: 41_300, cacheReadTokens: null, outputTokens: 800 },
  ...{ failed: false, status: 200, billing: 'metered', costSource: 'priced' },
  costNanoUsd: '9000000',
};
const cells = { answer: { ...cell, csv: () => 'ok' } };

test('headings begin with a capital, and say a word more where there is room', () => {
  const heads = pageColumns(requestTable, { rows: [request], cells }).map(({ head }) => head);
  expect(heads.slice(0, 5)).toEqual(['When', 'Session', 'Model', 'Metered', 'Subscription']);
  expect(heads).toContain('First token');
  expect(heads).not.toContain('Billing unknown');
  const timed = pageColumns(modelTable, { rows: [], cells: { range: cell } });
  expect(timed.map(({ head }) => head)).toEqual(expect.arrayContaining(['p50', 'Tokens/s']));
});

test('the CSV has keys, exact amounts, and nothing where nothing is known', () => {
  const unknown = { ...request, billing: 'unknown', costNanoUsd: null } as const;
  const rows = [request, unknown];
  const [head, first, second] = csvOf(pageColumns(requestTable, { rows, cells }), rows).split(
    '\r\n',
  );
  expect(head).toBe(
    'when,session,model,metered (USD),subscription (USD),unknown (USD),answer,took (ms),' +
      'firstToken (ms),sent (tokens),fromCache (tokens),output (tokens),project',
  );
  expect(first).toBe(
    '2026-11-22T09:41:12.000Z,01a1addd,sonnet,0.009,,,ok,9000,810,41300,,800,shop',
  );
  expect(second?.split(',').slice(3, 6)).toEqual(['', '', '']);
});

test('where it is narrow, the name and the first figure stay, and others go by priority', () => {
  const columns = pageColumns(requestTable, { rows: [request], cells });
  const staying = columns.filter(({ goes }) => goes === undefined).map(({ name }) => name);
  expect(staying).toEqual(['when', 'session']);
  const going = columns
    .filter(({ goes }) => goes !== undefined)
    .toSorted((one, other) => (other.goes ?? 0) - (one.goes ?? 0))
    .map(({ name }) => name);
  expect(going.slice(-2)).toEqual(['subscription', 'metered']);
  expect(going.indexOf('project')).toBeLessThan(going.indexOf('model'));
});

test('a billing that nothing was spent of has no column, and one of no known cost has', () => {
  const none = { unpricedCalls: 0, unreportedCalls: 0 };
  const total = {
    ...{ calls: 1, tokens: 1, meteredNanoUsd: '5', subscriptionNanoUsd: '0' },
    unknownBillingNanoUsd: '0',
    byBilling: { metered: none, subscription: none, unknown: { ...none, unreportedCalls: 1 } },
  };
  const names = pageColumns(toolCostTable, { rows: [], total, cells: {} }).map(({ name }) => name);
  expect(names).toEqual(['tool', 'metered', 'unknown', 'calls', 'tokens', 'lastDay']);
});

test('the errors of models are columns of the same list', () => {
  const own = { statuses: cell, httpErrors: cell };
  const names = pageColumns(modelTable, { in: 'errors', rows: [] as ModelRow[], cells: own });
  expect(names.map(({ name }) => name)).toEqual([
    ...['model', 'failed', 'share', 'retries', 'givenUp', 'aborted', 'cutOff'],
    ...['statuses', 'httpErrors'],
  ]);
});
