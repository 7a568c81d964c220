/** The largest tool results and the cache misses of a context, as tables. */

import { grouped } from '@pi-ledger/contract/amounts';
import type {
  CacheMiss,
  ContextWindow,
  CostsByBilling,
  LargestResult,
} from '@pi-ledger/contract/answers';
import { billings } from '@pi-ledger/contract/billings';
import { table } from '../../../cli/output/answer.ts';
import type { Answer } from '../../../cli/output/answer-parts.ts';
import { amountText } from '../../../cli/output/compaction-row.ts';
import { countColumn, countOf } from '../../../cli/output/counts.ts';
import type { Column } from '../../../cli/output/table.ts';

const listedMax = 10;

export function largestParts(results: readonly LargestResult[]): Answer['body'] {
  if (results.length === 0) return [];
  const columns: Column<LargestResult>[] = [
    { title: 'tool', align: 'left', dropOrder: 0, widthMax: 30, cell: ({ toolName }) => toolName },
    countColumn('tokens', 0, ({ tokens }) => tokens),
    {
      title: 'now',
      align: 'left',
      dropOrder: 2,
      cell: ({ isInContext }) => (isInContext ? 'in context' : 'gone'),
    },
    {
      title: 'when',
      align: 'left',
      dropOrder: 3,
      cell: ({ time }, { time: moment }) => moment(time),
    },
    {
      title: 'files',
      align: 'left',
      dropOrder: 1,
      widthMax: 60,
      cell: ({ paths }) => paths.join(', '),
    },
  ];
  return [
    'The largest tool results (estimated)',
    table({ columns, rows: results.slice(0, listedMax) }),
  ];
}

const reasons: Readonly<Record<string, string>> = {
  compaction: 'a compaction',
  cleared: 'a cleared context',
  branch: 'another branch',
  model: 'another model',
  tools: 'other tools or system prompt',
  idle1h: 'a pause of over an hour',
  idle5min: 'a pause of over 5 minutes',
  unknown: 'unknown',
};

export function missParts({ cacheMisses }: Pick<ContextWindow, 'cacheMisses'>): Answer['body'] {
  const { count, missedTokens, costs, unpriced, byReason, worst } = cacheMisses;
  if (count === 0) return [];
  const cost =
    unpriced === count ? 'at an unknown price' : `for ${costWords(costs)} more than from the cache`;
  const columns: Column<CacheMiss>[] = [
    {
      title: 'when',
      align: 'left',
      dropOrder: 1,
      cell: ({ time }, { time: moment }) => moment(time),
    },
    countColumn('from cache before', 2, ({ fromTokens }) => fromTokens),
    countColumn('then', 3, ({ toTokens }) => toTokens),
    countColumn('sent again', 0, (miss) => miss.missedTokens),
    { title: 'cost', align: 'right', dropOrder: 0, cell: (miss) => amountText(miss.costNanoUsd) },
    { title: 'why', align: 'left', dropOrder: 0, cell: ({ reason }) => reasons[reason] ?? reason },
  ];
  const misses = countOf(count, 'cache miss', 'cache misses');
  const why = byReason.map(whyText).join(', ');
  const title = `${misses}: ${countOf(missedTokens, 'token')} sent again ${cost} (${why})`;
  const lists = billings.filter((billing) => worst[billing].length > 0);
  return [
    title,
    ...lists.flatMap((billing) => [
      ...(lists.length > 1 ? [{ text: heads[billing], style: 'dim' as const }] : []),
      table({ columns, rows: worst[billing].slice(0, listedMax) }),
    ]),
  ];
}

const heads = {
  metered: 'metered',
  subscription: 'subscription, at list price, not billed',
  unknown: 'billing unknown',
};

/** Each kind of billing apart: `$0.30`, `$0.30 and $0.10 subscription`. */
function costWords(costs: CostsByBilling): string {
  return billings
    .flatMap((billing) => {
      const nanoUsd = costs[billing];
      return nanoUsd === undefined ? [] : [`${amountText(nanoUsd)}${kinds[billing]}`];
    })
    .join(' and ');
}

const kinds = { metered: '', subscription: ' subscription', unknown: ' billing unknown' };

function whyText({ count, reason }: { readonly count: number; readonly reason: string }): string {
  return reason === 'unknown'
    ? `${grouped(count)} for an unknown reason`
    : `${grouped(count)} after ${reasons[reason] ?? reason}`;
}
