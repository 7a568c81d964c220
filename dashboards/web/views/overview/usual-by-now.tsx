/** Today's sum beside what such a weekday comes to by this hour. */
import type { UsageRow } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { JSX } from 'preact';
import { billingLooks } from '../../charts/billing-look.ts';
import { largest } from '../../format/count.ts';
import { formatMoney, usdOf } from '../../format/money.ts';
import { formatClock, weekdayName } from '../../format/time.ts';
import { Meter } from '../../parts/meter.tsx';
import { Money } from '../../parts/money.tsx';
import { useAnswers } from '../../state/page.ts';
import { addDays } from '../../state/period.ts';
import { instantOf } from '../../state/today.ts';
import type { Today, ViewProps } from '../view.ts';
import { weekdayAsks } from './asks.ts';
import { usualOfDays } from './sums.ts';

export interface UsualByNowProps extends ViewProps {
  readonly billing: Billing;
  /** Today, in nano-dollars; null: not known. */
  readonly spent: bigint | null;
  /** The days of the last weeks: what is before the first of them is not known. */
  readonly days: readonly UsageRow[];
}

export function UsualByNow(props: UsualByNowProps): JSX.Element {
  const { place, today, billing, spent, days } = props;
  const weeks = useAnswers(weekdayAsks(place, today));
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
        <p>{read.length < known.length ? 'loading' : 'too few weeks to say what is usual'}</p>
      </>
    );
  const most = usdOf(largest([spent ?? 0n, usual.high, 1n]));
  const [{ mark }, now] = [usual, spent === null ? 'not known' : formatMoney(spent)];
  return (
    <>
      <Meter
        label={`${now} today, ${formatMoney(usual.median)} usual by now`}
        share={spent === null ? null : usdOf(spent) / most}
        tick={usdOf(usual.median) / most}
        look={billingLooks[billing].look}
      />
      <p>
        usual by {untilOf(today)}{' '}
        <strong>
          <Money nanoUsd={usual.median} mark={mark} />
        </strong>
      </p>
      <p>
        {usual.days} × {weekdayName(today.day)}: <Money nanoUsd={usual.low} mark={mark} /> to{' '}
        <Money nanoUsd={usual.high} mark={mark} />
      </p>
    </>
  );
}

/** `20:00` */
function untilOf({ day, reached }: Today): string {
  return reached === undefined ? '' : formatClock(instantOf(day, reached.hour, reached.timeZone));
}
