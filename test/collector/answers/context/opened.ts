/** A session's context and document, folded from its events, as the queries find them. */
import type { LedgerEvent } from '@pi-ledger/contract';
import {
  createSessionContext,
  type SessionContext,
} from '../../../../collector/answers/contexts/session-context.ts';
import { context } from '../../../../collector/projections/context.ts';
import type { SessionState } from '../../../../collector/projections/session/document.ts';
import { sessions } from '../../projections/support/bare-sessions.ts';
import { fold } from '../../projections/support/fold.ts';

export interface Opened {
  readonly context: SessionContext;
  readonly state: SessionState;
}

export function opened(events: readonly LedgerEvent[], session = 's1'): Opened {
  const chunks = [...fold(context, events, { isReloaded: true }).states.values()].filter(
    (chunk) => chunk.session === session,
  );
  const state = fold(sessions, events).states.get(session) ?? sessions.initial(session);
  return { context: createSessionContext([session], [chunks], 'pi'), state };
}
