import { dollarText, type Without } from '@pi-ledger/contract/amounts';
import type { UsageFigures } from '@pi-ledger/contract/answers';
import { amountTable, spendTable } from '@pi-ledger/contract/spend-tables';
import { countAttempts } from '@pi-ledger/contract/unreported';
import { amounts } from '../../cli/output/amounts-text.ts';
import { tableColumns } from '../../cli/output/answer-columns.ts';
import type { Note } from '../../cli/output/answer-parts.ts';
import { countOf } from '../../cli/output/counts.ts';
import { shortCount } from '../../cli/output/format.ts';
import type { Column } from '../../cli/output/table.ts';

/**
 * Metered and subscription side by side, then total tokens, which always stay; then what the width
 * allows. `billing unknown` is there only where it is not zero. `total`: the largest figures, which
 * choose the columns and decimals.
 */
export function usageColumns(total: UsageFigures): readonly Column<UsageFigures>[] {
  return tableColumns(spendTable, { rows: [], total, cells: {} });
}

export function amountColumns(total: UsageFigures): readonly Column<UsageFigures>[] {
  return tableColumns(amountTable, { rows: [], total, cells: {} });
}

/** Reasoning is part of output. */
export function totalTokens(row: UsageFigures): bigint {
  return sentTokens(row) + BigInt(row.outputTokens);
}

function sentTokens({ inputTokens, cacheReadTokens, cacheWriteTokens }: UsageFigures): bigint {
  return BigInt(inputTokens) + BigInt(cacheReadTokens) + BigInt(cacheWriteTokens);
}

/** What the amounts leave out, and what they mean. `summaries`: of the unreported, no attempts. */
export function usageNotes(total: UsageFigures, summaries = 0): Note[] {
  const attempts = { ...total, unreportedRecords: total.unreportedRecords - summaries };
  const notes = [...withoutNotes(attempts, boundOf(attempts)), ...lowerBoundNotes(total)];
  if (total.subscriptionNanoUsd !== '0')
    notes.push({ text: 'subscription: at list price, not billed' });
  if (total.unknownBillingNanoUsd !== '0')
    notes.push({ text: 'billing unknown: by use, or by a plan?', next: 'pi-ledger billing' });
  return notes;
}

function lowerBoundNotes({ byBilling }: UsageFigures): readonly Note[] {
  // An older collector does not count them.
  const counts = amounts.map(({ billing }) => byBilling[billing].lowerBoundRecords ?? 0);
  const count = counts.reduce((sum, each) => sum + each, 0);
  const text = `${countOf(count, 'record')} of extensions, which tell their last answer only`;
  return count === 0 ? [] : [{ mark: '≥', text }];
}

/** `bound`: what is known of the attempts that reported nothing. */
export function withoutNotes(without: WithoutCost, bound = ''): readonly Note[] {
  const { unpricedRecords, packageRequests = 0, streamedAnswers = 0 } = without;
  const have = unpricedRecords === 1 ? 'has' : 'have';
  const unpriced: Note = {
    mark: '≥',
    text: `${countOf(unpricedRecords, 'record')} ${have} no price (n/a)`,
    next: 'pi-ledger models --unpriced',
  };
  const attempts = countAttempts(without);
  const unreported: Note = {
    text: `${countOf(attempts, 'attempt')} reported nothing; the cost is not known${bound}`,
  };
  const requests = countOf(packageRequests, 'request');
  const byPackages: Note = { text: `${requests} by packages: no entry says more, cost unknown` };
  return [
    ...(unpricedRecords > 0 ? [unpriced] : []),
    ...(attempts > 0 ? [unreported] : []),
    ...(packageRequests > 0 ? [byPackages] : []),
    ...(streamedAnswers > 0 ? [{ text: streamedText(streamedAnswers) }] : []),
  ];
}

type WithoutCost = Without & Partial<Pick<UsageFigures, 'packageRequests' | 'streamedAnswers'>>;

function streamedText(count: number): string {
  return `${countOf(count, 'answer')} known only from event streams: in no tokens and no amount`;
}

/**
 * An estimate covers those attempts that can be estimated, an amount one kind of billing. The note
 * has to fit into 80 columns.
 */
function boundOf(total: UsageFigures): string {
  const { unreportedTokensMax, unreportedNanoUsdMax, byBilling } = total;
  if (unreportedTokensMax === 0) return '';
  const kinds = amounts.filter(({ billing }) => byBilling[billing].unreportedRecords > 0);
  const nanoUsd = kinds.length === 1 ? BigInt(unreportedNanoUsdMax) : 0n;
  const most = nanoUsd === 0n ? tokenWords(unreportedTokensMax) : dollarText(nanoUsd, 2);
  return countAttempts(total) === 1 ? `, at most ${most}` : `, some ≤ ${most}`;
}

/** `45.0M tokens`: exact ones do not fit. */
function tokenWords(tokens: number | string): string {
  return String(tokens) === '1' ? '1 token' : `${shortCount(tokens)} tokens`;
}
