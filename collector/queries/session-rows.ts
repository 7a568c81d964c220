/** Rows of sessions, each with its total spend and the root of its tree. */
import type { Session } from '@pi-ledger/contract/answers';
import type { SessionState } from '../projections/session/document.ts';
import { sessions } from '../projections/sessions.ts';
import { usage } from '../projections/usage.ts';
import type { ViewsReader } from '../views/views.ts';
import { callAgents } from './called-agents.ts';
import { figuresBySession, toSessionRow } from './session-row.ts';
import { findRoots } from './session-trees.ts';

/** `views`: as the caller may see them. */
export async function toSessionRows(
  views: ViewsReader,
  states: readonly SessionState[],
): Promise<readonly Session[]> {
  if (states.length === 0) return [];
  const ids = states.map(({ id }) => id);
  const where = [{ column: 'session', is: 'in' as const, values: ids }];
  const figuresOf = figuresBySession(
    await views.sum(sessions, usage, { by: ['session', 'billing'], where }),
  );
  const roots = await findRoots(views, ids);
  const called = await callAgents(views, states);
  return states.map((state) =>
    toSessionRow(state, {
      rootSessionId: roots.get(state.id) ?? state.id,
      figures: figuresOf(state.id),
      calledAgent: called.get(state.id) ?? null,
    }),
  );
}
