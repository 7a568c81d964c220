/** The first line of a project. */
import type { UsageFigures } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { formatCount, shortCount } from '../../format/count.ts';
import { formatMoney } from '../../format/money.ts';
import { amountOf, type Billing, tokensOf } from '../../format/spend.ts';
import { Figure, Figures } from '../../parts/figures.tsx';
import { NotKnown } from '../../parts/marks.tsx';
import { Money } from '../../parts/money.tsx';
import { useAnswer } from '../../state/page.ts';
import type { ViewProps } from '../view.ts';
import { beforeAsk, costsAsk, totalAsk } from './asks.ts';
import { ChangeWords, cacheShare } from './columns.tsx';
import { sessionCosts } from './session-costs.ts';

export function ProjectFigures({ place, today }: ViewProps): JSX.Element | null {
  const now = useAnswer(totalAsk(place, today)).answer?.total;
  const before = useAnswer(beforeAsk(place, today)).answer?.total;
  if (now === undefined) return <p class="loading">…</p>;
  const hasUnknown = now.unknownBillingNanoUsd !== '0' || now.byBilling.unknown.unpricedRecords > 0;
  return (
    <Figures>
      <Spent label="Metered" billing="metered" now={now} before={before} />
      <Spent label="Subscription, list price" billing="subscription" now={now} before={before} />
      {hasUnknown && <Spent label="Billing unknown" billing="unknown" now={now} before={before} />}
      <ASession place={place} today={today} />
      <Figure label="Tokens" value={shortCount(tokensOf(now))}>
        <p>{cacheShare(now)} of input from cache</p>
      </Figure>
      <Figure label="In no sum" value={formatCount(now.unpricedRecords)} unit="unpriced">
        <p>{formatCount(now.unreportedRecords)} attempts reported nothing</p>
      </Figure>
    </Figures>
  );
}

interface SpentProps {
  readonly label: string;
  readonly billing: Billing;
  readonly now: UsageFigures;
  readonly before: UsageFigures | undefined;
}

function Spent({ label, billing, now, before }: SpentProps): JSX.Element {
  const amount = amountOf(now, billing);
  const was = before === undefined ? null : amountOf(before, billing).nanoUsd;
  const isKnown = amount.nanoUsd !== null && was !== null;
  return (
    <Figure label={label} value={<Money {...amount} />}>
      <ChangeWords change={isKnown ? { now: amount.nanoUsd, before: was } : null} />
    </Figure>
  );
}

/** Of all sessions, or not at all. */
function ASession({ place, today }: ViewProps): JSX.Element {
  const { answer } = useAnswer(costsAsk(place, today));
  const costs = answer === null || answer.next !== null ? null : sessionCosts(answer.rows);
  if (costs === null || costs.median === null)
    return (
      <Figure label="A session, median" value={<NotKnown />}>
        <p>{answer !== null && answer.next !== null ? 'a shorter period has it' : ''}</p>
      </Figure>
    );
  return (
    <Figure label={`A session, median, ${costs.billing}`} value={inMoney(costs.median)}>
      <p>95 of 100 below {inMoney(costs.most ?? 0)}</p>
    </Figure>
  );
}

function inMoney(usd: number): string {
  return formatMoney(BigInt(Math.round(usd * 1e9)));
}
