/** What is said of sessions beside their rows: who is next, how full windows are. */
import type { Session } from '@pi-ledger/contract/answers';
import type { SessionState } from '../../projections/session/document.ts';
import { sessions } from '../../projections/sessions.ts';
import type { ViewsReader } from '../../views/views.ts';
import type { SessionContexts } from '../contexts/contexts.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import { wholeSessions } from './whole-sessions.ts';

/** The sessions seen last before and first after this one, of no ignored project. */
export async function neighboursOf(
  views: ViewsReader,
  { id, lastSeenAt }: SessionState,
): Promise<{ readonly newer: string | null; readonly older: string | null }> {
  const beside = async (descending: boolean): Promise<string | null> => {
    const [found] = await views.find(sessions, {
      where: [{ column: 'ignored', is: 'in', values: [0] }],
      orderBy: { column: 'lastSeenAt', descending },
      after: { value: lastSeenAt, key: id },
      limit: 1,
      bodies: false,
    });
    return found?.key ?? null;
  };
  return { newer: await beside(false), older: await beside(true) };
}

export type LastContext = NonNullable<Session['context']>;

/** By session. One that the caller may not see in full is not there. */
export async function lastContexts(
  visible: VisibleViews,
  contexts: SessionContexts,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LastContext>> {
  const found = await visible.views.find(sessions, {
    where: [{ column: 'key', is: 'in', values: ids }],
    orderBy: { column: 'key', descending: false },
    limit: Math.max(1, ids.length),
  });
  const known = new Map<string, LastContext>();
  for (const session of await wholeSessions(visible, found)) {
    const last = (await contexts.open(session)).points().at(-1);
    if (last === undefined) continue;
    const { time, tokens, heldTokens, threshold } = last;
    known.set(session.state.id, {
      ...{ time, tokens, heldTokens },
      windowTokens: threshold?.windowTokens ?? null,
      thresholdTokens: threshold?.thresholdTokens ?? null,
    });
  }
  return known;
}
