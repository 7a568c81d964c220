/** How rows changed against as much time before. Metered money alone. */
import type { UsageFigures, UsageRow } from '@pi-ledger/contract/answers';
import { amountOf } from '../../format/spend.ts';

export interface Change {
  readonly now: bigint;
  readonly before: bigint;
}

/** The rows of the time before, by name, and whether there are others. */
export interface Before {
  readonly rows: ReadonlyMap<string | null, UsageFigures>;
  readonly isAll: boolean;
}

export function beforeOf(
  answer: { readonly rows: readonly UsageRow[]; readonly next: string | null } | null,
  nameOf: (row: UsageRow) => string | null,
): Before {
  const rows = answer?.rows ?? [];
  return {
    rows: new Map(rows.map((row) => [nameOf(row), row])),
    isAll: answer !== null && answer.next === null,
  };
}

/** Null: one of both is not known. */
export function changeBetween(
  now: UsageFigures | undefined,
  before: UsageFigures | undefined,
): Change | null {
  if (now === undefined || before === undefined) return null;
  const [one, other] = [amountOf(now, 'metered').nanoUsd, amountOf(before, 'metered').nanoUsd];
  return one === null || other === null ? null : { now: one, before: other };
}

/** Who did not spend before spent nothing. */
export function changeOf(
  now: UsageFigures,
  name: string | null,
  { rows, isAll }: Before,
): Change | null {
  const earlier = rows.get(name);
  if (earlier !== undefined) return changeBetween(now, earlier);
  const { nanoUsd } = amountOf(now, 'metered');
  return nanoUsd === null || !isAll ? null : { now: nanoUsd, before: 0n };
}
