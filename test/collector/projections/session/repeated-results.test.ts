/** Tool results that say again what another one says. */
import type { LedgerEvent, Spend } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { event, spendOf } from '../support/given.ts';
import { at, inAnyOrder } from '../support/given-claims.ts';

const later = '2026-11-22T11:00:00.000Z';

const spent = (inputTokens: number, outputTokens = 1): Spend =>
  spendOf({ inputTokens, outputTokens, costNanoUsd: inputTokens * 10 });

interface Given {
  readonly refs: readonly string[];
  readonly turn?: string;
  readonly time?: string;
  readonly spend?: Spend;
}

const result = (id: string, input: number, { refs, turn = 't1', time = at, spend }: Given) => [
  event(
    'pi.tool.completed.v1',
    { at: time },
    { entryId: id, turnEntryId: turn, spend: spend ?? spent(input) },
  ),
  ...refs.map((ref) =>
    event(
      'pi.subagent.linked.v1',
      { at: time },
      { entryId: id, childSessionId: null, ref, agentName: null },
    ),
  ),
];

const account = (child: string, inputTokens: number): LedgerEvent =>
  event(
    'pi.subagent.accounted.v1',
    { at },
    {
      childSessionId: child,
      childEntryId: `${child}-${inputTokens}`,
      keys: ['turn:t1'],
      accounted: spent(inputTokens),
    },
  );

const tokensOf = (...given: readonly (readonly LedgerEvent[])[]) =>
  inAnyOrder(given.flat())?.inputTokens ?? 0n;

const run = { refs: ['session:c1', 'run:1'] };

describe('a run that is collected again', () => {
  it('counts once in one turn and in two, where the session is gone', () => {
    expect(tokensOf(result('r1', 100, run), result('r2', 100, run))).toBe(100n);
    const next = { ...run, turn: 't2', time: later };
    expect(tokensOf(result('r1', 100, run), result('r2', 100, next))).toBe(100n);
  });

  it('counts once beside a result of the same turn that is about another run', () => {
    const other = result('r3', 7, { refs: ['session:c1', 'run:2'] });
    expect(tokensOf(result('r1', 100, run), result('r2', 100, run), other)).toBe(107n);
  });

  it('counts nothing beside what the subagent recorded', () => {
    const both = [result('r1', 100, run), result('r2', 100, run)];
    expect(tokensOf(...both, [account('c1', 100)])).toBe(0n);
  });

  it('counts with all that any result says of it', () => {
    const part = result('r1', 40, run);
    expect(tokensOf(part, result('r2', 100, run))).toBe(100n);
    expect(tokensOf(part, result('r2', 100, { ...run, turn: 't2', time: later }))).toBe(100n);
    const two = result('r2', 100, { refs: ['run:1', 'run:of-c2'] });
    expect(tokensOf(part, result('r3', 60, { refs: ['run:of-c2'] }), two)).toBe(100n);
  });

  it('counts each part of it of which no result says all', () => {
    const less = { ...run, spend: spent(120, 0) };
    expect(tokensOf(result('r1', 100, run), result('r2', 120, less))).toBe(220n);
    const wider = result('r1', 100, { refs: ['run:1', 'run:of-c2'] });
    expect(tokensOf(wider, result('r2', 120, run))).toBe(220n);
  });
});

describe('results about one subagent of which no run is told', () => {
  const same = { refs: ['session:c1', 'same:1'] };

  it('are about the same run where they say the same', () => {
    const next = { ...same, turn: 't2', time: later };
    expect(tokensOf(result('r1', 100, same), result('r2', 100, next))).toBe(100n);
    const dearer = { ...next, spend: { ...spent(100), costNanoUsd: 1_001 } };
    expect(tokensOf(result('r1', 100, same), result('r2', 100, dearer))).toBe(200n);
  });

  it('are about two where one says more', () => {
    expect(tokensOf(result('r1', 40, same), result('r2', 100, same))).toBe(140n);
  });
});

it('two runs of one subagent that spent the same count both', () => {
  const other = { refs: ['session:c1', 'run:2'] };
  expect(tokensOf(result('r1', 100, run), result('r2', 100, other))).toBe(200n);
});
