import type { EventTypeName, LedgerEvent, Sizes } from '@pi-ledger/contract';

/**
 * An event as the recorder creates it. The spool adds what belongs to the producer process:
 * specversion, source, sequence.
 */
export type EventDraft<Name extends EventTypeName = EventTypeName> = {
  [N in Name]: Pick<LedgerEvent<N>, 'id' | 'type' | 'time' | 'subject' | 'ownership' | 'data'>;
}[Name];

/** An entry without content has these. */
export const noSizes: Sizes = {
  textChars: 0,
  thinkingChars: 0,
  toolCallChars: 0,
  otherChars: 0,
  images: 0,
};
