/** The first line of a project. */
import type { UsageFigures } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { JSX } from 'preact';
import { formatCount, shortCount } from '../../format/count.ts';
import { formatMoney } from '../../format/money.ts';
import { amountOf, hasAmount, tokensOf } from '../../format/spend.ts';
import { attemptsIn } from '../../format/unreported.ts';
import { Figure, Figures } from '../../parts/figures.tsx';
import { Loading, Marked, NotKnown } from '../../parts/marks.tsx';
import { Money } from '../../parts/money.tsx';
import { UnwrittenLines } from '../../parts/unwritten-lines.tsx';
import { useAnswer } from '../../state/page.ts';
import { beforeIn } from '../../state/scope.ts';
import { type Before, useBefore } from '../overview/before.ts';
import { changeOf } from '../overview/compared.ts';
import { counted, useIsCounting } from '../overview/counting.ts';
import { shownBillings } from '../overview/sums.ts';
import type { ViewProps } from '../view.ts';
import { beforeAsk, costsAsk, totalAsk } from './asks.ts';
import { ChangeWords, cacheShare } from './figure-words.tsx';
import { sessionCosts } from './session-costs.ts';

export function ProjectFigures({ place, today }: ViewProps): JSX.Element | null {
  const now = useAnswer(totalAsk(place, today)).answer?.total;
  const { since } = beforeIn(place, today);
  const before = useBefore(place, beforeAsk(place, today), since);
  if (now === undefined) return <Loading />;
  return (
    <Figures>
      {shownBillings((billing) => hasAmount([now], billing)).map((billing) => (
        <Spent key={billing} {...{ billing, now, before }} />
      ))}
      <ASession place={place} today={today} />
      <Figure label="Tokens" value={shortCount(tokensOf(now))}>
        <p>{cacheShare(now)} of input from cache</p>
      </Figure>
      <Figure label="In no sum" value={formatCount(now.unpricedRecords)} unit="unpriced">
        <p>{formatCount(attemptsIn([now]))} attempts reported nothing</p>
        <UnwrittenLines of={[now]} />
      </Figure>
    </Figures>
  );
}

const labels = {
  metered: 'Metered',
  subscription: 'Subscription, list price',
  unknown: 'Billing unknown',
};

interface SpentProps {
  readonly billing: Billing;
  readonly now: UsageFigures;
  readonly before: Before;
}

function Spent({ billing, now, before }: SpentProps): JSX.Element {
  const isCounting = useIsCounting();
  const amount = amountOf(now, billing);
  return (
    <Figure label={labels[billing]} value={<Money {...counted(amount, isCounting)} />}>
      {before === 'nothing' && <p>nothing to compare with</p>}
      {before !== null && before !== 'nothing' && (
        <ChangeWords of={changeOf(now, before.total, billing, isCounting)} />
      )}
    </Figure>
  );
}

/** Shows the median of all sessions, or none. */
function ASession({ place, today }: ViewProps): JSX.Element {
  const { answer } = useAnswer(costsAsk(place, today));
  const costs = answer === null || answer.next !== null ? null : sessionCosts(answer.rows);
  const isCounting = useIsCounting();
  if (costs?.median == null)
    return (
      <Figure label="A session, median" value={<NotKnown />}>
        <p>{answer !== null && answer.next !== null ? 'a shorter period has it' : ''}</p>
      </Figure>
    );
  const { billing, median, most, notKnown } = costs;
  const mark = isCounting ? 'counting' : costs.areAtLeast ? 'atLeast' : 'exact';
  return (
    <Figure
      label={`A session, median, ${labels[billing].toLowerCase()}`}
      value={<Marked mark={mark}>{inMoney(median)}</Marked>}
    >
      {most === null ? (
        <p>one session</p>
      ) : (
        <p>
          95 of 100 below <Marked mark="estimated">{inMoney(most)}</Marked>
        </p>
      )}
      {notKnown > 0 && <p>{formatCount(notKnown)} more: cost not known</p>}
    </Figure>
  );
}

function inMoney(usd: number): string {
  return formatMoney(BigInt(Math.round(usd * 1e9)));
}
