/** What filled a session's window, turn by turn. */
import type { ContextWindow } from '@pi-ledger/contract/answers';
import { LedgerError } from '../../errors.ts';
import type { Searched } from '../compactions/read-rows.ts';
import { openSession } from '../sessions/open-session.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import { contextAnswer } from './answer.ts';
import type { EntryNode, EntryTree } from './entry-tree.ts';

export interface ContextQuestion {
  /** The session's id, a prefix of it, or `last`. */
  readonly session: string;
  /** The most points of the series to return. */
  readonly points: number;
  /** The entry to show the composition of; default: the newest. */
  readonly at?: string;
}

/**
 * Throws `not_found`, and `bad_parameter` when several sessions match or the entry is not in the
 * session.
 */
export async function contextWindow(
  { contexts }: Searched,
  visible: VisibleViews,
  question: ContextQuestion,
): Promise<ContextWindow> {
  const { session: text, points, at } = question;
  const session = await openSession(visible, text);
  const context = await contexts.open(session);
  return contextAnswer(context, session.state, {
    pointsMax: points,
    at: at === undefined ? null : nodeAt(context.tree, at),
  });
}

function nodeAt(tree: EntryTree, entryId: string): EntryNode {
  const node = tree.node(entryId);
  if (node !== null) return node;
  throw new LedgerError('bad_parameter', {
    field: 'at',
    message: `at: this session has no entry ${JSON.stringify(entryId)} in the ledger.`,
  });
}
