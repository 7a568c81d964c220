/** What the answers that called tools cost, by model or over all. */

import type { ToolCostRow, ToolModelFigures, ToolModelRow } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import { amountNames } from '../../../../contract/answers/billings.ts';
import type { Amount } from '../../format/amount.ts';
import { formatCount, shortCount } from '../../format/count.ts';
import { csvUsd } from '../../format/money.ts';
import { formatDay } from '../../format/time.ts';
import { MoneyOrNone } from '../../parts/money.tsx';
import { Name } from '../../parts/name.tsx';
import type { Column } from '../../parts/table-column.ts';
import { counted } from '../overview/counting.ts';
import { count, nameColumns } from './models-table.tsx';

export const keyOfToolModel = ({ tool, provider, model }: ToolModelRow): string =>
  JSON.stringify([tool, provider, model]);

export interface ShownCosts {
  readonly isCounting: boolean;
  /** The day of whoever looks. */
  readonly today: string;
}

export function toolModelColumns(
  total: ToolModelFigures,
  shown: ShownCosts,
): readonly Column<ToolModelRow>[] {
  const [tool, ...costs] = toolCostColumns(total, shown);
  return tool === undefined ? [] : [tool, ...nameColumns, ...costs];
}

export function toolCostColumns(
  total: ToolModelFigures,
  { isCounting, today }: ShownCosts,
): readonly Column<ToolCostRow>[] {
  const money = (billing: Billing, head: string): Column<ToolCostRow> => ({
    name: billing,
    head,
    isNumber: true,
    cell: (row) => <MoneyOrNone {...counted(shareOf(row, billing), isCounting)} />,
    sortBy: (row) => shareOf(row, billing).nanoUsd,
    csv: (row) => csvUsd(shareOf(row, billing).nanoUsd),
    total: <MoneyOrNone {...counted(shareOf(total, billing), isCounting)} />,
  });
  const { unpricedCalls } = total.byBilling.unknown;
  const hasUnknown = total.unknownBillingNanoUsd !== '0' || unpricedCalls > 0;
  return [
    {
      name: 'tool',
      head: 'Tool',
      cell: ({ tool }) => <Name of={tool} />,
      sortBy: ({ tool }) => tool,
    },
    { ...count('calls', 'Calls', ({ calls }) => calls), total: formatCount(total.calls) },
    money('metered', 'Metered'),
    money('subscription', 'Subscription'),
    ...(hasUnknown ? [money('unknown', 'Unknown')] : []),
    {
      name: 'tokens',
      head: 'Tokens',
      isNumber: true,
      goes: 'first',
      cell: ({ tokens }) => shortCount(tokens),
      sortBy: ({ tokens }) => BigInt(tokens),
      total: shortCount(total.tokens),
    },
    {
      name: 'lastDay',
      head: 'Last used',
      goes: 'second',
      cell: ({ lastDay }) => formatDay(lastDay, today),
      sortBy: ({ lastDay }) => lastDay,
      csv: ({ lastDay }) => lastDay,
    },
  ];
}

/** At least, where answers without a price are left out; not known, where all are. */
function shareOf(figures: ToolModelFigures, billing: Billing): Amount {
  const nanoUsd = BigInt(figures[amountNames[billing]]);
  const isPartial = figures.byBilling[billing].unpricedCalls > 0;
  if (isPartial && nanoUsd === 0n) return { nanoUsd: null, mark: 'exact' };
  return { nanoUsd, mark: isPartial ? 'atLeast' : 'exact' };
}
