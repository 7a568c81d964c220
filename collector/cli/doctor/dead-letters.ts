import { type LedgerClient, RefusedError } from '../client/ledger-client.ts';
import { countOf } from '../output/usage-table.ts';
import type { Finding } from './finding.ts';

/** More are not counted. */
const countedMax = 1_000;

/** Was anything refused that is in no figure? */
export async function checkDeadLetters(client: LedgerClient): Promise<Finding[]> {
  try {
    const { rows, next } = await client.get('/v1/dead-letters', {
      query: new URLSearchParams({ limit: String(countedMax) }),
    });
    const count = countOf(rows.length, 'event') + (next === null ? '' : ' or more');
    if (rows.length === 0)
      return [{ check: 'refused', state: 'good', detail: 'no event was refused' }];
    return [
      {
        check: 'refused',
        state: 'bad',
        detail: `${count} refused by the ledger: \`pi-ledger rejected\` says why`,
      },
    ];
  } catch (error) {
    // A token that may not do this is spoken of elsewhere.
    if (error instanceof RefusedError && (error.status === 401 || error.status === 403)) return [];
    throw error;
  }
}
