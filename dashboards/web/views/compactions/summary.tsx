/** The first line: what all compactions that fit came to, each kind of money by itself. */
import type { CompactionTotals } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import type { Amount } from '../../format/amount.ts';
import { formatCount, shortCount } from '../../format/count.ts';
import { Figure, Figures } from '../../parts/figures.tsx';
import { Marked } from '../../parts/marks.tsx';
import { Money } from '../../parts/money.tsx';
import { counted, useIsCounting } from '../overview/counting.ts';
import {
  cacheWrittenAnew,
  hasCacheCost,
  hasNet,
  netSum,
  summaryCost,
  type TotalsOfBilling,
} from './amounts.ts';

export function Summary({ total }: { total: CompactionTotals }): JSX.Element {
  const { metered, subscription, unknown } = total.byBilling;
  return (
    <Figures>
      <Figure label="Summaries, metered" value={<Sum {...summaryCost(metered)} />}>
        <p>{costWords(metered)}</p>
      </Figure>
      <Figure label="Summaries, subscription" value={<Sum {...summaryCost(subscription)} />}>
        <p>{costWords(subscription)}; list price, not billed</p>
      </Figure>
      {unknown.summaries > 0 && (
        <Figure label="Summaries, billing unknown" value={<Sum {...summaryCost(unknown)} />}>
          <p>{costWords(unknown)}</p>
        </Figure>
      )}
      <Figure label="Cache written anew, metered" value={<Sum {...cacheWrittenAnew(metered)} />}>
        <p>
          by the next answer; subscription <Sum {...cacheWrittenAnew(subscription)} />
          {hasCacheCost(unknown) && (
            <>
              ; billing unknown <Sum {...cacheWrittenAnew(unknown)} />
            </>
          )}
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
      <Figure label="Net where known, metered" value={<Sum {...netSum(metered)} isChange />}>
        <p>{netWords(metered)}</p>
        <p>
          subscription <Sum {...netSum(subscription)} isChange />: {netWords(subscription)}
        </p>
        {hasNet(unknown) && (
          <p>
            billing unknown <Sum {...netSum(unknown)} isChange />: {netWords(unknown)}
          </p>
        )}
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
