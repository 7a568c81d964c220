/** Beside the turns: the largest results, cache misses, and the sessions of the tree. */
import type { ContextWindow, LargestResult, Session } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { JSX } from 'preact';
import { billings } from '../../../../../contract/answers/billings.ts';
import type { Amount } from '../../../format/amount.ts';
import { formatCount } from '../../../format/count.ts';
import { shortId } from '../../../format/session.ts';
import { amountOf } from '../../../format/spend.ts';
import { Link } from '../../../parts/link.tsx';
import { Marked, NotKnown } from '../../../parts/marks.tsx';
import { Money } from '../../../parts/money.tsx';
import { Name } from '../../../parts/name.tsx';
import { Empty } from '../../../parts/section.tsx';
import { counted as stillCounted, useIsCounting } from '../../overview/counting.ts';
import { billingsIn } from './item-cost.ts';
import { treeOf } from './tree.ts';
import { counted } from './words.ts';

const shownMax = 5;

/** Those that are still sent with each turn; where there are none, the largest of all. */
export function resultsShown(results: readonly LargestResult[]): {
  readonly results: readonly LargestResult[];
  readonly areInContext: boolean;
} {
  const held = results.filter(({ isInContext }) => isInContext);
  const areInContext = held.length > 0;
  return { results: (areInContext ? held : results).slice(0, shownMax), areInContext };
}

export function LargestResults({ context }: { context: ContextWindow }): JSX.Element {
  const { results } = resultsShown(context.largestResults);
  if (results.length === 0) return <Empty>No tool was called.</Empty>;
  return (
    <table>
      <tbody>
        {results.map(({ entryId, toolName, paths, tokens }) => (
          <tr key={entryId}>
            <td>
              <Name of={toolName} />
            </td>
            <td class="what">{paths[0] !== undefined && <Name of={paths[0]} />}</td>
            <td class="number">
              <Marked mark="estimated">{formatCount(tokens)}</Marked>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function CacheMisses({ context }: { context: ContextWindow }): JSX.Element {
  const { byReason } = context.cacheMisses;
  if (byReason.length === 0) return <Empty>No answer missed the cache.</Empty>;
  return (
    <table>
      <tbody>
        {byReason.map(({ reason, count, missedTokens, costs, unpriced }) => (
          <tr key={reason}>
            <td class="what">{reasons[reason] ?? reason}</td>
            <td class="number goes-second">{counted(count, 'turn')}</td>
            <td class="number">{formatCount(missedTokens)} tokens</td>
            <td class="number">
              {unpriced === count && <NotKnown />}
              {billingsIn(costs).map((billing) => (
                <Cost
                  key={billing}
                  billing={billing}
                  amount={{
                    nanoUsd: BigInt(costs[billing] ?? '0'),
                    mark: unpriced > 0 ? 'atLeast' : 'exact',
                  }}
                />
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const reasons: Readonly<Record<string, string>> = {
  compaction: 'after a compaction',
  cleared: 'after the context was cleared',
  branch: 'on another branch',
  model: 'with another model',
  tools: 'other tools or system prompt',
  idle1h: 'after more than an hour',
  idle5min: 'after more than 5 minutes',
  unknown: 'reason not known',
};

/** Forks and subagents below the session they come from. */
export function Tree({ rows, id }: { rows: readonly Session[]; id: string }): JSX.Element {
  return (
    <ul class="tree" id="tree">
      {treeOf(rows).map(({ session, depth }) => (
        <li key={session.id} class={`depth-${Math.min(depth, 4)}`}>
          {session.id === id ? (
            <strong>this session</strong>
          ) : (
            <Link view="sessions" id={session.id}>
              <code>{shortId(session.id)}</code>
            </Link>
          )}{' '}
          <span class="quiet">
            {session.relation === 'subagent' && <Name of={session.agentName} unknown="subagent" />}
            {session.relation === 'fork' && 'fork'}
            {session.relation === null && (session.parentSessionId === null ? 'root' : 'child')}
            {`, ${counted(session.turns, 'turn')}`}
          </span>
          <span class="number">
            {billings.map((billing) => (
              <Spent key={billing} session={session} billing={billing} />
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}

const kinds = { subscription: 'subscription', unknown: 'billing unknown' } as const;

function Spent({ session, billing }: { session: Session; billing: Billing }): JSX.Element | null {
  const amount = stillCounted(amountOf(session, billing), useIsCounting());
  return amount.nanoUsd === 0n ? null : <Cost billing={billing} amount={amount} />;
}

function Cost({ billing, amount }: { billing: Billing; amount: Amount }): JSX.Element {
  return (
    <span class="spent">
      <Money {...amount} places={4} />
      {billing !== 'metered' && <span class="quiet"> {kinds[billing]}</span>}
    </span>
  );
}
