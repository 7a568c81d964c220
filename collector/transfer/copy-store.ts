/**
 * Copies a ledger from one store to another and verifies the copy: events in the order of the log,
 * unchanged; dead letters; receipts; the seal in force; tokens. Views are not copied: whoever opens
 * the target folds them from its log.
 *
 * Guarantees: the source is only read. Nothing is written to a target whose events are not a
 * leading part of the source's. A copy killed at any point is run again with the same arguments,
 * and ends like an uninterrupted one. At the end both logs are compared as a whole. What is damaged
 * in the source is counted and named, and the rest is copied; without a part of its seal, the seal
 * does not apply in the target.
 *
 * A source that is being written is copied up to some event; the rest is for the next copy. A
 * source that is sealed between two copies lacks events that the target has: the next copy needs an
 * empty store.
 */

import type { StoreToRead } from '../stores/driver.ts';
import type { Store } from '../stores/store.ts';
import { copyDeadLetters, type DeadLettersCopied } from './copy-dead-letters.ts';
import { appendRest, compareEvents, figuresOf } from './copy-events.ts';
import { copyReceipts } from './copy-receipts.ts';
import { copySeal } from './copy-seal.ts';
import { copyTokens, type TokensCopied } from './copy-tokens.ts';
import { createDamageFound, type SourceDamage } from './damage-found.ts';
import type { LogFigures } from './log-digest.ts';

export type CopyResult =
  /**
   * Position of the first event of the target that differs from the source: nothing was written.
   */
  | { readonly is: 'other_events'; readonly position: number; readonly damaged: SourceDamage }
  | {
      /** `differs`: the target does not contain what was written. */
      readonly is: 'copied' | 'differs';
      /** Events that the target had before. */
      readonly eventsBefore: number;
      /** Without its damaged events, except those that the target has kept. */
      readonly source: LogFigures;
      readonly target: LogFigures;
      readonly deadLetters: DeadLettersCopied;
      /** The seal of the source is now in force in the target, and was not before. */
      readonly isSealAdded: boolean;
      /** Added sequence numbers of producers that belong to no event. */
      readonly receiptsAdded: number;
      readonly tokens: TokensCopied;
      readonly damaged: SourceDamage;
    };

export type CopyPhase = 'comparing' | 'copying' | 'verifying';

export interface CopyOptions {
  readonly from: StoreToRead;
  /** A store that this process has the right to write. */
  readonly to: Pick<Store, 'log' | 'tokens'>;
  /** Must not throw. */
  onEvents?(phase: CopyPhase, events: number): void;
}

/** Contract: rejects when a store fails; the target then has a part of the source. */
export async function copyStore({
  from,
  to,
  onEvents = () => undefined,
}: CopyOptions): Promise<CopyResult> {
  const during = (phase: CopyPhase) => (events: number) => onEvents(phase, events);
  const damage = createDamageFound();
  const logs = { from: from.log, to: to.log, damage };
  const compared = await compareEvents(logs, during('comparing'));
  if (compared.is === 'other_events') return { ...compared, damaged: damage.result() };
  // Read before the events, so that everything they refer to is copied.
  const seal = await from.log.history.seal();
  const receipts = await from.log.receipts();
  const deadLetters = await copyDeadLetters(from.log, to.log, damage.addLetters);
  const source = await appendRest(logs, compared, during('copying'));
  const isSealAdded = await copySeal(seal, logs);
  const receiptsAdded = await copyReceipts(receipts, to.log);
  const tokens = await copyTokens(from.tokens, to.tokens);
  const target = await figuresOf(to.log, during('verifying'));
  const isSame = source.events === target.events && source.sha256 === target.sha256;
  return {
    is: isSame ? 'copied' : 'differs',
    eventsBefore: compared.events,
    source,
    target,
    deadLetters,
    isSealAdded,
    receiptsAdded,
    tokens,
    damaged: damage.result(),
  };
}
