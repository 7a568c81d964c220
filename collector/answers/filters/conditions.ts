/** Turns query parameters into conditions on a view. */

import { instantMs, isDay } from '@pi-ledger/core/time/day';
import { LedgerError } from '../../errors.ts';
import type { Condition } from '../../views/views.ts';
import type { Period, UsageFilters } from './filters.ts';

/** `columns` maps filters to columns. */
export function filterConditions(
  filters: UsageFilters,
  columns: { readonly [name in keyof UsageFilters]?: string },
): Condition[] {
  return (Object.keys(columns) as (keyof UsageFilters)[]).flatMap((name) => {
    const values = filters[name];
    const column = columns[name];
    return values === undefined || column === undefined
      ? []
      : [{ column, is: 'in' as const, values }];
  });
}

const usageColumns = {
  project: 'project',
  branch: 'branch',
  user: 'user',
  machine: 'machine',
  host: 'host',
  provider: 'provider',
  model: 'model',
  kind: 'kind',
  session: 'session',
  agentKind: 'agentKind',
  agent: 'agent',
  thinking: 'thinking',
  costSource: 'costSource',
  stopReason: 'stopReason',
} as const satisfies { [name in keyof Omit<UsageFilters, 'label'>]: string };

/** Conditions on the rollup `usage`. */
export function usageConditions(filters: UsageFilters): Condition[] {
  return filterConditions(filters, usageColumns);
}

/**
 * A moment that a user names: a whole day, local to the spender, or the UTC hour that contains an
 * instant.
 */
export type Moment =
  | { readonly kind: 'day'; readonly day: string }
  | { readonly kind: 'hour'; readonly hour: string };

/** Days are inclusive at both ends; an instant as the end is exclusive. */
export function periodConditions(
  { since, until }: Period,
  columns: { readonly day: string; readonly hour: string },
): Condition[] {
  const conditions: Condition[] = [];
  const from = parseMoment('since', since);
  const to = parseMoment('until', until);
  if (from !== null) conditions.push({ ...columnOf(from, columns), is: 'from' });
  const end = to?.kind === 'day' ? dayAfter(to.day) : to;
  if (end !== null) conditions.push({ ...columnOf(end, columns), is: 'before' });
  return conditions;
}

/** Returns null when the parameter is absent; throws `bad_parameter` when it is not a moment. */
export function parseMoment(field: 'since' | 'until', text: string | undefined): Moment | null {
  if (text === undefined) return null;
  if (isDay(text)) return { kind: 'day', day: text };
  const atMs = instantMs(text);
  if (atMs === null) {
    throw new LedgerError('bad_parameter', {
      field,
      message: `${field}: must be a day (2026-11-22) or an instant (2026-11-22T14:00:00Z).`,
    });
  }
  return { kind: 'hour', hour: new Date(atMs).toISOString().slice(0, 13) };
}

/** Returns null after the last day of a four-digit year: nothing comes after it. */
export function dayAfter(day: string): Extract<Moment, { kind: 'day' }> | null {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return next.startsWith('+') ? null : { kind: 'day', day: next };
}

function columnOf(
  moment: Moment,
  columns: { readonly day: string; readonly hour: string },
): Pick<Condition, 'column' | 'values'> {
  return moment.kind === 'day'
    ? { column: columns.day, values: [moment.day] }
    : { column: columns.hour, values: [moment.hour] };
}
