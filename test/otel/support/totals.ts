/** Money as exact nano-dollars, by kind of billing, from each of those that tell of it. */
import type { Totals } from '../../../contract/answers/totals.ts';
import type { Ledger } from '../../hosts/support/ledger/ledger.ts';
import type { Prometheus } from '../../services/prometheus/prometheus.ts';

/** `metered`, `subscription`, `unknown`: never added. What is zero is absent. */
export type Money = Readonly<Record<string, bigint>>;

export async function readTotals(ledger: Ledger): Promise<Totals> {
  const response = await fetch(`${ledger.url}/v1/totals`);
  if (response.status !== 200)
    throw new Error(`totals: ${response.status} ${await response.text()}`);
  const totals: Totals = JSON.parse(await response.text());
  return totals;
}

/** Of `/v1/totals`; only of these kinds of spend, if there are any. */
export function moneyOf(totals: Totals, isWanted: (kind: string) => boolean = () => true): Money {
  const rows = totals.rows.filter(
    ({ metric, attributes }) =>
      metric === 'pi.cost.usd' && isWanted(attributes['pi.spend.kind'] ?? ''),
  );
  return sums(
    rows.map(({ attributes, amount }) => [attributes['pi.billing'] ?? '', nanoOf(amount ?? '0')]),
  );
}

/** As Prometheus adds it up itself: floating-point sums, rounded to the last digit of ours. */
export async function moneyIn(prometheus: Prometheus, selector: string): Promise<Money> {
  const samples = await prometheus.query(`sum by (pi_billing) (pi_cost_usd_total${selector})`);
  return sums(samples.map(({ labels, value }) => [labels.pi_billing ?? '', nanoOf(value)]));
}

/** Of `report --json` with these arguments. */
export async function moneyReported(ledger: Ledger, ...args: readonly string[]): Promise<Money> {
  const { total } = await ledger.report(...args);
  return sums([
    ['metered', BigInt(total.meteredNanoUsd)],
    ['subscription', BigInt(total.subscriptionNanoUsd)],
    ['unknown', BigInt(total.unknownBillingNanoUsd)],
  ]);
}

/** Of a decimal number: exact to nine digits, the rest rounded. */
export function nanoOf(text: string): bigint {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '') throw new Error(`not a decimal number: ${text}`);
  const digits = fraction.padEnd(10, '0');
  const nano = BigInt(whole + digits.slice(0, 9)) + (digits.charAt(9) >= '5' ? 1n : 0n);
  return sign === '-' ? -nano : nano;
}

function sums(parts: readonly (readonly [string, bigint])[]): Money {
  const money: Record<string, bigint> = {};
  for (const [billing, nanoUsd] of parts) money[billing] = (money[billing] ?? 0n) + nanoUsd;
  return Object.fromEntries(Object.entries(money).filter(([, nanoUsd]) => nanoUsd !== 0n));
}
