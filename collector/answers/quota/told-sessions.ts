/** What providers told in sessions, with whose plan it is: that of the session's user. */
import { quota } from '../../projections/quota.ts';
import { sessions } from '../../projections/sessions.ts';
import type { ViewDocument, ViewsReader } from '../../views/views.ts';

export interface ToldViews {
  /** All of them: the caller's limits hold for the sessions. */
  readonly all: ViewsReader;
  readonly visible: ViewsReader;
}

export interface Owner {
  readonly user: string;
  readonly machine: string;
}

export interface ToldSession {
  readonly session: string;
  readonly owner: Owner;
  /** It is the body of a document of the projection `quota`. */
  readonly body: string;
}

const sessionsPerQuery = 500;

/** Yields at most so many sessions that were told something from then on, the latest first. */
export async function* toldSessions(
  { all, visible }: ToldViews,
  sinceMs: number,
  sessionsMax: number,
): AsyncGenerator<ToldSession> {
  const since = new Date(sinceMs).toISOString();
  let after: { readonly value: string; readonly key: string } | null = null;
  for (let seen = 0; seen < sessionsMax; seen += sessionsPerQuery) {
    const found: readonly ViewDocument[] = await all.find(quota, {
      where: [{ column: 'toldAt', is: 'from', values: [since] }],
      orderBy: { column: 'toldAt', descending: true },
      limit: sessionsPerQuery,
      ...(after === null ? {} : { after }),
    });
    const owners = await ownersOf(visible, found);
    for (const { key, body } of found) {
      const owner = owners.get(key);
      if (owner !== undefined) yield { session: key, owner, body };
    }
    const last = found.at(-1);
    if (last === undefined || found.length < sessionsPerQuery) return;
    after = { value: String(last.columns.toldAt), key: last.key };
  }
}

async function ownersOf(
  visible: ViewsReader,
  documents: readonly ViewDocument[],
): Promise<ReadonlyMap<string, Owner>> {
  const found = await visible.find(sessions, {
    where: [{ column: 'key', is: 'in', values: documents.map(({ key }) => key) }],
    orderBy: { column: 'key', descending: false },
    limit: Math.max(1, documents.length),
    bodies: false,
  });
  return new Map(
    found.map(({ key, columns: { user, machine } }) => [
      key,
      { user: String(user ?? ''), machine: String(machine ?? '') },
    ]),
  );
}
