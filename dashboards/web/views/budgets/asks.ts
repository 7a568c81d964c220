import type { Budget } from '@pi-ledger/contract/answers';
import { type Ask, ask } from '../../api/ask.ts';
import { budgetsAsk } from '../overview/asks.ts';
import type { AsksOfView } from '../view.ts';
import type { Steps } from './steps.ts';

export const windowsAsk = ask('/v1/quota');
/** It covers the last 30 days. */
export const planHistoryAsk = ask('/v1/quota/history');
/** The newest. */
export const crossingsAsk = ask('/v1/budgets/crossings', { limit: 50 });
/** For administrators alone: others are shown nothing of it. */
export const deliveriesAsk = ask('/v1/budgets/deliveries');

/** What a budget counts, by day or hour, of its period and the one before. */
export function stepsAsk(budget: Budget, { by, since, until }: Steps) {
  const { project, user, model, provider, label, timeZone } = budget;
  const of = (value: string | null) => value ?? undefined;
  return ask('/v1/usage', {
    ...{ by, since, until, timezone: timeZone, limit: 1_000 },
    ...{ project: of(project), user: of(user), model: of(model), provider: of(provider) },
    label: of(label),
  });
}

export const budgetsAsks: AsksOfView = (): readonly Ask<unknown>[] => [
  budgetsAsk,
  crossingsAsk,
  windowsAsk,
  planHistoryAsk,
  deliveriesAsk,
];
