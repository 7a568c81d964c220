/**
 * What each run of a session spent, a run being what follows a prompt. A tool result that names no
 * subagent is about the session whose header names the parent and that spent the same in a run, to
 * the token. Pure, but for the sums kept here.
 */
import type { EventDraft } from '@pi-ledger/extension/record/draft';

/** The four counts of tokens, from which a sum is known. */
export interface TokenCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

/** The sums of runs that have ended, of the one that goes on, and of all. */
export interface SavedRuns {
  readonly ended: readonly string[];
  readonly current: TokenCounts;
  readonly all: TokenCounts;
}

export interface RunSums {
  /** Call in file order, with the drafts of an entry of the session's own. */
  take(drafts: readonly EventDraft[]): void;
  readonly saved: SavedRuns;
}

/** The newest are left out: a subagent is rarely called more often. */
const runsMax = 200;

const none: TokenCounts = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

export function createRunSums(before: SavedRuns | null): RunSums {
  let { ended, current, all } = before ?? { ended: [], current: none, all: none };
  return {
    take(drafts) {
      for (const { type, data } of drafts) {
        if (type === 'pi.prompt.submitted.v1') {
          if (!isNothing(current) && ended.length < runsMax) ended = [...ended, sumKey(current)];
          current = none;
        } else if (type === 'pi.turn.completed.v1' && data.spend.reported) {
          current = plus(current, data.spend);
          all = plus(all, data.spend);
        }
      }
    },
    get saved() {
      return { ended, current, all };
    },
  };
}

/** All sums that a tool result may claim of the session. */
export function sumKeys({ ended, current, all }: SavedRuns): readonly string[] {
  if (isNothing(all)) return [];
  const open = isNothing(current) ? [] : [sumKey(current)];
  return [...new Set([...ended, ...open, sumKey(all)])];
}

export function sumKey(counts: TokenCounts): string {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = counts;
  return `sum:${[inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens].join()}`;
}

function isNothing(counts: TokenCounts): boolean {
  return sumKey(counts) === sumKey(none);
}

function plus(left: TokenCounts, right: TokenCounts): TokenCounts {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    cacheReadTokens: left.cacheReadTokens + right.cacheReadTokens,
    cacheWriteTokens: left.cacheWriteTokens + right.cacheWriteTokens,
  };
}
