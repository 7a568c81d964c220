/** When budgets came into another state, newest first. */
import type { BudgetCrossingRow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { shareText } from '../../../../core/text/share-text.ts';
import { formatAmount, numberOf } from '../../format/budget.ts';
import { formatMoment } from '../../format/time.ts';
import { Marked } from '../../parts/marks.tsx';
import { Name } from '../../parts/name.tsx';
import { Empty, Held, Section } from '../../parts/section.tsx';
import { useAnswer } from '../../state/page.ts';
import { crossingsAsk } from './asks.ts';

const shownMax = 8;
const looks = { ok: 'good', forecast: 'warn', warning: 'warn', over: 'bad' } as const;

export function Crossings({ today, width }: { today: string; width: 4 | 12 }): JSX.Element {
  const crossings = useAnswer(crossingsAsk);
  return (
    <Section title="Crossings" note="newest first" width={width}>
      <Held of={crossings}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty>No budget has come into another state.</Empty>
          ) : (
            <ol class="crossings">
              {rows.slice(0, shownMax).map((row) => (
                <Item
                  key={`${row.version} ${row.period.end} ${row.number}`}
                  of={row}
                  {...{ today }}
                />
              ))}
            </ol>
          )
        }
      </Held>
    </Section>
  );
}

function Item({ of, today }: { of: BudgetCrossingRow; today: string }): JSX.Element {
  const { budget, at, to, used, limit, unit, isAtLeast, forecast } = of;
  return (
    <li>
      <span class="when">{formatMoment(at, today)}</span>
      <span>
        <Name of={budget} />: <span class={`state ${looks[to]}`}>{wordsOf(of)}</span>
      </span>
      <span class="why">
        <Marked mark={isAtLeast ? 'atLeast' : 'exact'}>{formatAmount(used, unit)}</Marked> of{' '}
        {formatAmount(limit, unit)}, {shareText(numberOf(used) / numberOf(limit))}
        {forecast !== null && (
          <>
            ; <Marked mark="estimated">{formatAmount(forecast.middle, unit)}</Marked> at its end
          </>
        )}
        {to === 'ok' && '; less counts than before'}
        {!of.isFirst && to !== 'ok' && '; again in this period, without a notice'}
      </span>
    </li>
  );
}

/** Down: what is known late may move spend away. */
function wordsOf({ from, to }: BudgetCrossingRow): string {
  if (to === 'forecast') return 'likely to pass it';
  const order = ['ok', 'forecast', 'warning', 'over'];
  return order.indexOf(to) < order.indexOf(from) ? `back to ${to}` : to;
}
