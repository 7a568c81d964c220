/**
 * Every query of every panel, asked of a real chain: a ledger with the demo month and work of the
 * last hour, an OpenTelemetry Collector, a Prometheus. Every panel of the API is asked of that
 * ledger with a token that may only read.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dashboards, panelsOf } from '../dashboards/support/pages.ts';
import { eventually } from '../support/eventually.ts';
import { type Chain, fillWithDemoMonth, startChain } from './support/chain.ts';
import { type Chosen, numbersOf, promqlOf, selectorOf, urlOf } from './support/grafana.ts';
import { liveWork, send } from './support/live-work.ts';
import { at, rowsAt, rowsOf, selectedBy } from './support/selectors.ts';

interface Asked {
  readonly place: string;
  readonly query: string;
}

const every: Chosen = { project: '.*' };
const one: Chosen = { project: 'live-3' };

const targets = dashboards.flatMap((dashboard) =>
  panelsOf(dashboard).flatMap(({ title, targets: own = [] }) =>
    own.map((target) => ({
      ...target,
      place: `${dashboard.title}: ${title} ${target.refId}`,
      chosen: dashboard.uid === 'pi-ledger-project' ? one : every,
    })),
  ),
);
const queries: readonly Asked[] = targets.flatMap(({ place, expr, chosen }) =>
  expr === undefined ? [] : [{ place, query: promqlOf(expr, chosen) }],
);
const requests = targets.filter(({ url }) => url !== undefined);

const budgets = [{ name: 'all', per: 'month', limit: 200, in: 'metered dollars' }];

let chain: Chain;
let token = '';

beforeAll(async () => {
  chain = await startChain({ settings: { budgets } });
  const { ledger, prometheus } = chain;
  await fillWithDemoMonth(ledger);
  await ledger.start();
  const isThere = (query: string) =>
    eventually(async () => expect(await prometheus.query(query), query).not.toEqual([]));
  await isThere('pi_cost_usd_total');
  await send(ledger.url, liveWork(1));
  // Series that were new stand at zero before they grow.
  await isThere('pi_cost_usd_total{pi_project="live-7"}');
  await send(ledger.url, liveWork(2));
  await send(ledger.url, [{ type: 'pi.turn.imagined.v1' }]);
  // The collector's own histograms begin with their first values.
  await isThere('pi_ledger_ingest_duration_seconds_count');
  await send(ledger.url, liveWork(3));
  const { stdout } = await ledger.run('token', 'create', '--user', 'grafana', '--scope', 'read');
  token = /pil_\S+/.exec(stdout)?.[0] ?? '';
  await untilAllHaveData();
});

afterAll(() => chain.close());

/** Or not: then their tests say which have none. */
async function untilAllHaveData(): Promise<void> {
  let open = queries;
  const look = async () => {
    const asked = await Promise.all(open.map(async (each) => ({ each, has: await hasData(each) })));
    open = asked.filter(({ has }) => !has).map(({ each }) => each);
    expect(open).toEqual([]);
  };
  await eventually(look, { intervalMs: 500 }).catch(() => undefined);
}

async function hasData({ query }: Asked): Promise<boolean> {
  return (await numbersOf(chain.prometheus, query)) > 0;
}

describe('Prometheus has data', () => {
  it.each(queries)('$place', async (asked) => {
    // A scrape may come late on a busy machine: what is there stays there.
    await expect.poll(() => hasData(asked), { message: asked.query }).toBe(true);
  });
});

describe('the API answers, with every field of the columns', () => {
  it.each(requests)('$place', async ({ url = '', root_selector = '', columns = [], chosen }) => {
    const response = await fetch(`${chain.ledger.url}${urlOf(url, chosen)}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    const { root, fields } = selectedBy(root_selector);
    expect([...fields.keys()]).toEqual(columns.map(({ selector }) => selector));
    const answer: unknown = JSON.parse(text);
    const rows = rowsAt(answer, root);
    expect(rows).not.toEqual([]);
    const missing = [...fields.values()]
      .flat()
      .filter((path) => rows.some((row) => at(row, path) === undefined));
    expect(missing).toEqual([]);
    const made = await rowsOf(selectorOf(root_selector, chosen), answer);
    expect(made.length).toBe(rows.length);
    for (const column of columns) {
      const values = made.map((row) => row[column.selector]).filter((value) => value != null);
      expect(values.filter((value) => !isOf(column.type, value))).toEqual([]);
      if (column.type === 'string') expect(values.length).toBe(made.length);
      if (column.selector !== onlyInTrouble) expect(values, column.selector).not.toEqual([]);
    }
  });
});

/** Nothing is behind here. */
const onlyInTrouble = 'Behind since';

function isOf(type: string, value: unknown): boolean {
  if (type === 'number') return Number.isFinite(value);
  if (typeof value !== 'string' || value === '') return false;
  return type === 'string' || !Number.isNaN(Date.parse(value));
}
