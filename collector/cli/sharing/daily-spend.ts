/** What was spent each day, for a chart. */
import type { UsageRow } from '@pi-ledger/contract/answers';

export interface DailySpend {
  /** By day, in order; days without a row spent nothing. */
  readonly rows: readonly UsageRow[];
}
