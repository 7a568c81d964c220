/**
 * What the collector last said of the budgets that touch a session: which changes are to be told,
 * and which budgets that act are over.
 *
 * Guarantees: one notice for each definition, period and change upwards in this process; what is
 * not known, or was said too long ago, is not over.
 */
import type { OverviewBudget } from '../asking/overview.ts';
import { budgetNotice } from './text.ts';

export interface Budgets {
  /** Notes an answer of the collector. Returns what people are to be told now. */
  note(sessionId: string, budgets: readonly OverviewBudget[]): readonly BudgetNotice[];
  /** Hard budgets that are over, and not allowed. Contract: one look-up if there are none. */
  inTheWay(sessionId: string): readonly OverviewBudget[];
  /** Budgets that are over and end headless runs. Contract: as `inTheWay`. */
  ending(sessionId: string): readonly OverviewBudget[];
  /** A person said that prompts may be sent all the same: for an hour, at most for the period. */
  allow(sessionId: string, budgets: readonly OverviewBudget[]): void;
}

interface BudgetNotice {
  readonly text: string;
  /** `info`: it was so before this process looked. */
  readonly kind: 'info' | 'warning';
}

/** For longer, an answer says nothing of now. */
export const freshMs = 300_000;
export const allowedMs = 3_600_000;

const nothing: readonly never[] = [];
/** A collector reports these states; a notice by forecast ranks between the first two. */
const rankOf: ReadonlyMap<string | null, number> = new Map([
  ['ok', 0],
  ['warning', 2],
  ['over', 3],
]);
const likelyRank = 1;

export function createBudgets(nowMs: () => number): Budgets {
  /** By definition: the highest state of its last period. */
  const highest = new Map<string, { readonly start: string | null; readonly rank: number }>();
  const over = new Map<
    string,
    { readonly atMs: number; readonly budgets: readonly OverviewBudget[] }
  >();
  /** Until when, ms since 1970. */
  const allowed = new Map<string, number>();

  function noticeOf(budget: OverviewBudget): readonly BudgetNotice[] {
    const isExpected = budget.state === 'ok' && budget.expected !== null;
    const rank = isExpected ? likelyRank : rankOf.get(budget.state);
    if (rank === undefined) return nothing;
    const start = budget.period?.start ?? null;
    const definition = definitionKey(budget);
    const before = highest.get(definition);
    const rankBefore = before?.start === start ? before.rank : 0;
    highest.set(definition, { start, rank: Math.max(rank, rankBefore) });
    if (rank <= rankBefore) return nothing;
    if (before !== undefined) return [{ text: budgetNotice(budget), kind: 'warning' }];
    return budget.state === 'over' ? [{ text: budgetNotice(budget), kind: 'info' }] : nothing;
  }

  function overNow(sessionId: string, now: number): readonly OverviewBudget[] {
    const known = over.get(sessionId);
    if (known === undefined || isOld(known.atMs, now)) return nothing;
    return known.budgets.filter((budget) => now < periodEndMs(budget));
  }

  return {
    note(sessionId, budgets) {
      const atMs = nowMs();
      for (const [id, known] of over) if (isOld(known.atMs, atMs)) over.delete(id);
      const acting = budgets.filter(
        ({ isHard, endsHeadlessRuns, state }) => (isHard || endsHeadlessRuns) && state === 'over',
      );
      if (acting.length > 0) over.set(sessionId, { atMs, budgets: acting });
      else over.delete(sessionId);
      return budgets.flatMap(noticeOf);
    },
    inTheWay(sessionId) {
      const now = nowMs();
      return overNow(sessionId, now).filter(
        (budget) => budget.isHard && now >= (allowed.get(consentKey(sessionId, budget)) ?? 0),
      );
    },
    ending: (sessionId) =>
      overNow(sessionId, nowMs()).filter(({ endsHeadlessRuns }) => endsHeadlessRuns),
    allow(sessionId, budgets) {
      const now = nowMs();
      for (const [key, untilMs] of allowed) if (untilMs <= now) allowed.delete(key);
      for (const budget of budgets)
        allowed.set(consentKey(sessionId, budget), Math.min(now + allowedMs, periodEndMs(budget)));
    },
  };
}

/** A clock that was set back makes it old as well. */
function isOld(atMs: number, nowMs: number): boolean {
  return nowMs - atMs > freshMs || nowMs < atMs;
}

/** ms since 1970; without a known end, never. */
function periodEndMs({ period }: OverviewBudget): number {
  const endMs = Date.parse(period?.end ?? '');
  return Number.isNaN(endMs) ? Number.POSITIVE_INFINITY : endMs;
}

function definitionKey({ name, version }: OverviewBudget): string {
  return JSON.stringify([name, version]);
}

function consentKey(sessionId: string, budget: OverviewBudget): string {
  return JSON.stringify([sessionId, definitionKey(budget), budget.period?.start ?? null]);
}
