/**
 * Answers that are given again as long as nothing they are made of has changed: the views of
 * sessions and contexts stand where they stood. Large ones may be up to a minute older, since while
 * events come they would be computed anew for each: the first who asks after 20 seconds has one
 * computed, and does not wait for it. At most `answersMax` are remembered.
 */
import type { Insight } from '@pi-ledger/contract/answers';
import type { ViewsReader } from '../../views/views.ts';
import { type Standing, standingOf } from '../audits/standing.ts';
import type { Span } from './period.ts';

/** Before they are narrowed to what is shown. */
export interface FoundInsights {
  readonly period: Span;
  readonly insights: readonly Insight[];
  readonly leftOut: readonly string[];
  readonly readAtMs: number;
  /** How many sums of sessions were read, which takes most of the time. */
  readonly sums: number;
}

export interface Remembered {
  /** `question` says all that the answer depends on beside the views, the caller's limits too. */
  once(question: string, compute: () => Promise<FoundInsights>): Promise<Given>;
}

interface Given {
  readonly answer: FoundInsights;
  /** False: something has changed since it was computed. */
  readonly isCurrent: boolean;
}

interface Kept {
  readonly answer: FoundInsights;
  readonly standing: Standing;
  isBeingRenewed: boolean;
}

const answersMax = 50;
const renewedAfterMs = 20_000;
const ageMsMax = 60_000;
/** More take above a tenth of a second. */
const sumsOfLarge = 2_000;

export function createRemembered(views: ViewsReader, now: () => number): Remembered {
  const known = new Map<string, Kept>();

  async function keep(
    question: string,
    standing: Standing,
    compute: () => Promise<FoundInsights>,
  ): Promise<FoundInsights> {
    const answer = await compute();
    known.delete(question);
    const [oldest] = known.keys();
    if (oldest !== undefined && known.size >= answersMax) known.delete(oldest);
    known.set(question, { answer, standing, isBeingRenewed: false });
    return answer;
  }

  function renew(kept: Kept, renewed: Promise<unknown>): void {
    kept.isBeingRenewed = true;
    // Whoever asks when it has become too old meets the error.
    renewed.catch(() => {
      kept.isBeingRenewed = false;
    });
  }

  return {
    async once(question, compute) {
      const standing = await standingOf(views);
      if (standing === null) return { answer: await compute(), isCurrent: true };
      const kept = known.get(question);
      if (kept !== undefined && isSame(kept.standing, standing))
        return { answer: kept.answer, isCurrent: true };
      const ageMs = kept === undefined ? 0 : now() - kept.answer.readAtMs;
      if (kept === undefined || !mayBeOlder(kept, standing, ageMs))
        return { answer: await keep(question, standing, compute), isCurrent: true };
      if (ageMs >= renewedAfterMs && !kept.isBeingRenewed)
        renew(kept, keep(question, standing, compute));
      return { answer: kept.answer, isCurrent: false };
    },
  };
}

function isSame(left: Standing, right: Standing): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** Not after a rebuild, which may have other rules, nor when the clock was set back. */
function mayBeOlder({ answer, standing }: Kept, now: Standing, ageMs: number): boolean {
  if (standing.generations !== now.generations) return false;
  return answer.sums > sumsOfLarge && ageMs >= 0 && ageMs < ageMsMax;
}
