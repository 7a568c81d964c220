import type { JSX } from 'preact';
import { exactUsd, formatMoney, formatSigned } from '../format/money.ts';
import { type Mark, Marked, None, NotKnown } from './marks.tsx';

/** An amount of one kind of billing. Amounts of two kinds are never added up. */
export interface Amount {
  /** Null: not known. */
  readonly nanoUsd: bigint | null;
  readonly mark: Mark;
}

export interface MoneyProps extends Amount {
  /** Two by default, four for turns; one precision in a column. */
  readonly places?: number;
  /** With `+` where it is more than nothing. */
  readonly isChange?: boolean;
}

/** The exact amount is the title, and said on focus. */
export function Money({ nanoUsd, mark, places = 2, isChange = false }: MoneyProps): JSX.Element {
  if (nanoUsd === null) return <NotKnown />;
  const format = isChange ? formatSigned : formatMoney;
  return (
    <span class="money" title={`${exactUsd(nanoUsd)} USD`}>
      <Marked mark={mark}>{format(nanoUsd, places)}</Marked>
    </span>
  );
}

/** A dash where nothing was spent in this way. */
export function MoneyOrNone(props: MoneyProps): JSX.Element {
  return props.nanoUsd === 0n && props.mark === 'exact' ? <None /> : <Money {...props} />;
}
