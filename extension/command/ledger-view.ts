import type { SessionState } from '../live/session-state.ts';
import type { Recording } from '../producer.ts';
import type { AskState } from './overview.ts';

/** What `/ledger` and its subcommands answer from. */
export interface LedgerView {
  readonly producer: Pick<Recording, 'config' | 'recorder' | 'spool' | 'shipper' | 'contents'>;
  /** The session in which the command was entered. */
  readonly session: SessionState | null;
  /** The host's context of the command. */
  readonly ctx: unknown;
  readonly nowMs: number;
  readonly asked: AskState;
  /** What became of `/ledger open`. */
  readonly opened: string | null;
}
