/** What the bars say in words: the line above them, their legend, their table for listeners. */
import type { UsageFigures, UsageRow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { billings } from '../../../../contract/answers/billings.ts';
import { seriesClass } from '../../charts/colours.ts';
import { nameless } from '../../charts/spend-series.ts';
import type { Change } from '../../format/change.ts';
import { shortCount } from '../../format/count.ts';
import { formatMoney } from '../../format/money.ts';
import { amountOf, billingWords, tokensOf } from '../../format/spend.ts';
import { formatLongDay } from '../../format/time.ts';
import { Money } from '../../parts/money.tsx';
import { Name } from '../../parts/name.tsx';
import { Percent } from '../../parts/percent.tsx';
import { useAnswer } from '../../state/page.ts';
import { beforeIn, periodIn } from '../../state/scope.ts';
import type { ViewProps } from '../view.ts';
import { beforeAsk, type StackedBy, tableAsk } from './asks.ts';
import { useBefore } from './before.ts';
import { changeOf } from './compared.ts';
import { counted, useIsCounting } from './counting.ts';
import { mainBilling } from './sums.ts';

/** While the cursor is nowhere: all bars, against as much time before. */
export function WholePeriod({
  place,
  today,
  hasUsual,
}: ViewProps & { hasUsual: boolean }): JSX.Element {
  const now = useAnswer(tableAsk(place, today, 'project')).answer?.total;
  const period = periodIn(place, today);
  const { since } = beforeIn(place, today);
  const earlier = useBefore(place, beforeAsk(place, today, 'project'), since);
  const before = earlier === null || earlier === 'nothing' ? undefined : earlier.total;
  return (
    <>
      <span>{period.days === 1 ? formatLongDay(period.since) : `${period.days} days`}:</span>
      {now !== undefined && <Amounts of={now} before={before} />}
      {hasUsual && (
        <span class="goes-second">
          <span class="usual-sign" aria-hidden="true" /> line: usual for the weekday
        </span>
      )}
    </>
  );
}

export interface OneColumnProps {
  readonly name: string;
  /** Undefined: nothing was spent. */
  readonly of: UsageRow | undefined;
  readonly by: StackedBy;
  readonly names: readonly (string | null)[];
  /** Each name that is a series of its own has a row. */
  readonly parts: readonly UsageRow[];
}

/** A name has so many: five have room in two lines. */
const charsMax = 22;

export function OneColumn({ name, of, by, names, parts }: OneColumnProps): JSX.Element {
  return (
    <>
      <span>{name}:</span>
      {of === undefined ? <span>nothing</span> : <Amounts of={of} />}
      {parts.map((row) => (
        <span key={row[by]}>
          <span class={`swatch ${seriesClass(names.indexOf(row[by] ?? null))}`} />
          <span class="goes-second">
            <Name of={row[by] ?? null} unknown={nameless(by)} charsMax={charsMax} />{' '}
          </span>
          <PartAmount of={row} />
        </span>
      ))}
    </>
  );
}

/** Metered, or else what a subscription covers, or else what nobody says how it is billed. */
export function PartAmount({ of: row }: { of: UsageRow }): JSX.Element {
  const billing = billings.find((each) => amountOf(row, each).nanoUsd !== 0n) ?? 'metered';
  return (
    <>
      <Money {...amountOf(row, billing)} /> {billing !== 'metered' && billingWords[billing]}
    </>
  );
}

/** Unknown billing is shown only where it is not zero, and alone where the others are. */
export function Amounts({ of, before }: { of: UsageFigures; before?: UsageFigures | undefined }) {
  const isCounting = useIsCounting();
  const main = mainBilling([of]);
  return (
    <>
      {billings.map((billing) => {
        const amount = amountOf(of, billing);
        const isLeftOut = billing === 'unknown' || main === 'unknown';
        if (isLeftOut && amount.nanoUsd === 0n) return null;
        return (
          <span key={billing}>
            {billingWords[billing]}{' '}
            <b>
              <Money {...counted(amount, isCounting)} />
            </b>{' '}
            {before !== undefined && <Against change={changeOf(of, before, billing, isCounting)} />}
          </span>
        );
      })}
      <span>
        <b>{shortCount(tokensOf(of))}</b> tokens
      </span>
    </>
  );
}

/** Nothing where nothing was before. */
function Against({ change }: { change: Change }): JSX.Element | null {
  return change.percent !== null && change.share === null ? null : <Percent of={change} />;
}

/** For screen readers. */
export function numbersOf(row: UsageRow | undefined): string {
  if (row === undefined) return 'nothing';
  return billings
    .flatMap((billing) => {
      const { nanoUsd, mark } = amountOf(row, billing);
      if (billing === 'unknown' && nanoUsd === 0n) return [];
      if (nanoUsd === null) return [`${billingWords[billing]} not known`];
      return [
        `${billingWords[billing]} ${mark === 'atLeast' ? 'at least ' : ''}${formatMoney(nanoUsd)}`,
      ];
    })
    .join(', ');
}
