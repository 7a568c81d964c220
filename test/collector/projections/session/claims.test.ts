/** Subagents: answers recorded by those who gave them, and claimed by those who repeat them. */
import type { LedgerEvent, Spend } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { usage } from '../../../../collector/projections/usage.ts';
import { sessions } from '../support/bare-sessions.ts';
import { fold } from '../support/fold.ts';
import { event, spendOf } from '../support/given.ts';
import { answer, at, claim, double, inAnyOrder } from '../support/given-claims.ts';

const later = '2026-11-22T10:05:00.000Z';

const account = (keys: string[], accounted: Spend, session = 's1'): LedgerEvent =>
  event('pi.subagent.accounted.v1', { at, session }, { keys, accounted });

const tool = (turnEntryId: string | null, spend: Spend, time = at): LedgerEvent =>
  event('pi.tool.completed.v1', { at: time }, { turnEntryId, spend });

const response = (number: number): string => `response:${number.toString(16).padStart(16, '0')}`;

describe('claims of subagents', () => {
  it('Subagents: a child’s own records count, the parent’s repetition does not', () => {
    expect(
      inAnyOrder([
        claim('agent:SubA', double),
        account(['agent:SubA'], answer),
        account(['agent:SubA'], answer),
      ]),
    ).toBeUndefined();
    expect(
      inAnyOrder([claim(response(1), answer), account(['turn:t1', response(1)], answer)]),
    ).toBeUndefined();
    expect(
      inAnyOrder([
        tool('t1', double),
        account(['turn:t1', response(1)], answer),
        account(['turn:t1', response(2)], answer),
      ]),
    ).toBeUndefined();
  });

  it('Subagents: an account that names no answer is of none', () => {
    const given = [account(['agent:SubA'], answer), account(['agent:SubB'], answer)];
    expect(fold(sessions, given).states.get('s1')?.claims.responses.size).toBe(0);
  });

  it('Subagents: what of the parent’s nested usage no child accounts for does count', () => {
    expect(
      inAnyOrder([claim('agent:SubA', answer), claim(response(1), answer), tool('t1', answer)]),
    ).toMatchObject({
      records: 3n,
      inputTokens: 300n,
      nanoUsd: 15_000n,
    });
  });

  it('Subagents: of a claim that is accounted for in part, the rest counts', () => {
    expect(
      inAnyOrder([claim('agent:SubA', double), account(['agent:SubA'], answer)]),
    ).toMatchObject({
      records: 1n,
      inputTokens: 100n,
      outputTokens: 20n,
      cacheReadTokens: 300n,
      cacheWriteTokens: 40n,
      nanoUsd: 5_000n,
    });
  });

  it('Subagents: an agent claimed twice counts what both claims have beyond it', () => {
    const given = [
      claim('agent:SubA', double, at),
      claim('agent:SubA', double, later),
      account(['agent:SubA'], double),
      account(['agent:SubA'], answer),
    ];
    expect(inAnyOrder(given)).toMatchObject({ records: 1n, inputTokens: 100n, nanoUsd: 5_000n });
  });

  it('Subagents: an answer in two tool results counts once, at the first claim', () => {
    const given = [
      claim(response(1), answer, '2026-11-22T11:00:00.000Z'),
      claim(response(1), answer, later),
      claim(response(1), answer, later),
    ];
    expect(inAnyOrder(given)).toMatchObject({ records: 1n, inputTokens: 100n, nanoUsd: 5_000n });
    expect(fold(sessions, given).sums(usage, 'records', 'hour')).toEqual({ '2026-11-22T10': 1n });
    expect(inAnyOrder([...given, account([response(1)], answer)])).toBeUndefined();
  });

  it('Subagents: answers claimed on their own cover nothing else of their turn', () => {
    const given = [
      tool('t1', answer),
      claim(response(1), answer),
      account(['turn:t1', response(1)], answer),
    ];
    expect(inAnyOrder(given)).toMatchObject({ records: 1n, inputTokens: 100n, nanoUsd: 5_000n });
  });

  it('counts nothing of a claim with covered tokens: the rest is rounding', () => {
    expect(
      inAnyOrder([
        claim('agent:SubA', { ...answer, costNanoUsd: 5_003 }),
        account(['agent:SubA'], answer),
      ]),
    ).toBeUndefined();
    expect(
      inAnyOrder([
        claim('agent:SubA', answer),
        account(['agent:SubA'], { ...answer, costNanoUsd: null }),
      ]),
    ).toBeUndefined();
  });

  it('counts a price without tokens, as far as it is not accounted for', () => {
    const priced = spendOf({ inputTokens: 0, costNanoUsd: 9 });
    expect(inAnyOrder([tool('t1', priced)])).toMatchObject({
      records: 1n,
      inputTokens: 0n,
      nanoUsd: 9n,
    });
    expect(
      inAnyOrder([
        tool('t1', priced),
        account(['turn:t1'], spendOf({ inputTokens: 0, costNanoUsd: 4 })),
      ]),
    ).toMatchObject({
      nanoUsd: 5n,
    });
    expect(inAnyOrder([tool('t1', priced), account(['turn:t1'], priced)])).toBeUndefined();
  });

  it('never leaves more reasoning than output', () => {
    const thinking = { ...double, reasoningTokens: 30 };
    expect(
      inAnyOrder([
        claim('agent:SubA', thinking),
        account(['agent:SubA'], { ...answer, reasoningTokens: null }),
      ]),
    ).toMatchObject({
      outputTokens: 20n,
      reasoningTokens: 20n,
    });
  });

  it('takes a claim without figures for none, and an account without figures too', () => {
    const none = spendOf({
      inputTokens: 0,
      costNanoUsd: null,
      reported: false,
      costSource: 'unpriced',
    });
    expect(inAnyOrder([claim('agent:SubA', none), tool('t1', none)])).toBeUndefined();
    const state = fold(sessions, [
      claim('agent:SubA', none),
      account(['agent:SubA'], none),
    ]).states.get('s1');
    expect(JSON.parse(sessions.encode(state as NonNullable<typeof state>))).toMatchObject({
      claims: null,
      usage: [],
    });
    expect(inAnyOrder([claim('agent:SubA', answer), account(['agent:SubA'], none)])).toMatchObject({
      records: 1n,
      inputTokens: 100n,
    });
  });

  it('counts a tool’s nested usage as it is where its turn is not known', () => {
    expect(inAnyOrder([tool(null, answer), account(['turn:t1'], answer)])).toMatchObject({
      records: 1n,
      inputTokens: 100n,
    });
  });

  it('counts unpriced claims as unpriced while something is left of them', () => {
    const unpriced = { ...double, costNanoUsd: null, costSource: 'unpriced' as const };
    expect(
      inAnyOrder([claim('agent:SubA', unpriced), account(['agent:SubA'], answer)]),
    ).toMatchObject({
      unpricedRecords: 1n,
      nanoUsd: 0n,
    });
    expect(
      inAnyOrder([claim('agent:SubA', unpriced), account(['agent:SubA'], double)]),
    ).toBeUndefined();
  });
});
