/** Compactions of a project in a few lines; metered and subscription apart. */
import type { CompactionTotals, CompactionTotalsOfBilling } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { JSX } from 'preact';
import { billings } from '../../../../contract/answers/billings.ts';
import { formatCount, ofAll, shortCount } from '../../format/count.ts';
import { billingWords } from '../../format/spend.ts';
import { Link } from '../../parts/link.tsx';
import { Marked } from '../../parts/marks.tsx';
import { Money } from '../../parts/money.tsx';
import { Held, Section } from '../../parts/section.tsx';
import { useAnswer } from '../../state/page.ts';
import type { ViewProps } from '../view.ts';
import { compactionsAsk } from './asks.ts';
import { costOf, netOf } from './compaction-amounts.ts';

export function ProjectCompactions({ place, today }: ViewProps): JSX.Element {
  const compactions = useAnswer(compactionsAsk(place, today));
  const count = compactions.answer?.total.compactions ?? 0;
  const all = (
    <Link view="compactions" parameters={{ project: place.id ?? '' }}>
      All
    </Link>
  );
  return (
    <Section title="Compactions" note={formatCount(count)} end={all} width={12}>
      <Held of={compactions}>{({ total }) => <Lines total={total} />}</Held>
    </Section>
  );
}

function Lines({ total }: { total: CompactionTotals }): JSX.Element {
  return (
    <dl class="lines">
      {billings.map((billing) => {
        const of = total.byBilling[billing];
        return of.summaries === 0 && of.unknownNets === 0 ? null : (
          <OfBilling key={billing} billing={billing} of={of} />
        );
      })}
      <dt>Read again afterwards</dt>
      <dd>
        {formatCount(total.regretReads)} files,{' '}
        <Marked mark="estimated">{shortCount(total.regretTokens)}</Marked> tokens
      </dd>
    </dl>
  );
}

function OfBilling({
  billing,
  of,
}: {
  billing: Billing;
  of: CompactionTotalsOfBilling;
}): JSX.Element {
  const words = billingWords[billing];
  const withNet = of.nets + of.unknownNets;
  return (
    <>
      <dt>Summaries, {words}</dt>
      <dd>
        <Money {...costOf(of)} />{' '}
        {of.unreportedCosts > 0 && (
          <span class="quiet">{formatCount(of.unreportedCosts)} without a cost</span>
        )}
      </dd>
      {withNet > 0 && (
        <>
          <dt>Net where known, {words}</dt>
          <dd>
            <Money {...netOf(of)} isChange /> <span class="quiet">{ofAll(of.nets, withNet)}</span>
          </dd>
        </>
      )}
    </>
  );
}
