/** The first line of a session. */
import type { ContextWindow, SessionDetails } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { JSX } from 'preact';
import { billings } from '../../../../../contract/answers/billings.ts';
import type { Amount } from '../../../format/amount.ts';
import { formatCount, formatShare, shortCount } from '../../../format/count.ts';
import { fromCache, tokensOf } from '../../../format/spend.ts';
import { Figure, Figures } from '../../../parts/figures.tsx';
import { Marked, None, NotKnown } from '../../../parts/marks.tsx';
import { Money } from '../../../parts/money.tsx';
import { UnwrittenLines } from '../../../parts/unwritten-lines.tsx';
import { counted as stillCounted, useIsCounting } from '../../overview/counting.ts';
import { spentOf, unreportedOf, withSubagents } from './spent.ts';
import { counted } from './words.ts';

export interface SessionFiguresProps {
  readonly details: SessionDetails;
  /** It is null until it has come. */
  readonly context: ContextWindow | null;
  readonly billings: readonly Billing[];
}

export function SessionFigures(props: SessionFiguresProps): JSX.Element {
  const { details, context, billings } = props;
  const { withSubagents: all } = details;
  const isCounting = useIsCounting();
  const spent = (billing: Billing) => {
    const amount = spentOf(details, billing, billings.length === 1);
    return amount === null ? null : stillCounted(amount, isCounting);
  };
  return (
    <Figures>
      {billings.map((billing) => (
        <Figure
          key={billing}
          label={labels[billing]}
          value={<AmountOrNone amount={spent(billing)} />}
        >
          {billing === 'subscription' && <p>list price, not billed</p>}
          {all !== null && (
            <p>
              with {all.subagents === 1 ? 'subagent' : `${all.subagents} subagents`}{' '}
              <strong>
                <Money {...stillCounted(withSubagents(all, billing), isCounting)} places={4} />
              </strong>
            </p>
          )}
        </Figure>
      ))}
      <ContextFigure context={context} />
      <Figure label="Turns" value={formatCount(details.turns)}>
        <p>
          {counted(details.prompts, 'prompt')}, {counted(details.toolCalls, 'tool call')}
        </p>
      </Figure>
      <Figure label="Tokens" value={shortCount(tokensOf(details))}>
        <p>{formatShare(fromCache(details).read, fromCache(details).sent)} of input from cache</p>
      </Figure>
      <CompactionFigure context={context} count={details.compactions} />
      <Unreported details={details} />
    </Figures>
  );
}

const labels: Readonly<Record<Billing, string>> = {
  metered: 'Metered',
  subscription: 'Subscription',
  unknown: 'Billing unknown',
};

function AmountOrNone({ amount }: { amount: Amount | null }): JSX.Element {
  return amount === null ? <None /> : <Money {...amount} places={4} />;
}

function ContextFigure({ context }: { context: ContextWindow | null }): JSX.Element {
  const now = context?.now ?? null;
  const held = now?.heldTokens ?? null;
  return (
    <Figure
      label="Context, last answer"
      value={
        held === null ? (
          <NotKnown />
        ) : (
          <Marked mark={now?.source === 'provider' ? 'exact' : 'estimated'}>
            {formatCount(held)}
          </Marked>
        )
      }
    >
      {context !== null && <Distance context={context} />}
    </Figure>
  );
}

const nearTurns = 3;

function Distance({ context: { now, forecast } }: { context: ContextWindow }): JSX.Element {
  if (now?.threshold == null) return <p>window not told</p>;
  if (now.threshold.thresholdTokens === null)
    return <p>of {shortCount(now.threshold.windowTokens)}, never compacts by itself</p>;
  const left = now.untilThresholdTokens;
  if (left === null) return <p>compacts above {formatCount(now.threshold.thresholdTokens)}</p>;
  const { turnsLeft } = forecast;
  return (
    <p class={turnsLeft !== null && turnsLeft <= nearTurns ? 'warn' : undefined}>
      {left < 0 ? 'over the threshold' : `${formatCount(left)} to compaction`}
      {turnsLeft !== null && `, about ${counted(turnsLeft, 'turn')}`}
    </p>
  );
}

function CompactionFigure(props: { context: ContextWindow | null; count: number }): JSX.Element {
  const totals = props.context?.compactionTotals.byBilling;
  return (
    <Figure label="Compactions" value={formatCount(props.count)}>
      {totals !== undefined &&
        billings.map((billing) => (
          <CompactionSum key={billing} billing={billing} sum={totals[billing]} />
        ))}
    </Figure>
  );
}

type Sum = ContextWindow['compactionTotals']['byBilling']['metered'];

function CompactionSum({ billing, sum }: { billing: Billing; sum: Sum }): JSX.Element | null {
  const { summaries, unreportedCosts, nets, upperBoundNets } = sum;
  if (summaries === 0) return null;
  const cost: Amount = {
    nanoUsd: unreportedCosts === summaries ? null : BigInt(sum.costNanoUsd),
    mark: unreportedCosts > 0 ? 'atLeast' : 'exact',
  };
  const net: Amount = {
    nanoUsd: nets === 0 ? null : BigInt(sum.netNanoUsd),
    mark: upperBoundNets > 0 ? 'atMost' : 'exact',
  };
  return (
    <p>
      {billing !== 'metered' && `${labels[billing].toLowerCase()}: `}
      <Money {...cost} places={4} />, net{' '}
      <strong>
        <Money {...net} isChange places={4} />
      </strong>
    </p>
  );
}

/** Attempts whose spend nobody told: beside every sum, never in one. */
function Unreported({ details }: { details: SessionDetails }): JSX.Element {
  const { attempts, nanoUsdMax, isOfAll } = unreportedOf(details);
  return (
    <Figure
      label="Reported nothing"
      value={formatCount(attempts)}
      unit={attempts === 1 ? 'attempt' : 'attempts'}
    >
      {attempts > 0 && (
        <p>
          {!isOfAll && nanoUsdMax !== null && 'those with an estimate '}
          <Money nanoUsd={nanoUsdMax} mark="atMost" places={4} />, in no sum
        </p>
      )}
      <UnwrittenLines of={[details]} />
    </Figure>
  );
}
