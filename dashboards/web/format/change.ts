/** What changed between two amounts of one billing. */
import type { Amount } from './amount.ts';
import { formatChange } from './count.ts';

/** Estimated, unless both amounts are exact: what is left out of one may not be of the other. */
export interface Change extends Amount {
  /** `+87 %`; a dash where nothing was before; null: not known. */
  readonly percent: string | null;
  /** 0.87 of what was before; null: not known, or nothing was before. */
  readonly share: number | null;
}

export const changeNotKnown: Change = { nanoUsd: null, mark: 'exact', percent: null, share: null };

export function changeBetween(now: Amount, before: Amount): Change {
  const [is, was] = [now.nanoUsd, before.nanoUsd];
  if (is === null || was === null) return changeNotKnown;
  return {
    nanoUsd: is - was,
    mark: now.mark === 'exact' && before.mark === 'exact' ? 'exact' : 'estimated',
    percent: formatChange(is, was),
    share: was === 0n ? null : Number(is - was) / Number(was),
  };
}
