/** The ledger's rows of usage, page by page: memory does not grow with the ledger. */
import type { UsageFineRow } from '@pi-ledger/contract/answers';
import type { RowDimension } from '@pi-ledger/contract/row-dimensions';
import type { LedgerClient } from '../client/ledger-client.ts';

const pageRows = 1_000;

export async function* usageRowPages(
  client: Pick<LedgerClient, 'get'>,
  by: readonly RowDimension[],
  parameters: URLSearchParams,
): AsyncGenerator<readonly UsageFineRow[]> {
  const query = new URLSearchParams(parameters);
  query.set('limit', String(pageRows));
  for (const dimension of by) query.append('by', dimension);
  for (let next: string | null = ''; next !== null; ) {
    if (next !== '') query.set('cursor', next);
    const page: UsagePage = await client.get('/v1/usage/rows', { query });
    yield page.rows;
    next = page.next;
  }
}

interface UsagePage {
  readonly rows: readonly UsageFineRow[];
  readonly next: string | null;
}
