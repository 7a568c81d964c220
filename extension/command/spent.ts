/**
 * Amounts by kind of billing, with the marks of the command line and the page: `≥` at least, `n/a`
 * not known, `…` still counting. Never one sum: a plan's list-price equivalent is no bill.
 */
import { type Billed, billings, recordsIn, type Spent } from '../live/totals.ts';
import { dollars, grouped } from './amounts.ts';

type Billing = keyof Spent;

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
export function amountsText(spent: Spent, isGrowing = false, style: SpentStyle = long): string {
  const known = billings.filter(
    (billing) => spent[billing].records > 0 && hasAmount(spent[billing]),
  );
  const more = isGrowing ? '…' : '';
  const texts = known.map(
    (billing) => amountText(spent[billing], style) + more + style.labels[billing],
  );
  if (texts.length > 0) return texts.join(' + ');
  return recordsIn(spent) > 0 ? `n/a${more}` : `${style.money(0n)}${more}`;
}

/** Whether any record has a price. */
function hasAmount({ records, nanoUsd, unpricedRecords, unreportedRecords }: Billed): boolean {
  return nanoUsd > 0n || records > unpricedRecords + unreportedRecords;
}

function amountText({ nanoUsd, unpricedRecords }: Billed, { money }: SpentStyle): string {
  return `${unpricedRecords > 0 ? '≥ ' : ''}${money(nanoUsd)}`;
}

/** With what is left out of them. */
export function spentText(spent: Spent, isGrowing = false): string {
  const unpriced = sumOf(spent, 'unpricedRecords');
  const unreported = sumOf(spent, 'unreportedRecords');
  const attempts = unreported === 1 ? 'attempt' : 'attempts';
  return [
    amountsText(spent, isGrowing),
    ...(unpriced > 0 ? [`${grouped(unpriced)} unpriced`] : []),
    ...(unreported > 0 ? [`${grouped(unreported)} ${attempts} whose cost is unknown`] : []),
  ].join(' · ');
}

function sumOf(spent: Spent, name: 'unpricedRecords' | 'unreportedRecords'): number {
  return billings.reduce((sum, billing) => sum + spent[billing][name], 0);
}
