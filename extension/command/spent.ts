/**
 * Amounts by kind of billing, with the marks of the command line and the page: `≥` at least, `n/a`
 * not known, `…` still counting. Never one sum: a plan's list-price equivalent is no bill.
 */

import { grouped, knownAmount } from '../../contract/amounts.ts';
import { billings } from '../../contract/answers/billings.ts';
import { type BilledTotals, recordsIn, type SpentTotals } from '../live/totals.ts';
import { dollars } from './amounts.ts';

type Billing = keyof SpentTotals;

const longLabels: Readonly<Record<Billing, string>> = {
  metered: '',
  subscription: ' at list price (subscription)',
  unknown: ' (billing unknown)',
};

interface SpentStyle {
  readonly labels: Readonly<Record<Billing, string>>;
  money(nanoUsd: bigint): string;
}

const long: SpentStyle = { labels: longLabels, money: dollars };

/** The amounts alone. */
export function amountsText(
  spent: SpentTotals,
  isGrowing = false,
  style: SpentStyle = long,
): string {
  const more = isGrowing ? '…' : '';
  const texts = billings.flatMap((billing) => {
    const text = amountText(spent[billing], style);
    return text === null ? [] : [text + more + style.labels[billing]];
  });
  if (texts.length > 0) return texts.join(' + ');
  return recordsIn(spent) > 0 ? `n/a${more}` : `${style.money(0n)}${more}`;
}

/** Returns null if nothing of it is known. */
function amountText(billed: BilledTotals, { money }: SpentStyle): string | null {
  const { nanoUsd, isAtLeast } = knownAmount(billed.nanoUsd, billed);
  if (billed.records === 0 || nanoUsd === null) return null;
  return `${isAtLeast ? '≥ ' : ''}${money(nanoUsd)}`;
}

/** With what is left out of them. */
export function spentText(spent: SpentTotals, isGrowing = false): string {
  const unpriced = sumRecords(spent, 'unpricedRecords');
  const unreported = sumRecords(spent, 'unreportedRecords');
  const attempts = unreported === 1 ? 'attempt' : 'attempts';
  return [
    amountsText(spent, isGrowing),
    ...(unpriced > 0 ? [`${grouped(unpriced)} unpriced`] : []),
    ...(unreported > 0 ? [`${grouped(unreported)} ${attempts} whose cost is unknown`] : []),
  ].join(' · ');
}

function sumRecords(spent: SpentTotals, name: 'unpricedRecords' | 'unreportedRecords'): number {
  return billings.reduce((sum, billing) => sum + spent[billing][name], 0);
}
