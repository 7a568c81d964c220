/**
 * Answers that are given again as long as nothing they are made of has changed: their views are
 * where they were. Large ones may be up to a minute older, since while events come they would be
 * computed anew for each: the first who asks after 20 seconds has one computed, and does not wait
 * for it. At most `answersMax` are remembered.
 */
import type { Projection } from '../../projections/projection.ts';
import type { ViewsReader } from '../../views/views.ts';
import { type ViewPositions, viewPositions } from './view-positions.ts';

export interface Rememberable {
  readonly readAtMs: number;
  /** It says roughly how many rows of the views were read. */
  readonly rowsRead: number;
}

export interface Remembered<Answer> {
  /** `question` says all that the answer depends on beside the views, the caller's limits too. */
  once(question: string, compute: () => Promise<Answer>): Promise<Given<Answer>>;
}

interface Given<Answer> {
  readonly answer: Answer;
  /** False: something has changed since it was computed. */
  readonly isCurrent: boolean;
}

export interface RememberedOptions {
  readonly views: ViewsReader;
  /** What the answers are made of. */
  readonly of: readonly Projection[];
  readonly now: () => number;
}

interface Kept<Answer> {
  readonly answer: Answer;
  readonly positions: ViewPositions;
  isBeingRenewed: boolean;
}

const answersMax = 50;
const renewedAfterMs = 20_000;
const ageMsMax = 60_000;
/** More take above a tenth of a second. */
const rowsOfLarge = 2_000;

export function createRemembered<Answer extends Rememberable>({
  views,
  of,
  now,
}: RememberedOptions): Remembered<Answer> {
  const known = new Map<string, Kept<Answer>>();
  /** One after the other: nobody waits for them, and so many are not computed at once. */
  let renewals: Promise<unknown> = Promise.resolve();

  async function keep(
    question: string,
    positions: ViewPositions,
    compute: () => Promise<Answer>,
  ): Promise<Answer> {
    const answer = await compute();
    known.delete(question);
    const [oldest] = known.keys();
    if (oldest !== undefined && known.size >= answersMax) known.delete(oldest);
    known.set(question, { answer, positions, isBeingRenewed: false });
    return answer;
  }

  function renew(kept: Kept<Answer>, ...how: Parameters<typeof keep>): void {
    kept.isBeingRenewed = true;
    const [question] = how;
    renewals = renewals
      .then(() => (known.get(question) === kept ? keep(...how) : null))
      // Whoever asks when it has become too old meets the error.
      .catch(() => {
        kept.isBeingRenewed = false;
      });
  }

  return {
    async once(question, compute) {
      const positions = await viewPositions(views, of);
      if (positions === null) return { answer: await compute(), isCurrent: true };
      const kept = known.get(question);
      if (kept !== undefined && isSame(kept.positions, positions))
        return { answer: kept.answer, isCurrent: true };
      const ageMs = kept === undefined ? 0 : now() - kept.answer.readAtMs;
      if (kept === undefined || !mayBeOlder(kept, positions, ageMs))
        return { answer: await keep(question, positions, compute), isCurrent: true };
      if (ageMs >= renewedAfterMs && !kept.isBeingRenewed)
        renew(kept, question, positions, compute);
      return { answer: kept.answer, isCurrent: false };
    },
  };
}

function isSame(left: ViewPositions, right: ViewPositions): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** Not after a rebuild, which may have other rules, nor when the clock was set back. */
function mayBeOlder(
  { answer, positions }: Kept<Rememberable>,
  current: ViewPositions,
  ageMs: number,
): boolean {
  if (positions.generations !== current.generations) return false;
  return answer.rowsRead > rowsOfLarge && ageMs >= 0 && ageMs < ageMsMax;
}
