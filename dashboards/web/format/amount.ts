/** What has to be said before a figure. */
export type Mark = 'exact' | 'atLeast' | 'atMost' | 'estimated' | 'counting';

/** An amount of one kind of billing. Amounts of two kinds are never added up. */
export interface Amount {
  /** It is null when the amount is not known. */
  readonly nanoUsd: bigint | null;
  readonly mark: Mark;
}
