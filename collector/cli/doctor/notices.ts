import { type LedgerClient, RefusedError } from '../client/ledger-client.ts';
import { countOf } from '../output/usage-table.ts';
import type { Finding } from './finding.ts';

/** Do notices of budgets arrive? Says nothing where none was due. */
export async function checkNotices(client: LedgerClient): Promise<Finding[]> {
  try {
    const { rows } = await client.get('/v1/budgets/deliveries');
    if (rows.length === 0) return [];
    const count = (status: string) => rows.filter((row) => row.status === status).length;
    const lost = count('refused') + count('given up');
    const failing = rows.filter(({ status, attempts }) => status === 'waiting' && attempts > 0);
    if (lost + failing.length === 0)
      return [{ check: 'notices', state: 'good', detail: 'every notice of a budget arrived' }];
    const last = (failing[0] ?? rows.find(({ status }) => status !== 'delivered'))?.detail;
    const detail =
      `${countOf(lost, 'notice')} of budgets did not arrive, ${failing.length} wait: ` +
      `${last ?? 'not sent'}; \`pi-ledger budgets deliveries\` lists them`;
    // Several places may be shown alike, so the newest of each is not all that counts.
    const newest = new Map(rows.toReversed().map((row) => [row.to, row.status]));
    const isBad =
      failing.length > 0 || [...newest.values()].some((status) => status !== 'delivered');
    return [{ check: 'notices', state: isBad ? 'bad' : 'note', detail }];
  } catch (error) {
    // A token that does not allow this, or a collector that sends none.
    if (error instanceof RefusedError && [401, 403, 404].includes(error.status)) return [];
    throw error;
  }
}
