import type { LedgerEvent } from '@pi-ledger/contract';
import type { Ingest } from '../../ingest/ingest.ts';

/** Rejects when not all of them are in the log then. */
export async function appendOwn(
  ingest: Pick<Ingest, 'accept'>,
  events: readonly LedgerEvent[],
): Promise<void> {
  const { rejected, expired } = await ingest.accept(events, undefined, { is: 'record' });
  const [first] = rejected;
  if (first !== undefined) throw new Error(`What budgets came to is refused: ${first.message}`);
  if (expired > 0) throw new Error('What budgets came to is older than the sealed history.');
}
