/** What no sum has: records without a price, attempts that reported nothing, lines not read. */
import type { UsageRow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { standing } from '../../app/asks.ts';
import { formatCount } from '../../format/count.ts';
import { formatMonth } from '../../format/time.ts';
import { attemptsIn } from '../../format/unreported.ts';
import { Figure } from '../../parts/figures.tsx';
import { Link } from '../../parts/link.tsx';
import { UnwrittenLines } from '../../parts/unwritten-lines.tsx';
import { useAnswer } from '../../state/page.ts';
import type { Today } from '../view.ts';
import { unpricedIn } from './sums.ts';

export function InNoSum({
  month,
  today,
}: {
  month: readonly UsageRow[];
  today: Today;
}): JSX.Element {
  const unpriced = unpricedIn(month);
  return (
    <Figure
      label={`In no sum, ${formatMonth(today.day)}`}
      value={formatCount(unpriced)}
      unit={unpriced === 1 ? 'record without a price' : 'records without a price'}
    >
      {unpriced > 0 && (
        <p>
          <Link view="models">which models</Link>
        </p>
      )}
      <p>
        <strong>{formatCount(attemptsIn(month))}</strong> attempts that reported nothing
      </p>
      <UnwrittenLines of={month} />
      <LeftOutLines />
    </Figure>
  );
}

/** Lines of any day count: what a line held is not known. */
function LeftOutLines(): JSX.Element | null {
  const count = useAnswer(standing).answer?.leftOut.count ?? 0;
  if (count === 0) return null;
  return (
    <p>
      <Link view="health">
        {formatCount(count)} {count === 1 ? 'line' : 'lines'} of files
      </Link>{' '}
      not read
    </p>
  );
}
