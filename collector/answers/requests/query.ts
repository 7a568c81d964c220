/**
 * The newest requests to models over all sessions: answers, failed attempts and summaries. Like
 * spend, a request belongs to the project, user, ... that its session had at the time.
 *
 * Sessions are read from the newest on, until no other can hold a newer request than those found,
 * or `sessionsMax` were read.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Request, RequestList } from '@pi-ledger/contract/answers';
import { readBilling } from '@pi-ledger/contract/billings';
import { toMinute } from '../../projections/session/calendar.ts';
import { labelsAt } from '../../projections/session/timeline-labels.ts';
import { sessions } from '../../projections/sessions.ts';
import { usage } from '../../projections/usage.ts';
import { fits } from '../../views/match-condition.ts';
import type { Condition, DocumentQuery, ViewDocument, ViewsReader } from '../../views/views.ts';
import { dayOf } from '../compactions/audits/row.ts';
import type { Searched } from '../compactions/read-rows.ts';
import type { Item } from '../context/timeline-items.ts';
import { filterConditions, periodConditions } from '../filters/conditions.ts';
import type { Filters, Period } from '../filters/filters.ts';
import { expectTimeZone } from '../filters/time-zone.ts';
import { sessionPeriod } from '../sessions/period.ts';
import { type WholeSession, wholeSessions } from '../sessions/whole-sessions.ts';

import { costSourceOf } from '../spend/charges.ts';
import type { VisibleViews } from '../views/visible-views.ts';

export interface RequestsQuestion extends Omit<Filters, 'kind'>, Period {
  /** The most rows. */
  readonly limit: number;
  /** `failed`: only what failed, was aborted or reported nothing. */
  readonly only?: 'failed';
  readonly timezone?: string;
}

const sessionsMax = 500;
const sessionsPerRead = 25;

/** Throws `bad_parameter`. */
export async function newestRequests(
  { contexts }: Searched,
  visible: VisibleViews,
  question: RequestsQuestion,
): Promise<RequestList> {
  const { limit } = question;
  const isWanted = createFilter(question);
  const hasSpent = await findSpenders(visible.views, question);
  let rows: readonly Request[] = [];
  let sessionsRead = 0;
  for await (const documents of newestSessions(visible.views, question)) {
    const candidates = documents.filter(
      (document) => hasSpent(document.key) && mayAdd(document, rows, limit),
    );
    const found: Request[] = [];
    for (const session of await wholeSessions(visible, candidates)) {
      const context = await contexts.open(session);
      found.push(...context.items().flatMap((item) => requestOf(item, session, isWanted) ?? []));
    }
    rows = [...rows, ...found].sort(newestFirst).slice(0, limit);
    sessionsRead += candidates.length;
    const last = documents.at(-1);
    if (last === undefined || !mayAdd(last, rows, limit)) break;
    if (sessionsRead >= sessionsMax) return { rows, next: null, sessionsRead, isComplete: false };
  }
  return { rows, next: null, sessionsRead, isComplete: true };
}

/** A session has nothing after it was last seen. */
function mayAdd({ columns }: ViewDocument, rows: readonly Request[], limit: number): boolean {
  const last = rows[limit - 1];
  return last === undefined || String(columns.lastSeenAt) >= last.time;
}

function newestFirst(left: Request, right: Request): number {
  if (left.time !== right.time) return left.time < right.time ? 1 : -1;
  return left.session === right.session ? 0 : left.session < right.session ? -1 : 1;
}

async function* newestSessions(
  views: ViewsReader,
  question: RequestsQuestion,
): AsyncGenerator<readonly ViewDocument[]> {
  const { where } = sessionPeriod(question);
  const orderBy = { column: 'lastSeenAt', descending: true };
  for (let after: DocumentQuery['after']; ; ) {
    const from = after === undefined ? {} : { after };
    const page = await views.find(sessions, { where, orderBy, limit: sessionsPerRead, ...from });
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < sessionsPerRead) return;
    await nextTurn();
    after = { value: last.columns.lastSeenAt ?? null, key: last.key };
  }
}

/**
 * Which sessions can have such requests at all, by what they spent. A period alone is not asked
 * for: it would add up all that was spent in it, and nearly every session of it has a request.
 */
async function findSpenders(
  views: ViewsReader,
  question: RequestsQuestion,
): Promise<(session: string) => boolean> {
  if (ownConditions(question).length === 0 && question.only === undefined) return () => true;
  const where = spenderConditions(question);
  const by = ['session', ...(question.only === 'failed' ? ['stopReason'] : [])];
  const rows = await views.sum(sessions, usage, { by, where });
  const found = rows.filter(
    ({ dimensions, measures }) =>
      question.only !== 'failed' ||
      failures.has(dimensions.stopReason ?? '') ||
      Number(measures.unreportedRecords) > 0,
  );
  const ids = new Set(found.map(({ dimensions }) => dimensions.session));
  return (session) => ids.has(session);
}

const failures: ReadonlySet<string> = new Set(['error', 'aborted']);

/** The rollup has the spenders' own days: in a time zone, `sessionPeriod` alone narrows. */
function spenderConditions(question: RequestsQuestion): Condition[] {
  if (question.timezone === undefined) return dimensionConditions(question);
  const { since: _, until: __, ...ofAnyTime } = question;
  return dimensionConditions(ofAnyTime);
}

function dimensionConditions(question: RequestsQuestion): Condition[] {
  const period = periodConditions(question, { day: 'day', hour: 'hour' });
  return [...ownConditions(question), ...period];
}

/** All but the period. */
function ownConditions(question: RequestsQuestion): Condition[] {
  const names = ['project', 'branch', 'user', 'machine', 'host', 'provider', 'model'] as const;
  return filterConditions(question, Object.fromEntries(names.map((name) => [name, name])));
}

type Dimensions = Readonly<Record<string, string>>;

/** `utcOffsetMinutes`: the spender's. */
type IsWanted = (request: Request, dimensions: Dimensions, utcOffsetMinutes: number) => boolean;

function createFilter(question: RequestsQuestion): IsWanted {
  const { timezone, only } = question;
  const zone = timezone === undefined ? null : expectTimeZone(timezone);
  const conditions = dimensionConditions(question);
  return (request, dimensions, utcOffsetMinutes) => {
    const day = dayOf(request.time, utcOffsetMinutes, zone);
    const hour = request.time.slice(0, 13);
    return (only !== 'failed' || request.failed) && fits({ ...dimensions, day, hour }, conditions);
  };
}

/** Returns null for an item that is no request, is not wanted, or belongs to an ignored project. */
function requestOf(item: Item, { state }: WholeSession, isWanted: IsWanted): Request | null {
  const { kind, time, spend, name: model } = item;
  if (kind !== 'turn' && kind !== 'compaction' && kind !== 'branchSummary') return null;
  const provider = spend?.provider ?? '';
  const costSource = costSourceOf(item);
  const minute = toMinute(time);
  const { isIgnored, ...whose } = labelsAt(state.timeline, minute, provider);
  if (isIgnored || costSource === null) return null;
  const { project, branch, user, machine, host, billing, utcOffsetMinutes } = whose;
  const cost = spend?.costNanoUsd ?? null;
  const request: Request = {
    time,
    session: state.id,
    project: project || null,
    kind,
    turn: item.turn,
    provider: provider || null,
    model: model || null,
    startedAt: item.startedAt,
    durationMs: item.durationMs,
    firstTokenMs: item.firstTokenMs,
    sentTokens: item.tokens,
    cacheReadTokens: item.cacheReadTokens,
    outputTokens: item.outputTokens,
    failed: item.failed,
    status: item.status,
    billing: readBilling(billing),
    costSource,
    costNanoUsd: cost === null ? null : String(cost),
  };
  const dimensions = { project, branch, user, machine, host, provider, model };
  return isWanted(request, dimensions, utcOffsetMinutes) ? request : null;
}
