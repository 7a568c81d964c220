/** What an agent's `/ledger` and footer show: a session, its subagents, and its user's sums. */
import type { AgentOverview, AgentSpent } from '@pi-ledger/contract/answers';
import { sessions } from '../../projections/sessions.ts';
import { usage } from '../../projections/usage.ts';
import type { ViewDocument } from '../../views/views.ts';
import { type BudgetsAsked, budgetList } from '../budgets/query.ts';
import { wholeSessions } from '../sessions/whole-sessions.ts';
import { findSubagentIds } from '../sessions/with-subagents.ts';
import { sumUsage } from '../spend/sums.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import { claimedOf } from './claimed.ts';
import { partsOf, spentOf } from './spent.ts';

export interface AgentQuestion {
  /** Its whole id. */
  readonly session: string;
  /** The spender's today: `2026-11-22`. */
  readonly day: string;
}

export type AgentSums = Omit<AgentOverview, 'isBehind' | 'importing' | 'leftOut'>;

/** `tokenUser`: whose sums they are where the session is not known. */
export async function agentSums(
  asked: BudgetsAsked,
  visible: VisibleViews,
  { session: id, day }: AgentQuestion,
  tokenUser: string | null,
): Promise<AgentSums> {
  const session = await sessionOf(visible, id);
  const user = session?.user ?? tokenUser;
  const spentIn = async (since: string, project: string | null): Promise<AgentSpent> => {
    const question = {
      since,
      until: day,
      ...(user === null ? {} : { user: [user] }),
      ...(project === null ? {} : { project: [project] }),
    };
    return spentOf(partsOf(await sumUsage(asked, ['billing'], question, visible.where)));
  };
  const project = session?.project ?? null;
  // The empty ones: of any project, of any user.
  const touched = { project: ['', project ?? ''], user: ['', user ?? ''] };
  const { rows: budgets, leftOut } = await budgetList(asked, visible, touched);
  return {
    user,
    session,
    projectToday: project === null ? null : await spentIn(day, project),
    today: await spentIn(day, null),
    month: await spentIn(`${day.slice(0, 7)}-01`, null),
    budgets,
    budgetsLeftOut: leftOut,
  };
}

async function sessionOf(visible: VisibleViews, id: string): Promise<AgentOverview['session']> {
  const [document] = await visible.views.find(sessions, {
    where: [{ column: 'key', is: 'in', values: [id] }],
    orderBy: { column: 'key', descending: false },
    limit: 1,
  });
  if (document === undefined) return null;
  const [whole] = await wholeSessions(visible, [document]);
  const { ids, isAtLeast } = await findSubagentIds(visible, id);
  return {
    id,
    project: textIn(document, 'project'),
    user: textIn(document, 'user'),
    isIgnored: document.columns.ignored === 1,
    spent: await spentBy(visible, [id]),
    claimed: whole === undefined ? null : claimedOf(whole.state),
    subagents: { sessions: ids.length, isAtLeast, spent: await spentBy(visible, ids) },
  };
}

function textIn({ columns }: ViewDocument, name: string): string | null {
  const value = columns[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

async function spentBy({ views }: VisibleViews, ids: readonly string[]): Promise<AgentSpent> {
  if (ids.length === 0) return spentOf([]);
  const where = [{ column: 'session', is: 'in' as const, values: ids }];
  return spentOf(partsOf(await views.sum(sessions, usage, { by: ['billing'], where })));
}
