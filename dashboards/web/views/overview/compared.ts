/** What a table of usage shows, against the period before. */
import type { UsageFigures, UsageRow } from '@pi-ledger/contract/answers';

export interface UsageTable {
  readonly total: (UsageFigures & { readonly sessions?: number }) | null;
  readonly totalBefore: UsageFigures | null;
  /** The same name in the period before; undefined: it spent nothing then; null: not known. */
  before(row: UsageRow): UsageRow | undefined | null;
  /** Whether the period before has been answered. */
  readonly hasBefore: boolean;
  readonly isCounting: boolean;
  /** Whether rows say of how many sessions they are. */
  readonly hasSessions: boolean;
}
