/** What a label after the fact is for: the sessions that fit, and what their records come to. */
import type { EventData } from '@pi-ledger/contract';
import type { Labelled } from '@pi-ledger/contract/answers';
import { instantMs, isDay } from '@pi-ledger/core/time/day';
import { LedgerError } from '../../errors.ts';
import type { SessionState } from '../../projections/session/document.ts';
import { isSaidLast } from '../../projections/session/notes/notes.ts';
import { selectionNames, selects } from '../../projections/session/notes/select.ts';
import { usage } from '../../projections/usage.ts';
import type { Condition, SumRow } from '../../views/views.ts';
import { dayAfter } from '../filters/conditions.ts';
import { cellsOf } from '../spend/cells.ts';
import type { UsageViews } from '../views/usage-views.ts';

type Billing = keyof Labelled['byBilling'];
type Labelling = EventData<'pi.records.labelled.v1'>;

export interface LabelPlan {
  /** `changed` is how many of them have it new. */
  readonly answer: Labelled;
  /** The ids of those. */
  readonly sessions: readonly string[];
}

/** A day, or an instant rounded down to the minute. Throws `bad_parameter` for anything else. */
export function expectDayOrMinute(field: 'since' | 'until', text: string): string {
  if (isDay(text)) return text;
  const ms = instantMs(text);
  if (ms !== null) return `${new Date(ms).toISOString().slice(0, 16)}Z`;
  const message = `${field}: must be a day (2026-11-22) or an instant (2026-11-22T14:00:00Z).`;
  throw new LedgerError('bad_parameter', { field, message });
}

export async function planLabels(asked: UsageViews, labelling: Labelling): Promise<LabelPlan> {
  const where = roughConditions(labelling.records);
  const rows = await asked.views.sum(asked.sessions, usage, { by: ['session'], where });
  const ids = rows.map(({ dimensions }) => dimensions.session ?? '').toSorted();
  const sessions: string[] = [];
  const fitting: SumRow[] = [];
  let count = 0;
  for (let from = 0; from < ids.length; from += documentsPerQuery) {
    const some = ids.slice(from, from + documentsPerQuery);
    for (const { body } of await asked.views.find(asked.sessions, documentsOf(some))) {
      const state = asked.sessions.decode(body);
      const own = fittingCells(state, labelling);
      if (own.length === 0) continue;
      count += 1;
      fitting.push(...own);
      if (!isSaidLast(state.timeline.notes, labelling)) sessions.push(state.id);
    }
  }
  return { answer: { sessions: count, changed: sessions.length, ...sumOf(fitting) }, sessions };
}

const documentsPerQuery = 200;

function documentsOf(ids: readonly string[]) {
  return {
    where: [{ column: 'key', is: 'in' as const, values: ids }],
    orderBy: { column: 'key', descending: false },
    limit: ids.length,
  };
}

/** They let through every hour with a minute that fits. */
function roughConditions({ since, until, ...names }: Labelling['records']): Condition[] {
  const conditions: Condition[] = selectionNames.flatMap((name) => {
    const value = names[name];
    return value === null ? [] : [{ column: name, is: 'in' as const, values: [value] }];
  });
  if (since !== null) {
    const column = isDay(since) ? 'day' : 'hour';
    conditions.push({ column, is: 'from', values: [isDay(since) ? since : hourOf(since)] });
  }
  const end = until === null || !isDay(until) ? null : dayAfter(until);
  if (end !== null) conditions.push({ column: 'day', is: 'before', values: [end.day] });
  if (until !== null && !isDay(until))
    conditions.push({ column: 'hour', is: 'before', values: [`${hourOf(until)}~`] });
  return conditions;
}

function hourOf(minute: string): string {
  return minute.slice(0, 13);
}

function fittingCells(state: SessionState, { records }: Labelling): SumRow[] {
  return [...cellsOf(state)].filter(({ minute, dimensions }) => {
    const named = Object.fromEntries(selectionNames.map((name) => [name, dimensions[name] ?? '']));
    const place = { ...emptyPlace, ...named, day: dimensions.day ?? '', minute };
    return selects(records, place);
  });
}

const emptyPlace = {
  project: '',
  branch: '',
  user: '',
  machine: '',
  host: '',
  provider: '',
  model: '',
};

function sumOf(cells: readonly SumRow[]): Omit<Labelled, 'sessions' | 'changed'> {
  const sum = (measure: string, billing?: Billing): bigint =>
    cells
      .filter(({ dimensions }) => billing === undefined || dimensions.billing === billing)
      .reduce((total, { measures }) => total + (measures[measure] ?? 0n), 0n);
  const without = (billing: Billing) => ({
    unpricedRecords: Number(sum('unpricedRecords', billing)),
    unreportedRecords: Number(sum('unreportedRecords', billing)),
  });
  return {
    records: Number(sum('records')),
    meteredNanoUsd: sum('nanoUsd', 'metered').toString(),
    subscriptionNanoUsd: sum('nanoUsd', 'subscription').toString(),
    unknownBillingNanoUsd: sum('nanoUsd', 'unknown').toString(),
    unpricedRecords: Number(sum('unpricedRecords')),
    byBilling: {
      metered: without('metered'),
      subscription: without('subscription'),
      unknown: without('unknown'),
    },
  };
}
