/** Claims and tool calls that move to another session. */
import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { noRules } from '../../../../collector/projections/rules.ts';
import { createSessions } from '../../../../collector/projections/sessions.ts';
import { usage } from '../../../../collector/projections/usage.ts';
import { sessions } from '../support/bare-sessions.ts';
import { fold } from '../support/fold.ts';
import { event, limitsWide, spendOf } from '../support/given.ts';
import { moved, spend } from '../support/given-moves.ts';

const at = '2026-11-22T10:00:00.000Z';

describe('a claim that moves', () => {
  const answer = 'response:00000000000000a1';
  const claim = (key: string, time = at, claimed = spend) =>
    event('pi.subagent.claimed.v1', { at: time }, { key, claimed });
  const account = (keys: string[]) =>
    event('pi.subagent.accounted.v1', { at }, { keys, accounted: spend });
  const rowOf = (given: readonly LedgerEvent[], projection = sessions) =>
    fold(projection, given, { isReloaded: true }).rows(usage, 'session', 'kind')['s1,tool'];

  it('takes nothing with it that it never counted: its spend was not reported', () => {
    const silent = claim(answer, at, spendOf({ reported: false }));
    const { claims } =
      fold(sessions, [claim(answer), moved(silent, 'out', 's1')]).states.get('s1') ?? {};
    expect(claims).toEqual(fold(sessions, [claim(answer)]).states.get('s1')?.claims);
  });

  it('takes an answer with it that was claimed twice: rather too little than twice', () => {
    const [first, second] = [claim(answer), claim(answer, '2026-11-22T10:01:00.000Z')];
    expect(rowOf([first, second, moved(second, 'out', 's1')])).toBeUndefined();
    expect(rowOf([first, second, moved(second, 'out', 's1'), claim(answer)])).toMatchObject({
      records: 1n,
      nanoUsd: 5_000n,
    });
  });

  it('leaves an answer that is accounted for: nothing of it counts', () => {
    const given = [claim(answer), account(['turn:t1', answer])];
    expect(rowOf([...given, moved(claim(answer), 'out', 's1')])).toBeUndefined();
    expect(rowOf([...given, moved(claim(answer), 'out', 's1'), claim(answer)])).toBeUndefined();
  });

  it('leaves what is accounted for to the claims that stay', () => {
    const [first, second] = [claim('agent:A'), claim('agent:A', '2026-11-22T10:01:00.000Z')];
    expect(rowOf([first, second, account(['agent:A'])])).toMatchObject({ records: 1n });
    expect(rowOf([first, second, account(['agent:A']), moved(first, 'out', 's1')])).toBeUndefined();
  });

  it('takes nothing when the session does not have it', () => {
    const own = claim('agent:A');
    for (const foreign of [
      claim('agent:A', at, { ...spend, model: 'other' }),
      claim('agent:B'),
      claim('agent:A', '2026-11-22T11:00:00.000Z'),
      claim(answer),
    ]) {
      expect(rowOf([own, moved(foreign, 'out', 's1')])).toMatchObject({
        records: 1n,
        nanoUsd: 5_000n,
      });
    }
  });

  it('takes nothing with it when it was of nothing', () => {
    const none = claim(
      'agent:A',
      at,
      spendOf({ reported: false, inputTokens: 0, costNanoUsd: null, costSource: 'unpriced' }),
    );
    expect(rowOf([claim('agent:A'), none, moved(none, 'out', 's1')])).toMatchObject({
      records: 1n,
      nanoUsd: 5_000n,
    });
  });

  it('leaves the sum, where only sums are compared', () => {
    const small = createSessions(noRules, { ...limitsWide, claimsMax: 1 });
    const [first, second] = [claim('agent:A'), claim(answer, at, { ...spend, model: 'other' })];
    const third = claim('agent:B', '2026-11-22T10:01:00.000Z');
    const given = [first, second, third, account(['agent:C']), moved(second, 'out', 's1')];
    expect(rowOf(given, small)).toMatchObject({ inputTokens: 100n, nanoUsd: 5_000n });
    expect(rowOf([...given, moved(first, 'out', 's1')], small)).toBeUndefined();
  });

  it('leaves the sums of other models, where only sums are compared', () => {
    const pooling = createSessions(noRules, { ...limitsWide, claimsMax: 0 });
    const of = (provider: string, model: string, inputTokens: number) =>
      claim('agent:A', at, spendOf({ provider, model, inputTokens }));
    const claims = [of('a', 'x', 1), of('a', 'y', 10), of('b', 'x', 100)];
    const none = claim(
      'agent:A',
      at,
      spendOf({ provider: 'a', model: 'x', reported: false, inputTokens: 0, costNanoUsd: null }),
    );
    const sumsWith = (...more: LedgerEvent[]) =>
      fold(pooling, [...claims, ...more]).sums(usage, 'inputTokens', 'provider', 'model');
    const all = { 'a,x': 1n, 'a,y': 10n, 'b,x': 100n };
    expect(sumsWith(none, moved(none, 'out', 's1'))).toEqual(all);
    expect(fold(pooling, [...claims, moved(none, 'out', 's1')]).sums(usage, 'records')).toEqual({
      '': 3n,
    });
    for (const each of claims) {
      const { provider, model } = (each.data as EventData<'pi.subagent.claimed.v1'>).claimed;
      const left = Object.entries(all).filter(([key]) => key !== `${provider},${model}`);
      expect(sumsWith(moved(each, 'out', 's1'))).toEqual(Object.fromEntries(left));
    }
  });

  it('takes no room any more among those that a session may have', () => {
    const small = createSessions(noRules, { ...limitsWide, claimsMax: 4 });
    const [first, second, third] = [
      claim('agent:A'),
      claim('agent:B'),
      claim('agent:A', '2026-11-22T10:01:00.000Z'),
    ];
    const state = fold(small, [first, moved(first, 'out', 's1'), second, third], {
      isReloaded: false,
    }).states.get('s1');
    expect(state?.claims).toMatchObject({ isPooled: false, sharedClaims: 2 });
  });
});

describe('a tool call that moves', () => {
  const call = (toolName: string, isError = false) =>
    event('pi.tool.completed.v1', { at }, { toolName, isError, spend: null });
  const small = createSessions(noRules, { ...limitsWide, toolNamesMax: 1 });
  const toolsOf = (given: readonly LedgerEvent[]) => [
    ...(fold(small, given).states.get('s1')?.tools.values() ?? []),
  ];

  it('is taken off those that count as one, where its name does', () => {
    const [read, write] = [call('read', true), call('write', true)];
    expect(toolsOf([call('bash'), read, write, moved(read, 'out', 's1')])).toEqual([
      { name: 'bash', calls: 1, errors: 0 },
      { name: '(other)', calls: 1, errors: 1 },
    ]);
    expect(toolsOf([call('bash'), read, moved(read, 'out', 's1')])).toEqual([
      { name: 'bash', calls: 1, errors: 0 },
    ]);
  });

  it('takes nothing where there is none such', () => {
    expect(toolsOf([call('bash'), moved(call('read'), 'out', 's1')])).toEqual([
      { name: 'bash', calls: 1, errors: 0 },
    ]);
  });
});
