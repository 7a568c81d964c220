/** What a running collector counts of deleted history. */
import type { Usage } from '@pi-ledger/contract/answers';
import type { SealedTotals } from '../../log/history.ts';
import { createSealedTotals, eachCount } from '../../seal/late-events.ts';
import type { TransportAnswer } from './transport.ts';

/** Resolves to null when nothing was sealed, or the token may not read it. Rejects like `get`. */
export async function servedSealedTotals(
  get: (path: string) => Promise<TransportAnswer>,
): Promise<SealedTotals | null> {
  const { status, body } = await get('/v1/seal');
  if (status !== 200) return null;
  const { floor } = JSON.parse(body) as { readonly floor: string | null };
  if (floor === null) return null;
  return createSealedTotals(Date.parse(floor), {
    async countRecords(sessionIds) {
      const records = new Map<string, number>();
      for (const sessionId of sessionIds) {
        const rows = await kindsOf(get, sessionId, { until: floor });
        const others = rows.filter(({ kind }) => kind !== 'tool');
        records.set(
          sessionId,
          others.reduce((sum, row) => sum + row.records, 0),
        );
      }
      return records;
    },
    async sumTools(sessionId) {
      const row = (await kindsOf(get, sessionId, {})).find(({ kind }) => kind === 'tool');
      return eachCount((name) => BigInt(row?.[name] ?? 0));
    },
  });
}

async function kindsOf(
  get: (path: string) => Promise<TransportAnswer>,
  session: string,
  until: { readonly until?: string },
): Promise<Usage['rows']> {
  const query = new URLSearchParams({ by: 'kind', session, since: ever, ...until });
  const { status, body } = await get(`/v1/usage?${query}`);
  if (status !== 200) throw new Error(`The collector answered with status ${status}.`);
  return (JSON.parse(body) as Usage).rows;
}

const ever = '0001-01-01T00:00:00Z';
