/** The line in the host's footer. Pure. */

import { dollarText } from '../../../contract/amounts.ts';
import type { SpentTotals } from '../../live/totals.ts';
import { amountsText } from '../spent.ts';

export interface FooterFacts {
  readonly session: SpentTotals;
  /** The session has entries that are not in `session`. */
  readonly isSessionPartial: boolean;
  readonly today: FooterToday;
  /** Tokens; null: not known. */
  readonly context: { readonly tokens: number | null; readonly windowTokens: number | null } | null;
  /** Where the host compacts; null: it does not, or it is not known. */
  readonly thresholdTokens: number | null;
}

export type FooterToday =
  | { readonly is: 'asking' }
  | { readonly is: 'unknown' }
  /** `isPartial`: other processes may have spent more since. `isGrowing`: an import runs. */
  | {
      readonly is: 'known';
      readonly spent: SpentTotals;
      readonly isPartial: boolean;
      readonly isGrowing: boolean;
    };

/** `$0.42 session · $6.10 today · ctx 61% (39k to compaction)` */
export function footerText(facts: FooterFacts): string {
  const session = atLeast(facts.isSessionPartial, moneyText(facts.session, false));
  return `${session} session · ${todayText(facts.today)} · ${contextText(facts)}`;
}

function todayText(today: FooterToday): string {
  if (today.is === 'asking') return 'today …';
  if (today.is === 'unknown') return 'today n/a';
  return `${atLeast(today.isPartial, moneyText(today.spent, today.isGrowing))} today`;
}

const style = {
  labels: { metered: '', subscription: ' (sub)', unknown: ' (billing unknown)' },
  money: (nanoUsd: bigint) => dollarText(nanoUsd, 2),
};

function moneyText(spent: SpentTotals, isGrowing: boolean): string {
  return amountsText(spent, isGrowing, style);
}

function atLeast(isPartial: boolean, text: string): string {
  return isPartial && text.startsWith('$') ? `≥ ${text}` : text;
}

function contextText({ context, thresholdTokens }: FooterFacts): string {
  const { tokens = null, windowTokens = null } = context ?? {};
  if (tokens === null || windowTokens === null) return 'ctx n/a';
  const share = `ctx ${Math.round((tokens * 100) / windowTokens)}%`;
  if (thresholdTokens === null) return share;
  const left = thresholdTokens - tokens;
  return left > 0 ? `${share} (${short(left)} to compaction)` : `${share} (compaction is due)`;
}

function short(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  if (tokens < 999_500) return `${Math.round(tokens / 1_000)}k`;
  return `${(tokens / 1_000_000).toFixed(1)}M`;
}
