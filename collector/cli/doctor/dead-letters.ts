import { type LedgerClient, RefusedError } from '../client/ledger-client.ts';
import { countOf } from '../output/counts.ts';
import type { DoctorFinding } from './finding.ts';

/** Counts up to this. */
const countedMax = 1_000;

/** Were events rejected, which no figure includes? */
export async function checkDeadLetters(client: LedgerClient): Promise<DoctorFinding[]> {
  try {
    const { rows, next } = await client.get('/v1/dead-letters', {
      query: new URLSearchParams({ limit: String(countedMax) }),
    });
    const count = countOf(rows.length, 'event') + (next === null ? '' : ' or more');
    if (rows.length === 0)
      return [{ check: 'refused', state: 'good', detail: 'no events were rejected' }];
    return [
      {
        check: 'refused',
        state: 'bad',
        detail: `${count} rejected by the ledger: \`pi-ledger rejected list\` says why`,
      },
    ];
  } catch (error) {
    // Another check reports a token that does not allow this.
    if (error instanceof RefusedError && (error.status === 401 || error.status === 403)) return [];
    throw error;
  }
}
