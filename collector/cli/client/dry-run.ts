/** Counts events instead of storing them: what an import would add. */

import type { Ack, Spend } from '@pi-ledger/contract';
import { amountNames } from '@pi-ledger/contract/billings';
import { summarySpend } from '@pi-ledger/core/record/summary-spend';
import type { Billing } from '../../projections/rules.ts';

export interface DryRun {
  accept(values: readonly unknown[], texts: readonly string[]): Promise<Ack>;
  totals(): Would;
}

/** Amounts in nano-dollars, each kind of billing on its own. */
export interface Would {
  readonly sessions: number;
  readonly records: number;
  readonly unpricedRecords: number;
  readonly meteredNanoUsd: bigint;
  readonly subscriptionNanoUsd: bigint;
  readonly unknownBillingNanoUsd: bigint;
  readonly byBilling: Readonly<Record<Kind, Readonly<Without>>>;
}

type Kind = Billing | 'unknown';

interface Without {
  unpricedRecords: number;
  unreportedRecords: number;
}

/** Repeats after this many events are not noticed. */
const idsMax = 1_000_000;

interface Countable {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly data: { readonly spend?: Spend | null; readonly fromExtension?: boolean };
}

/** `billing`: of config.json, by provider. Session files do not tell of it. */
export function createDryRun(billing: Readonly<Record<string, Billing>>): DryRun {
  const ids = new Set<number>();
  const sessions = new Set<string>();
  const amounts = { meteredNanoUsd: 0n, subscriptionNanoUsd: 0n, unknownBillingNanoUsd: 0n };
  const without = (): Without => ({ unpricedRecords: 0, unreportedRecords: 0 });
  const byBilling = { metered: without(), subscription: without(), unknown: without() };
  let records = 0;

  function count({ subject, data }: Countable): void {
    sessions.add(subject);
    const { spend: said = null, fromExtension = false } = data;
    const spend = summarySpend({ spend: said, fromExtension });
    if (spend === null) return;
    const { provider, reported, costNanoUsd } = spend;
    records += 1;
    const kind = billing[provider ?? ''] ?? 'unknown';
    if (costNanoUsd !== null) amounts[amountNames[kind]] += BigInt(costNanoUsd);
    else byBilling[kind][reported ? 'unpricedRecords' : 'unreportedRecords'] += 1;
  }

  function totals(): Would {
    const unpricedRecords = Object.values(byBilling).reduce(
      (sum, kind) => sum + kind.unpricedRecords,
      0,
    );
    return { sessions: sessions.size, records, unpricedRecords, ...amounts, byBilling };
  }

  return {
    async accept(values) {
      let duplicates = 0;
      for (const event of values as readonly Countable[]) {
        const id = shortOf(event.id);
        if (ids.has(id)) duplicates += 1;
        else count(event);
        if (ids.size < idsMax) ids.add(id);
      }
      return { accepted: values.length - duplicates, duplicates, expired: 0, rejected: [] };
    },
    totals,
  };
}

/**
 * 52 of an id's random bits take a fraction of its memory. Two events of a million share them in
 * one of ten thousand imports.
 */
function shortOf(id: string): number {
  return Number.parseInt(id.slice(22, 23) + id.slice(24), 16);
}
