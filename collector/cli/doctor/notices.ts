import type { BudgetDelivery } from '@pi-ledger/contract/answers';
import { joinNames } from '../../process/notices/names.ts';
import { type LedgerClient, RefusedError } from '../client/ledger-client.ts';
import { countOf } from '../output/counts.ts';
import type { DoctorFinding } from './finding.ts';

/** Do notices of budgets arrive? Says nothing where none was due. */
export async function checkNotices(client: LedgerClient): Promise<DoctorFinding[]> {
  try {
    const { rows } = await client.get('/v1/budgets/deliveries');
    if (rows.length === 0) return [];
    const lost = rows.filter(({ status }) => status === 'refused' || status === 'given up');
    const count = lost.reduce((sum, { notices }) => sum + notices, 0);
    const failing = rows.filter(({ status, attempts }) => status === 'waiting' && attempts > 0);
    if (count + failing.length === 0)
      return [{ check: 'notices', state: 'good', detail: 'every notice of a budget arrived' }];
    const waiting = failing.length === 0 ? [] : rows.filter(({ status }) => status === 'waiting');
    const last = (failing[0] ?? rows.find(({ status }) => status !== 'delivered'))?.detail;
    const detail =
      `${countOf(count, 'notice')} of budgets did not arrive${which(lost)}, ` +
      `${waiting.length} wait${which(waiting)}: ${last ?? 'not sent'}; ` +
      '`pi-ledger budgets deliveries` lists them';
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

function which(notices: readonly BudgetDelivery[]): string {
  return notices.length === 0 ? '' : ` (${joinNames(notices)})`;
}
