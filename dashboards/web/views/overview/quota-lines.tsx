/** How full the windows of subscriptions are. */
import type { QuotaWindow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { shareText } from '../../../../core/text/share-text.ts';
import { fullWords } from '../../format/quota.ts';
import { formatClock, localDay } from '../../format/time.ts';
import { Link } from '../../parts/link.tsx';
import { Marked, NotKnown } from '../../parts/marks.tsx';
import { Meter } from '../../parts/meter.tsx';
import { Name } from '../../parts/name.tsx';
import { useAnswer, useAnswerOfNow, usePage } from '../../state/page.ts';
import { quotaAsk } from './asks.ts';

const shownMax = 2;

export function useHasQuota(): boolean {
  return (useAnswerOfNow(quotaAsk).answer?.rows.length ?? 0) > 0;
}

/** The fullest ones; those of which nothing is known now come last. */
export function QuotaLines(): JSX.Element | null {
  const { answer } = useAnswer(quotaAsk);
  if (answer === null || answer.rows.length === 0) return null;
  const fullest = answer.rows.toSorted((one, other) => shareOf(other) - shareOf(one));
  const left = answer.rows.length - shownMax + answer.rowsLeftOut;
  const isOfMany = new Set(answer.rows.map(({ user }) => user)).size > 1;
  return (
    <>
      <div class="quota">
        {fullest.slice(0, shownMax).map((row) => (
          <Window key={`${row.user} ${row.provider} ${row.window}`} of={row} {...{ isOfMany }} />
        ))}
      </div>
      {left > 0 && (
        <p>
          <Link view="budgets">{left} more</Link>
        </p>
      )}
    </>
  );
}

const weekdayFormat = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

function Window({ of, isOfMany }: { of: QuotaWindow; isOfMany: boolean }): JSX.Element {
  const now = usePage().now();
  const today = localDay(now);
  const time = (iso: string) =>
    localDay(new Date(iso)) === today ? formatClock(iso) : weekdayFormat.format(new Date(iso));
  return (
    <>
      <span>
        {isOfMany && (
          <>
            <Name of={of.user} />{' '}
          </>
        )}
        {of.name}
      </span>
      <Meter label={`${of.name} window`} share={of.usedShare} tick={null} look="pale" />
      <span>
        <strong>
          {of.usedShare === null ? (
            <NotKnown />
          ) : (
            <Marked mark={of.isAtLeast ? 'atLeast' : 'exact'}>{shareText(of.usedShare)}</Marked>
          )}
        </strong>
        {of.endsAt !== null && `, ends ${time(of.endsAt)}`}
        {of.fullAt !== null && (
          <span class="warn">, {fullWords(of.fullAt, now.getTime(), time)}</span>
        )}
      </span>
    </>
  );
}

function shareOf({ usedShare }: QuotaWindow): number {
  return usedShare ?? -1;
}
