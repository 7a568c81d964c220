/**
 * One ingest token brings 99 budgets over their limits at once, while the webhook is busy, and the
 * collector is killed in the middle. Every notice arrives, that of another user's budget as well;
 * what a webhook refuses is named.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { attributed, turn } from '../../test/collector/projections/support/given.ts';
import { temporaryDirectory } from '../../test/collector/support/directory.ts';
import { eventually } from '../../test/support/eventually.ts';
import { type AttackedCollector, type CallerName, startAttacked } from './support/collector.ts';
import { startProcess } from './support/process.ts';

const directory = temporaryDirectory();
const many = 99;
const projects = Array.from({ length: many }, (_, index) => `p-${index}`);
const limits = { per: 'month', limit: 1, in: 'metered dollars' };
const budgets = [
  ...projects.map((project) => ({ name: `of ${project}`, project, ...limits })),
  { name: 'of ada', user: 'ada', ...limits, limit: 1_000 },
];
const names = budgets.map(({ name }) => name).toSorted();

const arrived: { readonly path: string; readonly id: string; readonly budget: string }[] = [];
/** Asked before each answer of the webhook that takes notices. */
let answer = (): number => 200;
const endpoint = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => {
    const path = request.url ?? '';
    const status = path === '/refusing' ? 410 : answer();
    const { id, budget } = JSON.parse(body);
    if (status === 200) arrived.push({ path, id, budget });
    response.writeHead(status).end();
  });
});
let collector: AttackedCollector;

beforeAll(async () => {
  endpoint.listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const { port } = endpoint.address() as AddressInfo;
  const webhooks = ['taking', 'refusing'].map((path) => ({
    url: `http://127.0.0.1:${port}/${path}`,
    format: 'json',
  }));
  collector = await startAttacked(directory, {
    settings: { requestsPerMinuteMax: 0, budgets, webhooks },
  });
});
afterAll(async () => {
  endpoint.closeAllConnections();
  endpoint.close();
});

async function asked(url: string) {
  const headers = { authorization: `Bearer ${collector.tokens.admin}` };
  return (await fetch(url, { headers })).json();
}

let sent = 0;

function spend(session: string, dollars: number, project: string, user: string) {
  const at = new Date().toISOString();
  const events = [
    attributed(at, { project, user }, session),
    turn(at, { costNanoUsd: dollars * 1e9 }, session),
  ];
  return events.map((event) => {
    sent += 1;
    // No other events of this store have such ids.
    return { ...event, id: `01a2073c-26a2-8daf-b11b-${String(sent).padStart(12, '0')}` };
  });
}

async function send(events: readonly object[], caller: CallerName): Promise<void> {
  const answered = await (
    await fetch(`${collector.url}/v1/events`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${collector.tokens[caller]}`,
        'content-type': 'application/cloudevents-batch+json',
      },
      body: JSON.stringify(events),
    })
  ).json();
  expect(answered).toMatchObject({ accepted: events.length, rejected: [] });
}

it('99 budgets over at once hold up nobody’s notice, and lose none', async () => {
  const kill = () => process.kill(collector.process.pid, 'SIGKILL');
  let answered = 0;
  answer = () => {
    answered += 1;
    if (answered === 40) kill();
    return answered < 4 ? 429 : 200;
  };
  await send(
    projects.flatMap((name) => spend(`of ${name}`, 2, name, 'eve')),
    'ingest',
  );
  await send(spend('of ada', 2_000, 'adas', 'ada'), 'machine');
  await eventually(() => expect(collector.process.isAlive()).toBe(false));
  const again = await startProcess({ ...collector.settings });
  try {
    await eventually(() =>
      expect([...new Set(arrived.map(({ budget }) => budget))].toSorted()).toEqual(names),
    );
    const twice = arrived.length - new Set(arrived.map(({ id }) => id)).size;
    expect(twice).toBeLessThanOrEqual(1);

    await eventually(async () => {
      const { rows } = await asked(`${again.url}/v1/budgets/deliveries`);
      const lost = rows.filter(({ status }: { status: string }) => status === 'refused');
      expect(new Set(lost.map(({ budget }: { budget: string }) => budget)).size).toBe(names.length);
    });
    const { warnings } = await asked(`${again.url}/health/ready`);
    for (const name of names) expect(warnings.join('\n')).toContain(`${name} over`);
  } finally {
    await again.stop();
  }
});
