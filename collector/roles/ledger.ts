/** An open ledger: everything of it that a command, a server or a test may use. */
import type { FastifyInstance } from 'fastify';
import type { Tokens } from '../auth/tokens.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { SpoolReader } from '../ingest/spool-reader.ts';
import type { Log } from '../log/log.ts';
import type { Sealer } from '../seal/sealer.ts';
import type { WriteRight } from '../stores/store.ts';
import type { SwitchingSubscription } from '../subscription/switching-subscription.ts';
import type { Views } from '../views/views.ts';

export interface Ledger {
  /**
   * Another process writes to this store: here it is only read, as far as that process has folded
   * it. In MongoDB this may change.
   */
  readonly readOnly: boolean;
  /** Drawn when the store was made. */
  readonly storeId: string;
  readonly log: Log;
  readonly views: Views;
  readonly tokens: Tokens;
  readonly right: WriteRight;
  readonly subscription: SwitchingSubscription;
  readonly ingest: Ingest;
  readonly sealer: Sealer;
  readonly app: FastifyInstance;
  readonly spoolReader: SpoolReader;
  /**
   * Takes in what dead producers left in the spool, reads what living ones keep there, and folds
   * it. Rejects when the store fails.
   */
  drainSpool(): Promise<void>;
  /** Lets requests finish, commits, closes, lets the lock go. */
  close(): Promise<void>;
}
