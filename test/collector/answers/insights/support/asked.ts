/** Insights as the API answers them of some events. It is noon on 2026-11-22. */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { Insight, Insights } from '@pi-ledger/contract/answers';
import { type AttributionWish, attributed, turn } from '../../../projections/support/given.ts';
import { get, ledgerHomes } from '../../../support/ledger.ts';

/** Nano-dollars. */
export const usd = 1_000_000_000;

/** `day`: `11-20`. */
export const at = (day: string) => `2026-${day}T08:00:00.000Z`;

interface AskedInsights {
  ask(events: readonly LedgerEvent[], query?: string): Promise<Insights>;
  ofKind(kind: string, events: readonly LedgerEvent[]): Promise<readonly Insight[]>;
  readonly holding: ReturnType<typeof ledgerHomes>['holding'];
}

/** Closes its ledgers after each test. */
export function askInsights(): AskedInsights {
  const { holding } = ledgerHomes();
  const ask: AskedInsights['ask'] = async (events, query = '') =>
    (await get(await holding(events), `/v1/insights?${query}`)).json();
  return {
    holding,
    ask,
    ofKind: async (kind, events) =>
      (await ask(events, 'limit=100')).rows.filter((row) => row.kind === kind),
  };
}

let sessions = 0;

export function newSession(): string {
  sessions += 1;
  return lastSession();
}

/** The id of the session that was made last, or of one before it. */
export function lastSession(before = 0): string {
  return `session-${sessions - before}`;
}

/** A session of one turn. */
export function spent(day: string, dollars: number, wish: AttributionWish = {}, model = 'sonnet') {
  return turnOf(day, { costNanoUsd: dollars * usd, model }, wish);
}

/** A session of one turn. */
export function turnOf(day: string, spend: Parameters<typeof turn>[1], wish: AttributionWish = {}) {
  const id = newSession();
  return [attributed(at(day), wish, id), turn(at(day), spend, id)];
}
