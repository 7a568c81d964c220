/** Rows of sessions, each with its total spend and the root of its tree. */
import type { Session } from '@pi-ledger/contract/answers';
import type { SessionState } from '../../projections/session/document.ts';
import { usage } from '../../projections/usage.ts';
import { inTurns } from '../../timers/in-turns.ts';
import type { UsageViews } from '../views/usage-views.ts';
import { callAgents } from './called-agents.ts';
import { findForks } from './forks.ts';
import { figuresBySession, toSessionRow } from './row.ts';
import { findRoots } from './trees.ts';

/** `asked`: as the caller may see it. */
export async function toSessionRows(
  asked: UsageViews,
  states: readonly SessionState[],
): Promise<readonly Session[]> {
  const { views, sessions } = asked;
  if (states.length === 0) return [];
  const ids = states.map(({ id }) => id);
  const where = [{ column: 'session', is: 'in' as const, values: ids }];
  const figuresOf = figuresBySession(
    await views.sum(sessions, usage, { by: ['session', 'billing'], where }),
  );
  const roots = await findRoots(views, ids);
  const called = await callAgents(asked, states);
  const forks = await findForks(asked, states);
  const rows: Session[] = [];
  await inTurns(states, (state) => {
    rows.push(
      toSessionRow(state, {
        rootSessionId: roots.get(state.id) ?? state.id,
        figures: figuresOf(state.id),
        calledAgent: called.get(state.id) ?? null,
        isFork: forks.has(state.id),
      }),
    );
  });
  return rows;
}
