/** What sessions are found and sorted by. Pure. */
import { type Billing, billings } from '@pi-ledger/contract/billings';
import { type Amount, addAmounts } from '../amount.ts';
import { measureIndex } from '../spend-amounts.ts';
import { localDayText, toMinute } from './calendar.ts';
import { allLines } from './cells.ts';
import type { SessionState } from './document.ts';
import { labelsOfCell } from './notes/cell-labels.ts';

/** The columns that sort the costliest first, for each kind of billing. */
export const orderColumns = {
  metered: 'meteredOrder',
  subscription: 'subscriptionOrder',
  unknown: 'unknownOrder',
} as const satisfies Readonly<Record<Billing, string>>;

/** Days are the spender's, by the newest attribution. */
export function findColumns(state: SessionState): Record<string, string> {
  const { started, firstSeenAt, lastSeenAt, timeline } = state;
  const offset = timeline.attributions.at(-1)?.facts.utcOffsetMinutes ?? 0;
  const spent = sumByBilling(state);
  return {
    firstDay: toDay(started?.at ?? firstSeenAt, offset),
    lastDay: toDay(lastSeenAt, offset),
    ...Object.fromEntries(
      billings.map((billing) => [orderColumns[billing], toSortable(BigInt(spent[billing]))]),
    ),
  };
}

const orderDigits = 40;
/** More than any sum: stores hold 124 bits. */
const orderZero = 10n ** 39n;

/** Texts in the order of these are the amounts in nano-dollars, the largest first. */
export function toSortable(nanoUsd: bigint): string {
  return (orderZero - nanoUsd).toString().padStart(orderDigits, '0');
}

export function fromSortable(order: string): bigint {
  return orderZero - BigInt(order);
}

const nanoUsdAt = measureIndex('nanoUsd');

/** As in the rollup `usage`: without what an ignored project spent. */
function sumByBilling({ spending, timeline }: SessionState): Record<Billing, Amount> {
  const spent: Record<Billing, Amount[]> = { metered: [0], subscription: [0], unknown: [0] };
  for (const line of allLines(spending)) {
    for (const cell of line.cells.values()) {
      const { billing, isIgnored } =
        cell.rows?.labels ?? labelsOfCell(timeline, line, cell.minute, spending.cellMinutes);
      const sum = spent[billings.find((each) => each === billing) ?? 'unknown'];
      if (!isIgnored) addAmounts(sum, [cell.amounts[nanoUsdAt] ?? 0]);
    }
  }
  const { metered, subscription, unknown } = spent;
  return {
    metered: metered[0] ?? 0,
    subscription: subscription[0] ?? 0,
    unknown: unknown[0] ?? 0,
  };
}

/** Empty: never seen. */
function toDay(time: string, offsetMinutes: number): string {
  return time === '' ? '' : localDayText(toMinute(time), offsetMinutes);
}
