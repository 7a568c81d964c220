/** What was spent, by kind of billing: never one sum. Pure. */

import type { AgentSpent } from '@pi-ledger/contract/answers';
import { readBilling } from '@pi-ledger/contract/billings';
import type { SumRow } from '../../views/views.ts';

type Billing = keyof AgentSpent;
const measures = ['records', 'nanoUsd', 'unpricedRecords', 'unreportedRecords'] as const;
type Measure = (typeof measures)[number];

export interface Part {
  readonly billing: string;
  /** These are measures of the rollup `usage`; an absent one counts as zero. */
  readonly measures: Readonly<Partial<Record<Measure, bigint>>>;
}

export function spentOf(parts: readonly Part[]): AgentSpent {
  const sums = {
    metered: new Map<Measure, bigint>(),
    subscription: new Map<Measure, bigint>(),
    unknown: new Map<Measure, bigint>(),
  };
  for (const part of parts) {
    const own = sums[readBilling(part.billing)];
    for (const name of measures) own.set(name, (own.get(name) ?? 0n) + (part.measures[name] ?? 0n));
  }
  const written = (billing: Billing) => ({
    records: Number(sums[billing].get('records') ?? 0n),
    nanoUsd: String(sums[billing].get('nanoUsd') ?? 0n),
    unpricedRecords: Number(sums[billing].get('unpricedRecords') ?? 0n),
    unreportedRecords: Number(sums[billing].get('unreportedRecords') ?? 0n),
  });
  return {
    metered: written('metered'),
    subscription: written('subscription'),
    unknown: written('unknown'),
  };
}

export function partsOf(rows: readonly SumRow[]): readonly Part[] {
  return rows.map(({ dimensions, measures: sums }) => ({
    billing: dimensions.billing ?? '',
    measures: sums,
  }));
}
