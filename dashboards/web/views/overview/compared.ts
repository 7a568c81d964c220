/** What a table of usage shows, against the period before. Its rows may come in pages. */
import type { Usage, UsageFigures, UsageRow } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import { type Change, changeBetween, changeNotKnown } from '../../format/change.ts';
import { amountOf } from '../../format/spend.ts';
import type { Before } from './before.ts';
import { counted } from './counting.ts';

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

export interface Compared {
  readonly rows: readonly UsageRow[];
  /** Over all rows; null: not known yet. */
  readonly total: Usage['total'] | null;
  readonly earlier: Before;
  readonly isCounting: boolean;
  nameOf(row: UsageRow): string | null;
}

/** Who is not in an earlier answer spent nothing then, unless that had not everybody. */
export function usageOf({ rows, total, earlier, isCounting, nameOf }: Compared): UsageTable {
  const answer = earlier === 'nothing' ? null : earlier;
  const byName = new Map(answer?.rows.map((row) => [nameOf(row), row]));
  const otherwise = answer?.next === null ? undefined : null;
  return {
    total,
    totalBefore: answer?.total ?? null,
    before: (row) => byName.get(nameOf(row)) ?? otherwise,
    hasBefore: earlier !== null,
    isCounting,
    hasSessions: rows.some(({ sessions }) => sessions !== undefined),
  };
}

/** Not known, too, where nothing at all was recorded before. */
export function changeOfRow(table: UsageTable, row: UsageRow, billing: Billing): Change {
  const before = table.before(row);
  if (table.totalBefore?.records === 0 || before === null) return changeNotKnown;
  return changeOf(row, before, billing, table.isCounting);
}

export function changeOfTotal(table: UsageTable, billing: Billing): Change {
  const { total, totalBefore } = table;
  if (total === null || totalBefore === null || totalBefore.records === 0) return changeNotKnown;
  return changeOf(total, totalBefore, billing, table.isCounting);
}

/** `before` undefined: nothing was spent then. */
export function changeOf(
  now: UsageFigures,
  before: UsageFigures | undefined,
  billing: Billing,
  isCounting: boolean,
): Change {
  const was = before === undefined ? nothing : amountOf(before, billing);
  return changeBetween(counted(amountOf(now, billing), isCounting), counted(was, isCounting));
}

const nothing = { nanoUsd: 0n, mark: 'exact' } as const;
