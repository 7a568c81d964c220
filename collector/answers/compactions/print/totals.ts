/** Totals of compactions. Amounts of different billing stand side by side and are never added. */

import { dollarText, placesFor } from '@pi-ledger/contract/amounts';
import type { CompactionTotals, CompactionTotalsOfBilling } from '@pi-ledger/contract/answers';
import { type Billing, billings } from '@pi-ledger/contract/billings';
import { table } from '../../../cli/output/answer.ts';
import type { Note, Table } from '../../../cli/output/answer-parts.ts';
import { countColumn, countOf } from '../../../cli/output/counts.ts';
import { formatShare, signed } from '../../../cli/output/format.ts';
import type { Column } from '../../../cli/output/table.ts';

type Line = CompactionTotals & { readonly label: string | null };

/** On a narrow terminal the net of unknown billing goes before that of metered. */
const netsFrom = 2;

export function totalsTable(
  title: string,
  lines: readonly Line[],
  total: CompactionTotals | null,
): Table {
  const totals: readonly Line[] = total === null ? [] : [{ ...total, label: 'total' }];
  const isUsed = (billing: Billing) =>
    billing !== 'unknown' ||
    [...lines, ...totals].some(({ byBilling }) => byBilling.unknown.summaries > 0);
  const used = billings.filter(isUsed);
  const decimals = placesFor(largestIn([...lines, ...totals]));
  const columns: Column<Line>[] = [
    { title, align: 'left', dropOrder: 0, cell: ({ label }) => label ?? '(unknown)' },
    ...used.map((billing) =>
      amounts(nameOf(billing), 0, billing, (figures) => costText(figures, decimals)),
    ),
    ...used.map((billing, index) =>
      amounts(`net ${billing}`, netsFrom + index, billing, (figures) => netText(figures, decimals)),
    ),
    countColumn('compactions', 1, (line) => line.compactions),
    countColumn('saved', 5, (line) => line.savedTokens),
    countColumn('re-read', 6, (line) => line.regretReads),
    { title: 'regret', align: 'right', dropOrder: 7, cell: regretText },
    countColumn('failed', 8, (line) => line.failures),
    countColumn('branch summaries', 9, (line) => line.branchSummaries),
  ];
  return table({ columns, rows: lines, totals });
}

function nameOf(billing: Billing): string {
  return billing === 'unknown' ? 'billing unknown' : billing;
}

function amounts(
  title: string,
  dropOrder: number,
  billing: Billing,
  text: (figures: CompactionTotalsOfBilling) => string,
): Column<Line> {
  return { title, align: 'right', dropOrder, cell: ({ byBilling }) => text(byBilling[billing]) };
}

/** At least so much if some are not known; n/a, never $0, if none is. */
function costText(
  { costNanoUsd, summaries, unreportedCosts }: CompactionTotalsOfBilling,
  decimals: number,
): string {
  if (summaries === 0) return '–';
  if (unreportedCosts === summaries) return 'n/a';
  return `${unreportedCosts > 0 ? '≥ ' : ''}${dollarText(BigInt(costNanoUsd), decimals)}`;
}

/** At most so much if costs in it are not known; nets that are not known at all leave it open. */
function netText(
  { netNanoUsd, nets, upperBoundNets, unknownNets }: CompactionTotalsOfBilling,
  decimals: number,
): string {
  if (nets === 0) return unknownNets === 0 ? '–' : 'n/a';
  const mark = unknownNets > 0 ? '~ ' : upperBoundNets > 0 ? '≤ ' : '';
  return `${mark}${signed(BigInt(netNanoUsd), decimals)}`;
}

/** Summaries are cheap. */
const summaryDecimals = 4;

/** `cost $0.0236 metered, ≥ $0.5000 subscription`, each on its own. */
export function costsOf({ byBilling }: CompactionTotals): string {
  const texts = billings
    .filter((billing) => byBilling[billing].summaries > 0)
    .map((billing) => `${costText(byBilling[billing], summaryDecimals)} ${nameOf(billing)}`);
  return `cost ${texts.join(', ')}`;
}

function largestIn(lines: readonly Line[]): bigint {
  const amounts = lines.flatMap(({ byBilling }) =>
    billings.flatMap((billing) => [byBilling[billing].costNanoUsd, byBilling[billing].netNanoUsd]),
  );
  return amounts.map(BigInt).reduce((most, amount) => {
    const size = amount < 0n ? -amount : amount;
    return size > most ? size : most;
  }, 0n);
}

function regretText({ compactions, regrettedCompactions }: Line): string {
  return formatShare(BigInt(regrettedCompactions), BigInt(compactions));
}

export function totalNotes(total: CompactionTotals): Note[] {
  const figures = billings.map((billing) => total.byBilling[billing]);
  const sum = (field: 'unreportedCosts' | 'upperBoundNets') =>
    figures.reduce((all, each) => all + each[field], 0);
  const unknown = figures.reduce((all, each) => all + (each.nets > 0 ? each.unknownNets : 0), 0);
  const notes: Note[] = [];
  const unreported = countOf(sum('unreportedCosts'), 'summary', 'summaries');
  if (sum('unreportedCosts') > 0)
    notes.push({ mark: '≥', text: `${unreported} of unknown cost: not reported, or no price` });
  if (sum('upperBoundNets') > 0)
    notes.push({ mark: '≤', text: 'a net leaves out costs that are not known' });
  if (unknown > 0)
    notes.push({ mark: '~', text: `without ${countOf(unknown, 'net')} of compactions, not known` });
  if (total.regretReads > 0)
    notes.push({
      text: `re-read: ${countOf(total.regretReads, 'file')} within 10 turns`,
      next: 'pi-ledger compactions show ID',
    });
  if (total.byBilling.subscription.costNanoUsd !== '0')
    notes.push({ text: 'subscription: at list price, not billed' });
  return notes;
}
