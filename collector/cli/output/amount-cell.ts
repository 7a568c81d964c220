import { dollarText } from '@pi-ledger/contract/amounts';
import type { UsageFigures } from '@pi-ledger/contract/answers';
import { amountNames, type Billing, billings } from '@pi-ledger/contract/billings';
import { boundedText } from './amounts-text.ts';

/** A dash where no record is of this billing. */
export function amountCell(row: UsageFigures, billing: Billing, decimals: number): string {
  const bounded = boundedText(BigInt(row[amountNames[billing]]), row.byBilling[billing], decimals);
  if (bounded !== null) return bounded;
  const isElsewhere = billings.some((each) => row[amountNames[each]] !== '0');
  const isPriced = row.records > row.unpricedRecords + row.unreportedRecords;
  return isPriced && !isElsewhere ? dollarText(0n, decimals) : '–';
}
