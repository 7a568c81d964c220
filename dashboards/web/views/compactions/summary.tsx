/** The first line: what all compactions that fit came to, each kind of money by itself. */
import type { CompactionTotals } from '@pi-ledger/contract/answers';
import { Fragment, type JSX } from 'preact';
import type { Amount } from '../../format/amount.ts';
import { formatCount, shortCount } from '../../format/count.ts';
import { billingWords } from '../../format/spend.ts';
import { Figure, Figures } from '../../parts/figures.tsx';
import { Marked } from '../../parts/marks.tsx';
import { Money } from '../../parts/money.tsx';
import { counted, useIsCounting } from '../overview/counting.ts';
import {
  billingsOfSum,
  cacheWrittenAnew,
  netSum,
  summaryCost,
  type TotalsOfBilling,
} from './amounts.ts';

export function Summary({ total }: { total: CompactionTotals }): JSX.Element {
  const [summaries, ...otherSummaries] = billingsOfSum(total, summaryCost);
  const [cache, ...otherCaches] = billingsOfSum(total, cacheWrittenAnew);
  const [net, ...otherNets] = billingsOfSum(total, netSum);
  const of = total.byBilling;
  return (
    <Figures>
      {[summaries, ...otherSummaries].map((billing) => (
        <Figure
          key={billing}
          label={`Summaries, ${billingWords[billing]}`}
          value={<Sum {...summaryCost(of[billing])} />}
        >
          <p>
            {costWords(of[billing])}
            {billing === 'subscription' && '; list price, not billed'}
          </p>
        </Figure>
      ))}
      <Figure
        label={`Cache written anew, ${billingWords[cache]}`}
        value={<Sum {...cacheWrittenAnew(of[cache])} />}
      >
        <p>
          by the next answer
          {otherCaches.map((billing) => (
            <Fragment key={billing}>
              ; {billingWords[billing]} <Sum {...cacheWrittenAnew(of[billing])} />
            </Fragment>
          ))}
        </p>
      </Figure>
      <Figure label="Read again" value={formatCount(total.regretReads)} unit="files">
        <p>
          after {formatCount(total.regrettedCompactions)} of {formatCount(total.compactions)},{' '}
          <Marked mark="estimated">{shortCount(total.regretTokens)}</Marked> tokens
        </p>
      </Figure>
      <Figure label="Tokens saved, at once" value={shortCount(total.savedTokens)}>
        <p>before, less what the next answer sent</p>
      </Figure>
      <Figure
        label={`Net where known, ${billingWords[net]}`}
        value={<Sum {...netSum(of[net])} isChange />}
      >
        <p>{netWords(of[net])}</p>
        {otherNets.map((billing) => (
          <p key={billing}>
            {billingWords[billing]} <Sum {...netSum(of[billing])} isChange />:{' '}
            {netWords(of[billing])}
          </p>
        ))}
      </Figure>
    </Figures>
  );
}

/** `…` stands for its mark while sums grow. */
function Sum({ isChange = false, ...amount }: Amount & { isChange?: boolean }): JSX.Element {
  return <Money {...counted(amount, useIsCounting())} isChange={isChange} />;
}

function costWords({ summaries, unreportedCosts }: TotalsOfBilling): string {
  const of = `${formatCount(summaries)} ${summaries === 1 ? 'summary' : 'summaries'}`;
  return unreportedCosts === 0 ? of : `of ${of}, ${formatCount(unreportedCosts)} without a cost`;
}

function netWords({ nets, upperBoundNets, unknownNets }: TotalsOfBilling): string {
  return [
    `${formatCount(nets - upperBoundNets)} known`,
    ...(upperBoundNets > 0 ? [`${formatCount(upperBoundNets)} at most`] : []),
    ...(unknownNets > 0 ? [`${formatCount(unknownNets)} n/a`] : []),
  ].join(', ');
}
