/** Sums that grow between two answers of the collector. Pure. */
import type { Billed, Spent } from '../../live/totals.ts';

/** What was known, with what was recorded here since: `now` less `then`. */
export function grown(known: Spent, then: Spent, now: Spent): Spent {
  return {
    metered: grownBilled(known.metered, then.metered, now.metered),
    subscription: grownBilled(known.subscription, then.subscription, now.subscription),
    unknown: grownBilled(known.unknown, then.unknown, now.unknown),
  };
}

function grownBilled(known: Billed, then: Billed, now: Billed): Billed {
  return {
    records: known.records + now.records - then.records,
    nanoUsd: known.nanoUsd + now.nanoUsd - then.nanoUsd,
    unpricedRecords: known.unpricedRecords + now.unpricedRecords - then.unpricedRecords,
    unreportedRecords: known.unreportedRecords + now.unreportedRecords - then.unreportedRecords,
  };
}

export function copied(spent: Spent): Spent {
  return {
    metered: { ...spent.metered },
    subscription: { ...spent.subscription },
    unknown: { ...spent.unknown },
  };
}
