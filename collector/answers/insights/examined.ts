/**
 * The contexts of the sessions that spent most, as far as insights look into them: which answers
 * missed the cache, what compactions brought, which tool results were carried along.
 *
 * Bounded by sessions and entries; `leftOut` says what was not read. Each item belongs to the
 * billing of its provider at its time, like spend.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Projection } from '../../projections/projection.ts';
import { localDayText, toMinute } from '../../projections/session/calendar.ts';
import type { SessionState } from '../../projections/session/document.ts';
import { labelsAt } from '../../projections/session/timeline-labels.ts';
import type { AuditRow, SummaryRow } from '../context/audit.ts';
import type { CacheMiss } from '../context/cache-misses.ts';
import type { SessionContexts } from '../contexts/contexts.ts';
import type { SessionContext } from '../contexts/session-context.ts';
import { wholeSessions } from '../sessions/whole-sessions.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import { type CarriedResult, carriedResults } from './carried-results.ts';
import type { Period } from './period.ts';
import { type InsightFilters, wholeWords } from './scope.ts';
import { counted } from './text.ts';

interface Placed {
  readonly session: string;
  readonly project: string;
  readonly billing: string;
}

export interface Examined {
  readonly misses: readonly (CacheMiss & Placed)[];
  readonly compactions: readonly (SummaryRow & Placed)[];
  readonly results: readonly (CarriedResult & Placed)[];
  /** Empty: everything was read. */
  readonly leftOut: readonly string[];
}

export interface ExamineOptions {
  readonly visible: VisibleViews;
  readonly contexts: SessionContexts;
  /** The projection with the rules that the views are folded with. */
  readonly sessions: Projection<SessionState>;
  readonly period: Period;
  readonly filters: InsightFilters;
  /** Those that spent most first. */
  readonly ids: readonly string[];
}

const sessionsMax = 100;
/** Entries of all sessions together; a session of 20,000 turns has 60,000. */
const entriesMax = 300_000;

export async function examine(options: ExamineOptions): Promise<Examined> {
  const { visible, contexts, sessions, ids } = options;
  const wanted = ids.slice(0, sessionsMax);
  const documents = await visible.views.find(sessions, {
    where: [{ column: 'key', is: 'in', values: wanted }],
    orderBy: { column: 'key', descending: false },
    limit: Math.max(1, wanted.length),
  });
  const states = new Map(documents.map(({ key, body }) => [key, sessions.decode(body)]));
  const rank = new Map(wanted.map((id, index) => [id, index]));
  const whole = (await wholeSessions(visible, documents)).toSorted(
    (left, right) => (rank.get(left.state.id) ?? 0) - (rank.get(right.state.id) ?? 0),
  );
  const found: Omit<Examined, 'leftOut'>[] = [];
  let entries = 0;
  for (const session of whole) {
    if (entries >= entriesMax) break;
    const context = await contexts.open(session);
    entries += context.entries;
    const state = states.get(session.state.id) ?? session.state;
    found.push(itemsOf(context, placer(state, options)));
    await nextTurn();
  }
  return {
    misses: found.flatMap(({ misses }) => misses),
    compactions: found.flatMap(({ compactions }) => compactions),
    results: found.flatMap(({ results }) => results),
    leftOut: [
      ...(found.length === ids.length ? [] : [fewWords(found.length, ids.length)]),
      ...wholeWords(options.filters),
    ],
  };
}

function fewWords(read: number, all: number): string {
  return `contexts of ${read} of ${counted(all, 'session')} were read, those that spent most`;
}

/** It returns null outside the period, for ignored projects, and for what the filters leave out. */
type Place = (time: string, provider: string) => Placed | null;

function placer(
  { id, timeline }: SessionState,
  { period: { since, until, isOver }, filters }: Pick<ExamineOptions, 'period' | 'filters'>,
): Place {
  return (time, provider) => {
    const minute = toMinute(time);
    const { project, billing, isIgnored, utcOffsetMinutes } = labelsAt(timeline, minute, provider);
    const day = localDayText(minute, utcOffsetMinutes);
    const isOutside = day < since || (isOver && day > until);
    const isOther =
      filters.project?.includes(project) === false ||
      filters.provider?.includes(provider) === false;
    return isIgnored || isOutside || isOther ? null : { session: id, project, billing };
  };
}

function itemsOf(context: SessionContext, place: Place): Omit<Examined, 'leftOut'> {
  const providerAt = (entryId: string): string => {
    const node = context.tree.node(entryId);
    const answer = node?.fact.kind === 'turn' ? node : node?.answer;
    return answer?.fact.kind === 'turn' ? answer.fact.provider : '';
  };
  const placed = <Item extends { readonly entryId: string; readonly time: string }>(item: Item) => {
    const at = place(item.time, providerAt(item.entryId));
    return at === null ? [] : [{ ...item, ...at }];
  };
  return {
    misses: context.cacheMisses().flatMap(placed),
    compactions: context.audit().filter(isCompaction).flatMap(placed),
    results: carriedResults(context).flatMap(placed),
  };
}

function isCompaction(row: AuditRow): row is SummaryRow {
  return row.kind === 'compaction';
}
