/**
 * Moving house: all that a store has been told, into another one of whatever kind. Events in the
 * log's order, each as it came; dead letters; what arrived from whom; the seal in force; tokens.
 * Views are not copied: whoever opens the target folds them from its log.
 *
 * Guarantees: the source is only read. Nothing is written to a target whose events are not a
 * leading part of the source's. A copy that dies at any point, by kill -9 too, is begun again with
 * the same words, and ends as one that never died. At the end both logs are compared as a whole.
 *
 * A source that is written meanwhile is copied up to some event; what came later is for the next
 * copy. One that is sealed between two copies lacks events that the target has: the next copy needs
 * an empty store.
 */

import type { StoreToRead } from '../stores/driver.ts';
import type { Store } from '../stores/store.ts';
import { copyDeadLetters, type DeadLettersCopied } from './copy-dead-letters.ts';
import { appendRest, compareEvents, figuresOf } from './copy-events.ts';
import { copyReceipts } from './copy-receipts.ts';
import { copySeal } from './copy-seal.ts';
import { copyTokens, type TokensCopied } from './copy-tokens.ts';
import type { LogFigures } from './log-digest.ts';

export type CopyResult =
  /**
   * The first event of the target that the source does not have at this place: nothing was written.
   */
  | { readonly is: 'other_events'; readonly position: number }
  | {
      /** `differs`: what was written is not what is there. */
      readonly is: 'copied' | 'differs';
      /** Events that the target had before. */
      readonly eventsBefore: number;
      readonly source: LogFigures;
      readonly target: LogFigures;
      readonly deadLetters: DeadLettersCopied;
      /** The seal of the source is in force in the target now, and was not before. */
      readonly isSealAdded: boolean;
      /** Sequence numbers of producers that no event of the log has. */
      readonly receiptsAdded: number;
      readonly tokens: TokensCopied;
    };

export type CopyPhase = 'comparing' | 'copying' | 'verifying';

export interface CopyOptions {
  readonly from: StoreToRead;
  /** With the right to write. */
  readonly to: Pick<Store, 'log' | 'tokens'>;
  /** Must not throw. */
  onEvents?(phase: CopyPhase, events: number): void;
}

/** Contract: rejects when a store fails; what was written until then is a part of the source. */
export async function copyStore({
  from,
  to,
  onEvents = () => undefined,
}: CopyOptions): Promise<CopyResult> {
  const during = (phase: CopyPhase) => (events: number) => onEvents(phase, events);
  const compared = await compareEvents(from.log, to.log, during('comparing'));
  if (compared.is === 'other_events') return compared;
  // Before the events: what they speak of is then among what is copied.
  const seal = await from.log.history.seal();
  const receipts = await from.log.receipts();
  const deadLetters = await copyDeadLetters(from.log, to.log);
  const source = await appendRest(from.log, to.log, compared, during('copying'));
  const isSealAdded = await copySeal(seal, from.log, to.log);
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
  };
}
