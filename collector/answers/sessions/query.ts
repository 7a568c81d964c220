/** Lists sessions, the newest first, each with its total spend. */
import type { Answers, Session } from '@pi-ledger/contract/answers';
import type { SessionState } from '../../projections/session/document.ts';
import { privateSummary } from '../../projections/session/switches.ts';
import { usage } from '../../projections/usage.ts';
import { inTurns } from '../../timers/in-turns.ts';
import { cacheDimensions, createCacheFigures } from '../spend/cache-figures.ts';
import { sessionTimings } from '../timings/session.ts';
import type { UsageViews } from '../views/usage-views.ts';
import { findSession, noSession } from './find-session.ts';
import { toSessionRows } from './rows.ts';
import {
  type FoundPosition,
  findSessions,
  type SessionFilters,
  type SessionPosition,
} from './search.ts';
import { neighboursOf } from './surroundings.ts';
import { spentWithSubagents } from './with-subagents.ts';

export interface SessionPage {
  readonly rows: readonly Session[];
  /** The last position examined; null at the end of the list. */
  readonly next: SessionPosition | null;
}

/**
 * `asked`: as the caller may see it. A page can be short although the list goes on, because only
 * so many sessions are examined per page.
 */
export async function listSessions(
  asked: UsageViews,
  filters: SessionFilters,
  { after, limit }: { readonly after: SessionPosition | null; readonly limit: number },
): Promise<SessionPage> {
  const from = after === null ? null : { value: after.lastSeenAt, id: after.id };
  const search = { after: from, wanted: limit + 1, bodies: true };
  const { documents, resumeAt } = await findSessions(asked, filters, search);
  const states: SessionState[] = [];
  await inTurns(documents.slice(0, limit), ({ body }) => states.push(asked.sessions.decode(body)));
  const rows = await toSessionRows(asked, states);
  return { rows, next: documents.length > limit ? (rows.at(-1) ?? null) : placeOf(resumeAt) };
}

function placeOf(position: FoundPosition | null): SessionPosition | null {
  return position === null ? null : { lastSeenAt: position.value, id: position.id };
}

/** `text`: its id, the start of it, or `last`. Throws `not_found` or `bad_parameter`. */
export async function sessionDetails(
  asked: UsageViews,
  text: string,
): Promise<Answers['GET /v1/sessions/{id}']> {
  const { views, sessions } = asked;
  const state = sessions.decode((await findSession(views, text)).body);
  const [row] = await toSessionRows(asked, [state]);
  if (row === undefined) throw noSession();
  const spent = await views.sum(sessions, usage, {
    by: cacheDimensions,
    where: [{ column: 'session', is: 'in', values: [state.id] }],
  });
  const { total: cache } = await createCacheFigures(spent);
  const withSubagents = await spentWithSubagents(asked, state.id);
  const { toolFiguresOf, runs, runsTotal } = await sessionTimings(views, state.id);
  const tools = [...state.tools.values()].map(({ name, calls, errors }) => {
    const { calls: _, failures: __, ...measured } = toolFiguresOf(name);
    return { name, calls, errors, ...measured };
  });
  return {
    ...row,
    ...(await neighboursOf(views, state)),
    withSubagents: withSubagents.subagents === 0 ? null : withSubagents,
    cache,
    toolErrors: state.counts.toolErrors,
    private: privateSummary(state.switches),
    tools,
    runs,
    runsTotal,
  };
}
