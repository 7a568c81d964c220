/** Tables of usage against as much time before, whose rows may come in pages. */
import type { Usage, UsageRow } from '@pi-ledger/contract/answers';
import type { UsageTable } from '../overview/compared.ts';

export interface Compared {
  readonly rows: readonly UsageRow[];
  /** Over all rows; null: not known yet. */
  readonly total: Usage['total'] | null;
  /** Null: not known yet. */
  readonly earlier: Pick<Usage, 'rows' | 'total' | 'next'> | null;
  readonly isCounting: boolean;
  nameOf(row: UsageRow): string | null;
}

/** Who is not in an earlier answer spent nothing then, unless that had not everybody. */
export function usageOf({ rows, total, earlier, isCounting, nameOf }: Compared): UsageTable {
  const byName = new Map(earlier?.rows.map((row) => [nameOf(row), row]));
  const otherwise = earlier?.next === null ? undefined : null;
  return {
    total,
    totalBefore: earlier?.total ?? null,
    before: (row) => byName.get(nameOf(row)) ?? otherwise,
    hasBefore: earlier !== null,
    isCounting,
    hasSessions: rows.some(({ sessions }) => sessions !== undefined),
  };
}
