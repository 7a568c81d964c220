import type { Standing } from '@pi-ledger/contract/answers';
import { type LedgerClient, RefusedError } from './ledger-client.ts';

/** Null from an older collector, or for a token that may not ask. */
export async function askStanding(client: Pick<LedgerClient, 'get'>): Promise<Standing | null> {
  try {
    return await client.get('/v1/standing');
  } catch (error) {
    if (error instanceof RefusedError) return null;
    throw error;
  }
}
