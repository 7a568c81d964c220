/** Subagents: what claims emit, how they are stored, and their bounds. */
import type { LedgerEvent, Spend } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { noRules } from '../../../../collector/projections/rules.ts';
import { createSessions } from '../../../../collector/projections/sessions.ts';
import { totals } from '../../../../collector/projections/totals.ts';
import { usage } from '../../../../collector/projections/usage.ts';
import { sessions } from '../support/bare-sessions.ts';
import { fold } from '../support/fold.ts';
import { attributed, event, limitsWide, spendOf, turn } from '../support/given.ts';
import { answer, at, claim, double, inAnyOrder, permutations } from '../support/given-claims.ts';

const later = '2026-11-22T10:05:00.000Z';

const account = (keys: string[], accounted: Spend, session = 's1'): LedgerEvent =>
  event('pi.subagent.accounted.v1', { at, session }, { keys, accounted });

const tool = (turnEntryId: string | null, spend: Spend, time = at): LedgerEvent =>
  event('pi.tool.completed.v1', { at: time }, { turnEntryId, spend });

const response = (number: number): string => `response:${number.toString(16).padStart(16, '0')}`;

describe('claims of subagents', () => {
  it('counts under the parent’s attribution, in the claim’s minute, and moves', () => {
    const given = [
      claim('agent:SubA', answer, '2026-11-22T23:30:00.000Z'),
      attributed('2026-11-22T09:00:00.000Z', {
        project: 'shop',
        offset: 60,
        billing: { anthropic: 'subscription' },
      }),
    ];
    const rows = fold(sessions, given).sums(
      usage,
      'nanoUsd',
      'project',
      'day',
      'kind',
      'billing',
      'provider',
      'model',
    );
    expect(rows).toEqual({ 'shop,2026-11-23,tool,subscription,anthropic,sonnet': 5_000n });
  });

  it('emits to the totals only what grows', () => {
    const folded = fold(sessions, [
      claim('agent:SubA', double),
      account(['agent:SubA'], double),
      turn(at, { costNanoUsd: 7 }),
    ]);
    expect(folded.sums(usage, 'nanoUsd', 'kind')).toEqual({ turn: 7n });
    expect(folded.sums(totals, 'nanoUsd', 'kind')).toEqual({ tool: 10_000n, turn: 7n });
    const inTime = fold(sessions, [account(['agent:SubA'], double), claim('agent:SubA', double)]);
    expect(inTime.sums(totals, 'nanoUsd', 'kind')).toEqual({});
  });

  it('counts a repeated answer no more in the totals when it turns out to be older', () => {
    const folded = fold(sessions, [
      claim(response(1), answer, later),
      claim(response(1), answer, at),
    ]);
    expect(folded.sums(totals, 'nanoUsd', 'kind')).toEqual({ tool: 5_000n });
    const pooled = fold(createSessions(noRules, { ...limitsWide, claimsMax: 0 }), [
      claim('agent:A', answer, later),
      claim('agent:B', answer, at),
    ]);
    expect(pooled.sums(usage, 'nanoUsd', 'kind')).toEqual({ tool: 10_000n });
    expect(pooled.sums(totals, 'nanoUsd', 'kind')).toEqual({ tool: 10_000n });
  });

  it('never counts more than is claimed, even where an answer and its repeat differ', () => {
    const given = [
      claim(response(1), double),
      account(['turn:t1', response(1)], answer),
      tool('t1', answer),
    ];
    expect(inAnyOrder(given)).toMatchObject({ records: 1n, inputTokens: 100n, nanoUsd: 5_000n });
  });

  it.each([
    'response:a1',
    `response:${'0'.repeat(17)}`,
    `a response:${'0'.repeat(16)}`,
    `response:${'A'.repeat(16)}`,
  ])('takes a key that only looks like an answer for a sum: %s', (key) => {
    expect(inAnyOrder([claim(key, answer), claim(key, answer, later)])).toMatchObject({
      records: 2n,
    });
  });

  it('says nothing to the rollups where nothing changes', () => {
    const covered = fold(sessions, [
      account(['agent:A'], double),
      claim('agent:A', double),
      account(['turn:t1', response(1)], answer),
    ]);
    expect(covered.emitted).toEqual([]);
    const given = [
      claim(response(1), answer),
      claim(response(1), answer),
      claim(response(1), answer, later),
    ];
    expect(fold(sessions, given).emitted).toHaveLength(2);
    const shrunk = fold(sessions, [claim('agent:A', double), account(['agent:A'], answer)]).emitted;
    expect(shrunk.map(({ rollup }) => rollup)).toEqual([usage, totals, usage]);
  });

  it('are kept in few letters: what later versions read', () => {
    const given = [
      ...[claim(response(1), answer), account(['turn:t1', response(1)], answer)],
      ...[
        account(['turn:t1', response(2)], answer),
        account([response(3)], answer),
        account(['turn:t1', response(4)], answer),
      ],
      ...[
        claim(response(5), answer),
        claim(response(6), { ...answer, model: 'other' }, later),
        claim(response(7), answer),
      ],
      claim(response(8), answer, later),
      claim('agent:A', answer),
    ];
    const { claims } = JSON.parse(fold(sessions, given).documents().s1 ?? '{}');
    const hex = (...numbers: number[]) =>
      numbers.map((number) => number.toString(16).padStart(16, '0')).join('');
    const figures = [1, 100, 20, 300, 40, 0, 5_000];
    const [atMs, laterMs] = [Date.parse(at), Date.parse(later)];
    const child = '01a1fff6-564e-748f-bc46-af2dff1725e9';
    expect(claims).toEqual({
      pooled: false,
      models: [
        ['anthropic', 'other', 'catalog'],
        ['anthropic', 'sonnet', 'catalog'],
      ],
      pool: [
        [0, 400, 80, 1_200, 160, 0, 20_000],
        [atMs, 1, ...figures.map((figure) => 5 * figure)],
        [laterMs, 0, ...figures],
      ],
      groups: [['agent:A', ['c1531ba3', [atMs, 1, ...figures]]], ['turn:t1']],
      accounts: [
        [
          child,
          ['tools', [atMs, hex(3), 0, 100, 20, 300, 40, 0, 5_000]],
          ['turn:t1', [atMs, hex(2, 4), 0, 200, 40, 600, 80, 0, 10_000]],
        ],
      ],
      covered: hex(1),
      accounted: [],
      claimed: [
        [atMs, 1, [hex(5), ...figures], [hex(7), ...figures]],
        [laterMs, 0, [hex(6), ...figures]],
        [laterMs, 1, [hex(8), ...figures]],
      ],
    });
  });

  it('compares only the sums when there are too many keys', () => {
    const small = createSessions(noRules, { ...limitsWide, claimsMax: 2 });
    const given = [
      claim('agent:A', answer, later),
      claim('agent:B', double),
      claim(response(1), { ...answer, model: 'other' }),
      account(['agent:B'], double),
      account(['turn:t', response(2)], spendOf({ inputTokens: 60, costNanoUsd: 0 })),
    ];
    for (const events of permutations(given)) {
      const folded = fold(small, events, { isReloaded: true });
      expect(folded.states.get('s1')?.claims).toMatchObject({
        isPooled: true,
        keys: new Map(),
        responses: new Map(),
      });
      expect(folded.rows(usage, 'kind').tool).toMatchObject({
        inputTokens: 140n,
        outputTokens: 40n,
        nanoUsd: 10_000n,
      });
    }
  });
});
