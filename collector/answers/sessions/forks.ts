/**
 * Which sessions are forks: a session before them says that they have copies of its entries. A
 * header alone gives a parent, because hosts also write it for a next session.
 */
import type { SessionState } from '../../projections/session/document.ts';
import type { UsageViews } from '../views/usage-views.ts';

/** A longer chain of forks that copied nothing of their parents is not followed. */
const ancestorsMax = 20;

interface Ancestor {
  readonly parent: string | null;
  /** Sessions with copies of its entries. */
  readonly copiers: ReadonlySet<string>;
}

/** Their ids. Ancestors are read one after another: a document may be large. */
export async function findForks(
  asked: UsageViews,
  states: readonly SessionState[],
): Promise<ReadonlySet<string>> {
  const known = new Map<string, Ancestor | null>(states.map((state) => [state.id, asOne(state)]));
  const forks = new Set<string>();

  async function ancestor(id: string): Promise<Ancestor | null> {
    const found = known.get(id);
    if (found !== undefined) return found;
    const state = await readState(asked, id);
    const read = state === null ? null : asOne(state);
    known.set(id, read);
    return read;
  }

  async function hasCopies(state: SessionState): Promise<boolean> {
    let at = parentOf(state);
    for (let step = 0; at !== null && step < ancestorsMax; step += 1) {
      const found = await ancestor(at);
      if (found?.copiers.has(state.id)) return true;
      at = found?.parent ?? null;
    }
    return false;
  }

  for (const state of states)
    if (!isSubagent(state) && (await hasCopies(state))) forks.add(state.id);
  return forks;
}

function asOne(state: SessionState): Ancestor {
  return { parent: parentOf(state), copiers: new Set(state.copies.keys()) };
}

export function parentOf({ started, timeline }: SessionState): string | null {
  return started?.parentSessionId ?? timeline.attributions.at(-1)?.facts.parentSessionId ?? null;
}

function isSubagent({ timeline }: SessionState): boolean {
  return timeline.attributions.at(-1)?.facts.agent.kind === 'subagent';
}

export async function readState(
  { views, sessions }: UsageViews,
  id: string,
): Promise<SessionState | null> {
  const [found] = await views.find(sessions, {
    where: [{ column: 'key', is: 'in', values: [id] }],
    orderBy: { column: 'key', descending: false },
    limit: 1,
  });
  return found === undefined ? null : sessions.decode(found.body);
}
