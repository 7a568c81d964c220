/** The windows of subscriptions as a table: how much is gone, until when, and who says so. */

import { billionths, dollarText } from '@pi-ledger/contract/amounts';
import type { Quota, QuotaWindow } from '@pi-ledger/contract/answers';
import type { Terminal } from '../../cli/command.ts';
import { printAnswer, table } from '../../cli/output/answer.ts';
import type { Note } from '../../cli/output/answer-parts.ts';
import { countOf } from '../../cli/output/counts.ts';
import { formatMoment, formatTime } from '../../cli/output/format.ts';
import { shareBar, shareText } from '../../cli/output/share-bar.ts';
import type { Column } from '../../cli/output/table.ts';
import type { Writing } from '../../cli/output/writing.ts';

export interface QuotaPrinting {
  readonly wide?: boolean | undefined;
  /** Why the figures may be wrong. */
  readonly warnings: readonly Note[];
}

export function printQuota(
  answer: Quota,
  terminal: Terminal,
  { wide, warnings }: QuotaPrinting,
): void {
  const isLive = terminal.columns !== null;
  const at = isLive ? formatMoment(answer.at, { now: terminal.now() }) : formatTime(answer.at);
  printAnswer(terminal, {
    first: `what subscriptions used of their windows, ${at}`,
    body:
      answer.rows.length === 0
        ? nothingKnown(answer)
        : [table({ columns: columnsOf(answer), rows: answer.rows })],
    notes: [...warnings, ...notesOf(answer)],
    wide,
  });
}

function columnsOf({ rows }: Quota): Column<QuotaWindow>[] {
  const text = (
    title: string,
    dropOrder: number,
    cell: Column<QuotaWindow>['cell'],
  ): Column<QuotaWindow> => ({ title, align: 'left', dropOrder, cell });
  const users = new Set(rows.map(({ user }) => user));
  return [
    ...(users.size > 1 ? [text('user', 0, ({ user }) => user ?? '(unknown)')] : []),
    text('provider', 0, ({ provider }) => provider ?? '(unknown)'),
    text('window', 0, ({ name }) => name),
    { title: 'used', align: 'right', dropOrder: 0, cell: usedText },
    text('', 1, ({ usedShare }) => shareBar(usedShare)),
    text('ends', 0, endText),
    text('full at', 0, fullText),
    text('told by', 0, ({ source }) => (source === 'limit' ? 'this ledger' : 'provider')),
    ...(rows.some(({ toldAt }) => toldAt !== null) ? [text('told at', 2, toldText)] : []),
    ...(rows.some(({ limit }) => limit !== null) ? [text('of', 3, amountText)] : []),
    ...(rows.some(({ worth }) => worth !== null) ? [text('a full one buys', 4, worthText)] : []),
  ];
}

function usedText({ usedShare, isAtLeast }: QuotaWindow): string {
  return `${usedShare !== null && isAtLeast ? '≥ ' : ''}${shareText(usedShare)}`;
}

function endText(row: QuotaWindow, writing: Writing): string {
  const { endsAt, starts, usedShare, isStartEstimated } = row;
  if (starts === 'rolling') return 'rolling';
  if (endsAt !== null) return `${isStartEstimated ? '~' : ''}${timeText(endsAt, writing)}`;
  if (starts !== null) return 'not begun';
  return usedShare === null ? 'has ended' : 'n/a';
}

function fullText({ status, usedShare, fullAt }: QuotaWindow, writing: Writing): string {
  if (status === 'rejected' || (usedShare !== null && usedShare >= 1)) return 'full';
  return fullAt === null ? '–' : `~${timeText(fullAt, writing)}`;
}

/** `22:10`, and on another day `Thu 26 Nov 09:00`. */
function timeText(iso: string | null, writing: Writing): string {
  return writing.time(iso).replace(/^today /, '');
}

function toldText({ toldAt }: QuotaWindow, writing: Writing): string {
  return toldAt === null ? '–' : timeText(toldAt, writing);
}

function amountText({ used, limit, unit }: QuotaWindow, writing: Writing): string {
  if (limit === null) return '';
  const isMoney = unit === 'list-price dollars';
  const amount = (text: string): string =>
    isMoney ? dollarText(billionths(text), 2) : writing.count(text.split('.', 1)[0] ?? '');
  const unitText = unit === null || isMoney ? '' : ` ${unit}`;
  return `${used === null ? 'n/a' : amount(used)} of ${amount(limit)}${unitText}`;
}

/** `~61.2M tokens, ~$38.40` */
function worthText({ worth }: QuotaWindow, writing: Writing): string {
  if (worth === null) return 'n/a';
  const { tokens, listPriceNanoUsd } = worth;
  const price =
    listPriceNanoUsd === null ? '' : `, ~${dollarText(BigInt(listPriceNanoUsd), 2)} list price`;
  return `~${writing.count(tokens)} tokens${price}`;
}

type Counted = 'unknownBillingRecords' | 'unpricedRecords' | 'unreportedRecords';

function notesOf({ rows, rowsLeftOut }: Quota): Note[] {
  const inDollars = rows.filter(({ unit }) => unit === 'list-price dollars');
  const unknown = longest(rows, 'unknownBillingRecords');
  const unpriced = longest(inDollars, 'unpricedRecords');
  const unreported = longest(rows, 'unreportedRecords');
  const notes: (Note | false)[] = [
    rows.some(({ fullAt }) => fullAt !== null) && {
      mark: '~',
      text: 'full at: if it goes on like this',
    },
    unknown > 0 && {
      mark: '≥',
      text: `${countOf(unknown, 'record')} that may be covered or not`,
      next: 'set "billing" in config.json',
    },
    unpriced > 0 && {
      mark: '≥',
      text: `${countOf(unpriced, 'record')} without a price`,
      next: 'pi-ledger models --unpriced',
    },
    unreported > 0 && {
      text: `${countOf(unreported, 'record')} reported nothing; what was used is not known`,
    },
    rows.some(({ source }) => source === 'limit') && {
      text: 'told by this ledger: its own sum, against the limit that you set',
    },
    rowsLeftOut > 0 && { text: `${countOf(rowsLeftOut, 'more row')} left out` },
  ];
  return notes.filter((note) => note !== false);
}

/** A longer window holds the records of a shorter one: of each plan, the larger count. */
function longest(rows: readonly QuotaWindow[], field: Counted): number {
  const plans = Map.groupBy(rows, ({ user, provider }) => JSON.stringify([user, provider]));
  return [...plans.values()].reduce(
    (sum, ofPlan) => sum + Math.max(...ofPlan.map((row) => row[field])),
    0,
  );
}

function nothingKnown({ limits }: Quota): string[] {
  if (limits.length > 0)
    return [
      `nothing recorded with ${limits.join(', ')} that a subscription covers`,
      'if one does cover it, say so in config.json: "billing": { "anthropic": "subscription" }',
    ];
  return [
    'no provider told of a window in the last 8 days, and you set no limit',
    'set one in config.json, such as:',
    '  "quota": {',
    '    "anthropic": [{ "window": "5h", "limit": 900, "in": "messages", "starts": "first use" }]',
    '  }',
  ];
}
