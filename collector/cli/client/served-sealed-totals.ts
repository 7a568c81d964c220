/** What a running collector counts of deleted history. */
import type { Usage } from '@pi-ledger/contract/answers';
import type { SealedTotals } from '../../log/history.ts';
import { createSealedTotals } from '../../seal/late-events.ts';
import type { TransportAnswer } from './transport.ts';

/** Resolves to null when nothing was sealed, or the token may not read it. Rejects like `get`. */
export async function servedSealedTotals(
  get: (path: string) => Promise<TransportAnswer>,
): Promise<SealedTotals | null> {
  const { status, body } = await get('/v1/seal');
  if (status !== 200) return null;
  const { floor } = JSON.parse(body) as { readonly floor: string | null };
  if (floor === null) return null;
  return createSealedTotals(Date.parse(floor), async (sessionIds) => {
    const records = new Map<string, number>();
    for (const sessionId of sessionIds)
      records.set(sessionId, await recordsIn(get, sessionId, floor));
    return records;
  });
}

async function recordsIn(
  get: (path: string) => Promise<TransportAnswer>,
  sessionId: string,
  until: string,
): Promise<number> {
  const query = new URLSearchParams({ by: 'kind', session: sessionId, since: ever, until });
  const { status, body } = await get(`/v1/usage?${query}`);
  if (status !== 200) throw new Error(`The collector answered with status ${status}.`);
  const { rows } = JSON.parse(body) as Usage;
  return rows.filter(({ kind }) => kind !== 'tool').reduce((sum, { records }) => sum + records, 0);
}

const ever = '0001-01-01T00:00:00Z';
