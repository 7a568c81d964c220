/** Words that the figures of a project are said in. */
import type { UsageFigures } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import type { Change } from '../../format/change.ts';
import { formatShare } from '../../format/count.ts';
import { fromCache } from '../../format/spend.ts';
import { Money } from '../../parts/money.tsx';
import { Percent } from '../../parts/percent.tsx';

export function cacheShare(figures: UsageFigures): string {
  const { read, sent } = fromCache(figures);
  return formatShare(read, sent);
}

/** `+$44.15, +87 %`; nothing where it is not known, or nothing was before. */
export function ChangeWords({ of }: { of: Change }): JSX.Element | null {
  if (of.share === null) return null;
  return (
    <p>
      <strong>
        <Money {...of} isChange />
      </strong>
      , <Percent of={of} />
    </p>
  );
}
