/** Units as from a session file or the log, for tests without either. */
import type { LogUnit } from '../../../../collector/reconcile/log-rows.ts';
import type { Unit } from '../../../../collector/reconcile/unit.ts';

export const noTokens = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  reasoning: 0,
  cacheWrite1h: 0,
};

export function aUnit(over: Partial<Unit> = {}): Unit {
  return {
    sessionId: 's',
    kind: 'turn',
    claimKey: null,
    turnEntryId: null,
    entryId: 'e1',
    timeMs: Date.parse('2026-03-01T09:00:00.000Z'),
    provider: 'p',
    model: 'm',
    tokens: { ...noTokens, input: 100 },
    reported: true,
    nanoUsd: 1_000,
    priceSource: 'catalog',
    identity: 'i1',
    ...over,
  };
}

export function aClaim(over: Partial<Unit> = {}): Unit {
  return aUnit({
    kind: 'claim',
    claimKey: 'agent:A',
    turnEntryId: 't1',
    provider: null,
    model: null,
    ...over,
  });
}

export function inLog(over: Partial<Unit> = {}, more: Partial<LogUnit> = {}): LogUnit {
  return { unit: aUnit(over), position: 7, eventId: 'id-7', imported: true, ...more };
}
