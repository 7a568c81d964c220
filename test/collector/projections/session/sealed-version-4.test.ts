/** Documents that were sealed before lines had variants and costs had parts. */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { SpendDimension } from '@pi-ledger/contract/spend-shape';
import { describe, expect, it } from 'vitest';
import { noRules } from '../../../../collector/projections/rules.ts';
import { createSessions } from '../../../../collector/projections/sessions.ts';
import { usage } from '../../../../collector/projections/usage.ts';
import { fold } from '../support/fold.ts';
import { attributed, event, spendOf, turn } from '../support/given.ts';

const at = '2026-11-22T10:00:00.000Z';
const minute = Date.parse(at) / 60_000;
const sessions = createSessions(noRules);
const rawUsage = { cost: { input: 4e-9, output: 6e-9, total: 10e-9 } };

const lost = (inputTokens: number): LedgerEvent => ({
  ...turn(at, { model: 'lost', inputTokens, costNanoUsd: null, costSource: 'unpriced' }),
  ownership: 'named',
});
const claimed = spendOf({ inputTokens: 50, costNanoUsd: 5 });
const history = [
  attributed(at),
  turn(at, { costNanoUsd: 10, rawUsage }),
  event('pi.subagent.claimed.v1', { at }, { key: 'agent:A', claimed }),
  turn(at, { model: 'lost', inputTokens: 20, costNanoUsd: 7 }),
  lost(20),
  lost(30),
];

/** What version 4 wrote of this history: its own lines, claims and copies. */
function sealed(): string {
  const claim = [Date.parse(at), 0, 1, 50, 0, 0, 0, 0, 5];
  return JSON.stringify({
    ...JSON.parse(fold(sessions, history).documents().s1 ?? '{}'),
    usage: [
      cellsOf('lost', 'turn', [minute, 2, 50, 0, 0, 0, 0, 7, 1]),
      cellsOf('sonnet', 'tool', [minute, 1, 50, 0, 0, 0, 0, 5]),
      cellsOf('sonnet', 'turn', [minute, 1, 1, 0, 0, 0, 0, 10]),
    ],
    claims: {
      ...{ pooled: false, models: [['anthropic', 'sonnet']], pool: [[], claim] },
      ...{ keys: [['agent:A', [], claim]], covered: '', accounted: [], claimed: [] },
    },
    unpriced: [
      [
        ...['anthropic', 'lost', 'turn', minute],
        [2, 50, 0, 0, 0, 0, 0, 2, 0],
        [1, 30, 0, 0, 0, 0, 0, 1, 0],
      ],
    ],
  });
}

function cellsOf(model: string, kind: string, ...cells: number[][]) {
  return { provider: 'anthropic', model, kind, cells };
}

function opened(version: number) {
  const state = sessions.sealing?.open(sealed(), version);
  if (state === undefined || state === null) throw new Error('its version is known');
  return state;
}

function countedAfter(version: number, more: readonly LedgerEvent[], ...by: SpendDimension[]) {
  const before: Record<string, bigint> = {};
  const name = (key: readonly string[]) =>
    by.map((each) => key[usage.dimensions.indexOf(each)]).join();
  sessions.sealing?.emit(opened(version), (_rollup, dimensions, measures) => {
    const key = name(dimensions);
    before[key] = (before[key] ?? 0n) + BigInt(measures[1] ?? 0);
  });
  const later = fold({ ...sessions, initial: () => opened(version) }, more);
  for (const [key, change] of Object.entries(later.sums(usage, 'inputTokens', ...by)))
    before[key] = (before[key] ?? 0n) + change;
  return Object.fromEntries(Object.entries(before).filter(([, sum]) => sum !== 0n));
}

describe.each([2, 3, 4])('a document sealed by version %i', (version) => {
  it('counts what it counted, under no variant but that of its copies', () => {
    expect(countedAfter(version, [], 'model', 'kind', 'costSource', 'stopReason')).toEqual({
      'lost,turn,,': 20n,
      'lost,turn,unpriced,': 30n,
      'sonnet,tool,,': 50n,
      'sonnet,turn,,': 1n,
    });
  });

  it('goes on counting: an owner’s record covers a copy, an account covers a claim', () => {
    const more = [
      turn(at, { model: 'lost', inputTokens: 30, costNanoUsd: 9 }),
      event('pi.subagent.accounted.v1', { at }, { keys: ['agent:A'], accounted: claimed }),
    ];
    expect(countedAfter(version, more, 'model', 'costSource')).toEqual({
      'lost,': 20n,
      'lost,catalog': 30n,
      'sonnet,': 1n,
    });
  });

  it('is written again in today’s form', () => {
    const body = sessions.encode(opened(version));
    expect(sessions.encode(sessions.decode(body))).toBe(body);
    expect(JSON.parse(body).usage[0]).toEqual({
      ...{ provider: 'anthropic', model: 'lost', kind: 'turn' },
      lines: [
        ['', '', '', [minute, 1, 20, 0, 0, 0, 0, 7]],
        ['', 'unpriced', '', [minute, 1, 30, 0, 0, 0, 0, 0, 1]],
      ],
    });
  });
});
