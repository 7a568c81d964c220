import type { EventTypeName, LedgerEvent } from '@pi-ledger/contract';

/**
 * An event as the recorder creates it. The spool adds what belongs to the producer process:
 * specversion, source, sequence.
 */
export type EventDraft<Name extends EventTypeName = EventTypeName> = {
  [N in Name]: Pick<LedgerEvent<N>, 'id' | 'type' | 'time' | 'subject' | 'ownership' | 'data'>;
}[Name];
