/**
 * What each run of a session spent, a run being what follows a prompt. A tool result that names no
 * subagent is about the session whose header names the parent and that spent the same in a run, to
 * the token. Pure, but for the sums kept here.
 */
import type { Spend } from '@pi-ledger/contract';
import {
  type TokenCounts,
  type TokenMeasure,
  tokenMeasures,
} from '@pi-ledger/contract/spend-shape';
import type { EventDraft } from '@pi-ledger/core/record/draft';

/**
 * What a package may sum up: answers; with what the host spent beside them; and with what tools
 * spent.
 */
type Sums = readonly [answers: TokenCounts, own: TokenCounts, whole: TokenCounts];

/**
 * The sums of runs that have ended, of the one that goes on, and of all; and what a run had spent
 * each time before it went on: a tool may be asked for that.
 */
export interface SavedRuns {
  readonly ended: readonly string[];
  readonly parts?: readonly string[];
  readonly current: Sums;
  readonly all: Sums;
}

export interface RunSums {
  /** Call in file order, with the drafts of an entry of the session's own. */
  take(drafts: readonly EventDraft[]): void;
  readonly saved: SavedRuns;
}

/** The newest are left out: a subagent is rarely called more often. */
const runsMax = 200;
const partsMax = 200;

const none = counted(() => 0);

const nothing: Sums = [none, none, none];

const noRuns = { ended: [], current: nothing, all: nothing };

export function createRunSums(before: SavedRuns | null): RunSums {
  let { ended, parts = [], current, all } = before ?? { ...noRuns, parts: [] };
  return {
    take(drafts) {
      for (const draft of drafts) {
        if (draft.type === 'pi.prompt.submitted.v1') {
          if (ended.length < runsMax) ended = [...ended, ...listKeys(current)];
          current = nothing;
        }
        const spent = spentIn(draft);
        if (spent !== null && parts.length < partsMax) parts = [...parts, ...listKeys(current)];
        current = withMore(current, spent);
        all = withMore(all, spent);
      }
    },
    get saved() {
      return { ended, parts, current, all };
    },
  };
}

/** What runs came to, and all of them. */
export function sumKeys({ ended, current, all }: SavedRuns): readonly string[] {
  return [...new Set([...ended, ...listKeys(current), ...listKeys(all)])];
}

/** Those, and what it had spent each time before a run went on. */
export function allSumKeys(saved: SavedRuns): readonly string[] {
  return [...new Set([...sumKeys(saved), ...(saved.parts ?? [])])];
}

function listKeys(sums: Sums): readonly string[] {
  return [...new Set(sums.filter((sum) => !isNothing(sum)).map(sumKey))];
}

/** `from`: the first of the sums that it is part of. */
interface Spent {
  readonly from: number;
  readonly counts: TokenCounts;
}

function spentIn({ type, data }: EventDraft): Spent | null {
  switch (type) {
    case 'pi.turn.completed.v1':
      return reportedIn(data.spend, 0);
    case 'pi.compaction.completed.v1':
    case 'pi.branch.summarized.v1':
      return reportedIn(data.spend, 1);
    case 'pi.usage.recorded.v1':
      return reportedIn(data.spend, data.kind === 'tool' ? 2 : 1);
    case 'pi.tool.completed.v1':
      return reportedIn(data.spend, 2);
    default:
      return null;
  }
}

function reportedIn(spend: Spend | null, from: number): Spent | null {
  return spend?.reported === true ? { from, counts: spend } : null;
}

function withMore(sums: Sums, spent: Spent | null): Sums {
  if (spent === null) return sums;
  const [answers, own, whole] = sums.map((sum, index) =>
    index < spent.from ? sum : plus(sum, spent.counts),
  );
  return [answers ?? none, own ?? none, whole ?? none];
}

export function sumKey(counts: TokenCounts): string {
  return `sum:${tokenMeasures.map((name) => counts[name]).join()}`;
}

function isNothing(counts: TokenCounts): boolean {
  return sumKey(counts) === sumKey(none);
}

function plus(left: TokenCounts, right: TokenCounts): TokenCounts {
  return counted((name) => left[name] + right[name]);
}

function counted(count: (name: TokenMeasure) => number): TokenCounts {
  return Object.fromEntries(tokenMeasures.map((name) => [name, count(name)])) as TokenCounts;
}
