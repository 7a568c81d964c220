/** What a session spent, each kind of billing apart. Pure. */
import type { SessionDetails, UsageFigures } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import { billings } from '../../../../../contract/answers/billings.ts';
import type { Amount } from '../../../format/amount.ts';
import { amountOf } from '../../../format/spend.ts';
import { attemptsIn } from '../../../format/unreported.ts';

/** Kinds that the session has records of; metered where it has none, so that there is a figure. */
export function billingsOf(details: SessionDetails): readonly Billing[] {
  const known = billings.filter((billing) => {
    const { unpricedRecords, unreportedRecords } = details.byBilling[billing];
    const { nanoUsd } = amountOf(details, billing);
    return nanoUsd !== 0n || unpricedRecords + unreportedRecords > 0;
  });
  return known.length === 0 ? ['metered'] : known;
}

/**
 * `isOnly`: no other kind occurs. Null: nothing was spent at all. Not known where no record has a
 * price, or none reported anything.
 */
export function spentOf(details: SessionDetails, billing: Billing, isOnly: boolean): Amount | null {
  const amount = amountOf(details, billing);
  if (amount.nanoUsd !== 0n) return amount;
  if (isOnly && details.records === 0) return null;
  const { unpricedRecords, unreportedRecords } = details.byBilling[billing];
  const isSilent = !isOnly || unpricedRecords + unreportedRecords >= details.records;
  return isSilent ? { nanoUsd: null, mark: 'exact' } : amount;
}

/** Its own spend and that of all subagents below it. */
export function withSubagents(
  all: NonNullable<SessionDetails['withSubagents']>,
  billing: Billing,
): Amount {
  const amount = amountOf(all, billing);
  return all.isAtLeast && amount.nanoUsd !== null ? { ...amount, mark: 'atLeast' } : amount;
}

/** Attempts that reported nothing: what an upper estimate of them is about. */
export interface Unreported {
  readonly attempts: number;
  /** At most so much; null: not known, or of more than one kind of billing. */
  readonly nanoUsdMax: bigint | null;
  /** The estimate is of them all; otherwise of those that can be estimated, which may be fewer. */
  readonly isOfAll: boolean;
}

export function unreportedOf(figures: UsageFigures): Unreported {
  const { unreportedNanoUsdMax, byBilling } = figures;
  const attempts = attemptsIn([figures]);
  const kinds = billings.filter((billing) => byBilling[billing].unreportedRecords > 0);
  const sum = BigInt(unreportedNanoUsdMax);
  return {
    attempts,
    nanoUsdMax: kinds.length === 1 && sum > 0n ? sum : null,
    isOfAll: attempts === 1,
  };
}
