/** Budgets whose limit is raised for some days. Pure. */
import type { NamedBudget } from './definition.ts';
import { zoneOf } from './periods.ts';

/** With the limit that holds then. The version is that of the whole definition. */
export function limitedAt(budget: NamedBudget, atMs: number): NamedBudget {
  const { raisedTo, raisedUntil, ...usual } = budget.definition;
  if (raisedTo === undefined || raisedUntil === undefined) return budget;
  const isRaised = zoneOf(usual.timeZone).dayAt(atMs) <= raisedUntil;
  if (!isRaised) return { ...budget, definition: usual };
  return {
    ...budget,
    definition: { ...usual, limit: raisedTo },
    raised: { until: raisedUntil, usualLimit: usual.limit },
  };
}
