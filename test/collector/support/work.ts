/**
 * A small data set for the views: two projects, two users, three models, three kinds of billing,
 * two time zones.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { exampleSpend } from '../../../contract/spend.ts';
import { exampleEvent } from './events.ts';

export interface SessionOptions {
  readonly id: string;
  readonly project: string | null;
  readonly user?: string;
  readonly branch?: string | null;
  readonly utcOffsetMinutes?: number;
  readonly billing?: Readonly<Record<string, 'metered' | 'subscription'>>;
  readonly startedAt: string;
  readonly turns: readonly TurnOptions[];
}

interface TurnOptions {
  readonly time: string;
  readonly model?: string;
  readonly provider?: string;
  readonly input?: number;
  /** Null: without a price. */
  readonly nanoUsd?: number | null;
  readonly reported?: boolean;
}

let number = 1_000;

export function sessionEvents({
  id,
  project,
  user = 'ada',
  branch = 'main',
  utcOffsetMinutes = 0,
  billing = {},
  startedAt,
  turns,
}: SessionOptions): LedgerEvent[] {
  const place = { subject: id, source: `/producers/${id}` };
  const next = (): number => {
    number += 1;
    return number;
  };
  const attributed = exampleEvent({
    ...place,
    number: next(),
    type: 'pi.session.attributed.v1',
    sequence: 1,
    time: startedAt,
    data: {
      project: { name: project ?? '', remote: null, branch, worktree: null },
      user,
      utcOffsetMinutes,
      billing,
    },
  });
  const completed = turns.map((turn, index) =>
    exampleEvent({
      ...place,
      number: next(),
      sequence: index + 2,
      time: turn.time,
      data: { spend: spendOf(turn) },
    }),
  );
  return project === null ? completed : [attributed, ...completed];
}

function spendOf({
  model = 'claude-sonnet-5',
  provider = 'anthropic',
  input = 100,
  nanoUsd = 1_000,
  reported = true,
}: TurnOptions) {
  const tokens = {
    inputTokens: input,
    outputTokens: 10,
    cacheReadTokens: 20,
    cacheWriteTokens: 30,
    reasoningTokens: 5,
  };
  const none = {
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: null,
  };
  const costSource = nanoUsd === null || !reported ? 'unpriced' : 'catalog';
  return {
    ...exampleSpend,
    ...(reported ? tokens : none),
    model,
    provider,
    reported,
    costNanoUsd: reported ? nanoUsd : null,
    costSource,
  };
}

export const work: readonly LedgerEvent[] = [
  ...sessionEvents({
    id: 's-shop',
    project: 'shop',
    billing: { anthropic: 'metered', openai: 'subscription' },
    startedAt: '2026-11-16T09:00:00.000Z',
    turns: [
      { time: '2026-11-16T09:05:00.000Z', nanoUsd: 5_000 },
      { time: '2026-11-16T10:05:00.000Z', nanoUsd: 7_000, provider: 'openai', model: 'gpt-6' },
      { time: '2026-11-17T09:05:00.000Z', reported: false },
    ],
  }),
  ...sessionEvents({
    id: 's-blog',
    project: 'blog',
    user: 'bob',
    branch: null,
    utcOffsetMinutes: 120,
    startedAt: '2026-11-21T22:30:00.000Z',
    turns: [
      // 00:31 on the 22nd in Bob's zone.
      { time: '2026-11-21T22:31:00.000Z', nanoUsd: 2_000 },
      { time: '2026-11-21T22:35:00.000Z', nanoUsd: null, provider: 'local', model: 'tiny' },
    ],
  }),
  ...sessionEvents({
    id: 's-lost',
    project: null,
    startedAt: '2026-11-20T08:00:00.000Z',
    turns: [{ time: '2026-11-20T08:01:00.000Z', nanoUsd: 3_000 }],
  }),
];
