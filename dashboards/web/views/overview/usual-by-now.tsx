/** Today's sum beside what such a weekday comes to by this hour. */
import type { UsageRow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { largest } from '../../format/count.ts';
import { formatMoney, usdOf } from '../../format/money.ts';
import { formatClock, weekdayName } from '../../format/time.ts';
import { Meter } from '../../parts/meter.tsx';
import { useAnswers, usePage } from '../../state/page.ts';
import { addDays } from '../../state/period.ts';
import type { ViewProps } from '../view.ts';
import { weekdayAsks } from './asks.ts';
import { usualOfDays } from './sums.ts';

export interface UsualByNowProps extends ViewProps {
  readonly billing: 'metered' | 'subscription';
  /** Today, in nano-dollars. */
  readonly spent: bigint;
  /** The days of the last weeks: what is before the first of them is not known. */
  readonly days: readonly UsageRow[];
}

const hourMs = 3_600_000;

export function UsualByNow(props: UsualByNowProps): JSX.Element {
  const { place, today, billing, spent, days } = props;
  const untilMs = Math.floor(usePage().now().getTime() / hourMs) * hourMs;
  const weeks = useAnswers(weekdayAsks(place, today, untilMs));
  const first = days[0]?.day ?? today.day;
  const known = weeks
    .filter((_, week) => addDays(today.day, -7 * (week + 1)) >= first)
    .map(({ answer }) => answer?.total ?? null);
  const read = known.flatMap((total) => (total === null ? [] : [total]));
  const usual = read.length < known.length ? null : usualOfDays(read, billing);
  if (usual === null)
    return (
      <>
        <Meter label="today" share={null} tick={null} />
        <p>{read.length < known.length ? '…' : 'too few weeks to say what is usual'}</p>
      </>
    );
  const most = usdOf(largest([spent, usual.high, 1n]));
  return (
    <>
      <Meter
        label={`${formatMoney(spent)} today, ${formatMoney(usual.median)} usual by now`}
        share={usdOf(spent) / most}
        tick={usdOf(usual.median) / most}
        isPale={billing === 'subscription'}
      />
      <p>
        usual by {formatClock(untilMs)} <strong>{formatMoney(usual.median)}</strong>
      </p>
      <p>
        {usual.days} × {weekdayName(today.day)}: {formatMoney(usual.low)} to{' '}
        {formatMoney(usual.high)}
      </p>
    </>
  );
}
