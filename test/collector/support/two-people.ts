/** Two people's work in one ledger, and every question that it can be asked. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { groupings } from '@pi-ledger/contract/groupings';
import { rowDimensions } from '@pi-ledger/contract/row-dimensions';
import { expect } from 'vitest';
import { exampleEvent } from './events.ts';
import type { Guarded } from './guarded.ts';
import { sessionEvents } from './work.ts';

/** Names with `bob` must be invisible to Ada and to readers of `shop` only. */
export const adas: readonly LedgerEvent[] = [
  ...sessionEvents({
    id: 'ada-shop',
    project: 'shop',
    startedAt: '2026-11-16T09:00:00.000Z',
    turns: [
      { time: '2026-11-16T09:05:00.000Z', nanoUsd: 5_000 },
      { time: '2026-11-16T23:45:00.000Z', nanoUsd: 7_000, model: 'gpt-6', provider: 'openai' },
    ],
  }),
  ...sessionEvents({
    id: 'ada-blog',
    project: 'blog-of-ada',
    startedAt: '2026-11-17T09:00:00.000Z',
    turns: [{ time: '2026-11-17T09:05:00.000Z', nanoUsd: 11_000 }],
  }),
  // Below a session that is not hers: she knows its id and nothing above it.
  ...sessionEvents({
    id: 'ada-child',
    project: 'shop',
    startedAt: '2026-11-17T10:00:00.000Z',
    turns: [{ time: '2026-11-17T10:05:00.000Z', nanoUsd: 13_000 }],
  }),
  started(502, 'ada-child', 'hidden-parent'),
];

function started(number: number, subject: string, parentSessionId: string): LedgerEvent {
  const place = {
    subject,
    source: `/producers/${subject}`,
    sequence: 100,
    time: '2026-11-16T09:01:00.000Z',
  };
  return exampleEvent({
    ...place,
    number,
    type: 'pi.session.started.v1',
    data: { parentSessionId, cwd: '/home' },
  });
}

export function bobs(): readonly LedgerEvent[] {
  const secret = { model: 'bob-model', provider: 'bob-provider' };
  const vault = sessionEvents({
    id: 'bob-vault',
    project: 'bob-vault',
    user: 'bob',
    branch: 'bob-branch',
    startedAt: '2026-11-16T08:00:00.000Z',
    turns: [
      { time: '2026-11-16T08:05:00.000Z', nanoUsd: 1_000_000, ...secret },
      { time: '2026-11-16T23:50:00.000Z', nanoUsd: 2_000_000, ...secret },
    ],
  });
  // Bob's subagent below Ada's session, which makes a claim itself.
  const below = sessionEvents({
    id: 'bob-subagent',
    project: 'bob-vault',
    user: 'bob',
    startedAt: '2026-11-16T09:01:00.000Z',
    turns: [{ time: '2026-11-16T09:06:00.000Z', nanoUsd: 3_000_000, ...secret }],
  });
  const hidden = sessionEvents({
    id: 'hidden-parent',
    project: 'bob-vault',
    user: 'bob',
    startedAt: '2026-11-16T08:30:00.000Z',
    turns: [{ time: '2026-11-16T08:31:00.000Z', nanoUsd: 4_000_000, ...secret }],
  });
  const claimed = exampleEvent({
    number: 501,
    type: 'pi.subagent.claimed.v1',
    subject: 'bob-vault',
    source: '/producers/bob-vault',
    sequence: 100,
    time: '2026-11-16T08:06:00.000Z',
  });
  const place = { subject: 'bob-vault', source: '/producers/bob-vault' };
  const called = exampleEvent({
    ...place,
    number: 504,
    type: 'pi.tool.completed.v1',
    sequence: 101,
    time: '2026-11-16T08:07:00.000Z',
    data: { toolName: 'bob-tool', spend: null },
  });
  const ran = exampleEvent({
    ...place,
    number: 505,
    type: 'pi.run.completed.v1',
    sequence: 102,
    time: '2026-11-16T08:08:00.000Z',
  });
  return [
    called,
    ran,
    ...vault,
    ...below,
    ...hidden,
    started(500, 'bob-subagent', 'ada-shop'),
    started(503, 'hidden-parent', 'bob-vault'),
    claimed,
  ];
}

/** One session moved from the shop to the vault, another one moved back. */
export function moved(): readonly LedgerEvent[] {
  const goes = (
    subject: string,
    first: number,
    from: string,
    to: string,
    turns: readonly [before: number, after: number],
  ): LedgerEvent[] => {
    let number = first;
    const event = (time: string, more: object = {}): LedgerEvent => {
      number += 1;
      return exampleEvent({
        subject,
        source: `/producers/${subject}`,
        number,
        sequence: number - first,
        time,
        ...more,
      });
    };
    const attributed = (time: string, name: string): LedgerEvent => {
      const project = { name, remote: null, branch: 'main', worktree: null };
      return event(time, {
        type: 'pi.session.attributed.v1',
        data: { project, user: 'carol', utcOffsetMinutes: 0 },
      });
    };
    const spent = (hour: string, count: number) =>
      Array.from({ length: count }, (_, n) => event(`2026-11-18T${hour}:1${n}:00.000Z`));
    return [
      attributed('2026-11-18T08:00:00.000Z', from),
      ...spent('08', turns[0]),
      attributed('2026-11-18T09:00:00.000Z', to),
      ...spent('09', turns[1]),
    ];
  };
  return [
    ...goes('carol-moved', 600, 'shop', 'bob-vault', [1, 2]),
    ...goes('carol-returned', 700, 'bob-vault', 'shop', [4, 1]),
  ];
}

export const catalogue = {
  anthropic: {
    models: {
      'claude-sonnet-5': { cost: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 } },
    },
  },
};

/** Routes whose answers are not what people did. */
const ofNobody = ['/v1/log/own', '/metrics', '/v1/live', '/v1/hosts', '/v1/health'];

/** Every question to these routes; a new route is asked at least without parameters. */
function questions(
  subject: Guarded,
): { readonly method: string; readonly url: string; readonly body?: object }[] {
  const usage = groupings.flatMap((by) => [
    `/v1/usage?by=${by}`,
    `/v1/usage?by=${by}&timezone=Asia/Kolkata&since=2026-11-16&until=2026-11-18`,
    `/v1/usage?by=${by}&format=csv`,
  ]);
  const rows = [
    `/v1/usage/rows?${rowDimensions.map((by) => `by=${by}`).join('&')}`,
    '/v1/usage/rows?by=project&project=bob-vault&format=csv',
  ];
  const sessions = [
    ...[
      '',
      '?user=bob',
      '?user=carol',
      '?project=bob-vault',
      '?ignored=include',
      '?format=ndjson',
      '?model=bob-model',
      '?kind=turn',
      '?limit=1',
    ],
    ...[
      '?tree=ada-shop',
      '?tree=bob-vault',
      '?tree=hidden-parent',
      '?tree=bob-subagent',
      '?since=2026-11-16&until=2026-11-18',
    ],
  ].map((query) => `/v1/sessions${query}`);
  const ids = [
    'ada-shop',
    'ada-blog',
    'bob-vault',
    'bob-subagent',
    'hidden-parent',
    'carol-moved',
    'carol-returned',
  ];
  const single = ids.flatMap((id) => [
    `/v1/sessions/${id}`,
    `/v1/context/${id}`,
    `/v1/compactions?session=${id}`,
  ]);
  const bare = subject.ledger.app.routeList
    .filter(({ method, scope }) => scope === 'read' && method === 'GET')
    .map(({ url }) => url)
    // Its positions are the whole log's: answers/reconciliation/command.test.ts has it. Metrics are
    // of the whole ledger: answers/metrics/route.test.ts has who is refused. What a stream tells
    // whom: http/page/live.test.ts. Of the collector and its machine: answers/health/route.test.ts
    // and answers/hosts/route.test.ts have who learns what.
    .filter((url) => !ofNobody.includes(url));
  return [
    ...[
      ...usage,
      ...rows,
      ...sessions,
      ...single,
      ...bare,
      '/v1/models?model=bob-model',
      '/v1/models?user=bob&since=2026-11-16',
      '/v1/tools?project=bob-vault',
      ...['user', 'project', 'outcome'].map((by) => `/v1/runs?by=${by}`),
      '/v1/context/last',
      '/v1/compactions?user=bob',
      '/v1/usage?user=bob',
      '/v1/usage?session=bob-vault',
    ].map((url) => ({
      method: 'GET',
      url,
    })),
    ...groupings.map((by) => ({ method: 'POST', url: `/v1/reprice?by=${by}`, body: catalogue })),
  ];
}

/** Resolves when the views have them, however long that takes: an answer waits for a while only. */
export async function offer(
  { ask, machineToken, ledger }: Guarded,
  events: readonly LedgerEvent[],
): Promise<void> {
  const answer = await ask({
    method: 'POST',
    url: '/v1/events',
    token: machineToken,
    body: events,
  });
  expect(JSON.parse(answer.text)).toMatchObject({ accepted: events.length, rejected: [] });
  await ledger.parts.subscription.catchUp();
}

export async function answers(subject: Guarded, token: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const question of questions(subject)) {
    const { status, text } = await subject.ask({ ...question, token });
    found.push(`${question.method} ${question.url} ${status} ${text}`);
  }
  return found;
}
