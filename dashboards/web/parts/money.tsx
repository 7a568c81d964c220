import type { JSX } from 'preact';
import { exactUsd } from '../../../contract/amounts.ts';
import type { Amount } from '../format/amount.ts';
import { formatMarked } from '../format/money.ts';
import { Marked, None, NotKnown } from './marks.tsx';

export interface MoneyProps extends Amount {
  /** Two by default, four for turns; one precision in a column. */
  readonly places?: number;
  /** With `+` where it is more than nothing. */
  readonly isChange?: boolean;
}

/** The exact amount is the title, and said on focus. */
export function Money({ nanoUsd, mark, places = 2, isChange = false }: MoneyProps): JSX.Element {
  if (nanoUsd === null) return <NotKnown />;
  const { text, ...marked } = formatMarked({ nanoUsd, mark }, places, isChange);
  return (
    <span class="money" title={`${exactUsd(nanoUsd)} USD`}>
      <Marked {...marked}>{text}</Marked>
    </span>
  );
}

/** A dash where nothing was spent in this way. */
export function MoneyOrNone(props: MoneyProps): JSX.Element {
  return props.nanoUsd === 0n && props.mark === 'exact' ? <None /> : <Money {...props} />;
}
