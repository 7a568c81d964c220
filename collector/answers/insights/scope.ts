/** What insights are narrowed to. */
import type { UsageFilters } from '../filters/filters.ts';
import type { Period } from './period.ts';

export type InsightFilters = Pick<
  UsageFilters,
  'project' | 'user' | 'provider' | 'model' | 'host' | 'label'
>;

/** The same days and filters, for a command that takes them. */
export function optionsOf({ since, until, isOver }: Period, filters: InsightFilters): string[] {
  const narrowed = Object.entries(filters).flatMap(([name, values]) =>
    values.flatMap((value) => [`--${name}`, value]),
  );
  return ['--since', since, ...(isOver ? ['--until', until] : []), ...narrowed];
}

/**
 * Contexts are read of whole sessions, and narrowed by project and provider alone. Empty: nothing
 * else is asked.
 */
export function wholeWords({ user, model, host, label }: InsightFilters): readonly string[] {
  return [user, model, host, label].every((values) => values === undefined)
    ? []
    : ['caches, compactions and results are those of whole sessions with such records'];
}
