/** Tool results that say which subagents they are about. */
import type { EventData, LedgerEvent, Spend } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { event, spendOf } from '../support/given.ts';
import { at, inAnyOrder } from '../support/given-claims.ts';

type Link = EventData<'pi.subagent.linked.v1'>;

const later = '2026-11-22T11:00:00.000Z';

const spent = (inputTokens: number): Spend =>
  spendOf({ inputTokens, outputTokens: 0, costNanoUsd: inputTokens * 10 });

const result = (entryId: string, inputTokens: number, turnEntryId = 't1'): LedgerEvent =>
  event('pi.tool.completed.v1', { at }, { entryId, turnEntryId, spend: spent(inputTokens) });

const names = (entryId: string, ref: string): LedgerEvent =>
  event('pi.subagent.linked.v1', { at }, {
    entryId,
    childSessionId: null,
    ref,
    agentName: 'scout',
  } satisfies Link);

const isCalled = (childSessionId: string, ref: string): LedgerEvent =>
  event('pi.subagent.linked.v1', { at }, {
    entryId: null,
    childSessionId,
    ref,
    agentName: null,
  } satisfies Link);

const account = (
  child: string,
  inputTokens: number,
  key = `session:${child}`,
  time = at,
): LedgerEvent =>
  event(
    'pi.subagent.accounted.v1',
    { at: time },
    {
      childSessionId: child,
      childEntryId: `${child}-${inputTokens}`,
      keys: [key],
      accounted: spent(inputTokens),
    },
  );

const tokensOf = (given: readonly LedgerEvent[]) => inAnyOrder(given)?.inputTokens ?? 0n;

describe('a tool result that names its subagents', () => {
  it('counts nothing where their records cover it, by id and by file', () => {
    expect(tokensOf([result('r1', 100), names('r1', 'session:c1'), account('c1', 100)])).toBe(0n);
    const byFile = [
      result('r1', 100),
      names('r1', 'file:run/run-0/session.jsonl'),
      isCalled('c1', 'file:run/run-0/session.jsonl'),
      account('c1', 100),
    ];
    expect(tokensOf(byFile)).toBe(0n);
  });

  it('counts what those have not recorded whose session is gone', () => {
    const given = [
      result('r1', 100),
      names('r1', 'session:c1'),
      names('r1', 'session:c2'),
      account('c1', 60),
    ];
    expect(tokensOf(given)).toBe(40n);
  });

  it('leaves other tool results of its turn alone, whatever its subagents spent later', () => {
    const given = [
      result('r1', 100),
      result('r2', 7),
      names('r1', 'session:c1'),
      account('c1', 250, 'turn:t1'),
    ];
    expect(tokensOf(given)).toBe(7n);
  });

  it('is covered though another turn than its own began the subagent', () => {
    const given = [
      result('r2', 100, 't2'),
      result('r3', 5),
      names('r2', 'session:c1'),
      account('c1', 100, 'turn:t1'),
    ];
    expect(tokensOf(given)).toBe(5n);
  });

  it('is covered each time that a subagent works on', () => {
    const given = [
      result('r1', 40),
      result('r2', 60, 't2'),
      names('r1', 'session:c1'),
      names('r2', 'session:c1'),
      account('c1', 100),
    ];
    expect(tokensOf(given)).toBe(0n);
  });
});

describe('tool results of a turn that may be about the same subagents', () => {
  const both = (...children: readonly string[]) =>
    children.flatMap((child) => [names('r1', `session:${child}`), names('r2', `session:${child}`)]);
  const results = [result('r1', 100), result('r2', 100)];

  it('are covered by as many as there are', () => {
    expect(tokensOf([...results, ...both('c1'), account('c1', 100)])).toBe(100n);
    const two = [account('c1', 100), account('c2', 100)];
    expect(tokensOf([...results, ...both('c1', 'c2'), ...two])).toBe(0n);
  });

  it('are so by way of a third, too', () => {
    const third = [result('r3', 100), names('r3', 'session:c1'), names('r3', 'session:c2')];
    const given = [...results, names('r1', 'session:c1'), names('r2', 'session:c2'), ...third];
    expect(tokensOf([...given, account('c1', 100), account('c2', 100)])).toBe(100n);
  });
});

describe('a subagent that goes on after the tool result', () => {
  const claims = [result('r1', 100), names('r1', 'session:c1'), names('r1', 'session:c2')];
  const goesOn = (inputTokens: number, time: string) => account('c1', inputTokens, undefined, time);

  it('covers nothing of it with what it spends later', () => {
    expect(tokensOf([...claims, goesOn(40, at), goesOn(50, later)])).toBe(60n);
  });

  it('covers a later result with all that it spent until then', () => {
    const again = event(
      'pi.tool.completed.v1',
      { at: later },
      {
        entryId: 'r2',
        turnEntryId: 't2',
        spend: spent(90),
      },
    );
    const given = [again, names('r2', 'session:c1'), goesOn(40, at), goesOn(50, later)];
    expect(tokensOf([...claims, ...given])).toBe(60n);
  });
});

describe('a subagent that only tells its turn', () => {
  it('covers what the turn’s tools spent, once', () => {
    const given = [result('r1', 100), isCalled('c1', 'turn:t1'), account('c1', 100)];
    expect(tokensOf(given)).toBe(0n);
    const said = [result('r1', 150), isCalled('c1', 'turn:t1'), account('c1', 100, 'turn:t1')];
    expect(tokensOf(said)).toBe(50n);
  });

  it('takes nothing from a tool result while no result that claims is about it', () => {
    const launched = event(
      'pi.tool.completed.v1',
      { at },
      {
        entryId: 'r0',
        turnEntryId: 't1',
        spend: null,
      },
    );
    const given = [
      launched,
      names('r0', 'session:c1'),
      result('r1', 100),
      account('c1', 100, 'turn:t1'),
    ];
    expect(tokensOf(given)).toBe(0n);
  });
});
