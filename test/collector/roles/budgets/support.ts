/** A ledger whose budgets are looked at when a test says so. */
import type { BudgetDefinition, LedgerEvent } from '@pi-ledger/contract';
import { expect } from 'vitest';
import { type NamedBudget, nameBudget } from '../../../../collector/answers/budgets/definition.ts';
import { createSessions } from '../../../../collector/projections/sessions.ts';
import { createVerified } from '../../../../collector/projections/verified.ts';
import { appendOwn } from '../../../../collector/roles/budgets/append.ts';
import { lookAtBudgets } from '../../../../collector/roles/budgets/look.ts';
import type { Ledger } from '../../../../collector/roles/ledger.ts';

export function budget(name: string, wish: Partial<BudgetDefinition> = {}): NamedBudget {
  return nameBudget(name, {
    ...{ project: null, user: null, model: null, provider: null, label: null },
    ...{ per: 'day', unit: 'metered dollars', limit: '0.000001', warnAt: 80 },
    ...{ isHard: false, timeZone: 'UTC', ...wish },
  });
}

/** What a look now comes to; nothing is appended. */
export async function lookOnly(
  { subscription, parts }: Ledger,
  budgets: readonly NamedBudget[],
  at: string,
): Promise<readonly LedgerEvent[]> {
  await subscription.catchUp();
  const { config, store } = parts;
  const withdrawnAt = async () => (await store.log.withdrawals()).list.map(({ time }) => time);
  const { rules } = config;
  const asked = {
    ...{ views: store.views, sessions: createSessions(rules), verified: createVerified(rules) },
    withdrawnAt,
  };
  return lookAtBudgets({ ...asked, limits: config.quota }, budgets, Date.parse(at));
}

export async function look(
  ledger: Ledger,
  budgets: readonly NamedBudget[],
  at: string,
): Promise<readonly LedgerEvent[]> {
  const events = await lookOnly(ledger, budgets, at);
  await appendOwn(ledger.ingest, events);
  return events;
}

/** `warning at 900`, `ok at 100, again`. */
export function crossingsIn(events: readonly LedgerEvent[]): string[] {
  return events
    .filter((event) => event.type === 'pi.budget.crossed.v1')
    .map(
      ({ data: { budget, number, to, used, isFirst } }) =>
        `${budget} ${number} ${to} at ${used}${isFirst ? '' : ', no notice'}`,
    );
}

export async function accept(ledger: Ledger, events: readonly LedgerEvent[]): Promise<void> {
  expect(await ledger.ingest.accept(events)).toMatchObject({ rejected: [] });
}

/** All documents of the view, as they are stored. */
export async function documentsOf({ views, subscription }: Ledger): Promise<unknown> {
  await subscription.catchUp();
  const { budgets } = await import('../../../../collector/projections/budgets.ts');
  return views.find(budgets, {
    where: [],
    orderBy: { column: 'key', descending: false },
    limit: 1_000,
  });
}
