/** Words that the figures of a project are said in. */
import type { UsageFigures } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { formatChange, formatShare } from '../../format/count.ts';
import { fromCache } from '../../format/spend.ts';
import { Money } from '../../parts/money.tsx';

export function cacheShare(figures: UsageFigures): string {
  const { read, sent } = fromCache(figures);
  return formatShare(read, sent);
}

/** `+$44.15, +87 %`; nothing where nothing was before. */
export function ChangeWords({ now, before }: { now: bigint; before: bigint }): JSX.Element | null {
  if (before === 0n) return null;
  return (
    <p>
      <strong>
        <Money nanoUsd={now - before} mark="exact" isChange />
      </strong>
      , {formatChange(now, before)}
    </p>
  );
}
