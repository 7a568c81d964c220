/**
 * Notices that did not arrive, kept for a month: one line for each budget, state and status. Pure.
 */
import { type Static, Type } from 'typebox';

/** `id` and what follows are those of the newest. */
export const Lost = Type.Object({
  id: Type.String(),
  budget: Type.String(),
  state: Type.String(),
  status: Type.Enum(['refused', 'given up']),
  sinceMs: Type.Number(),
  endedMs: Type.Number(),
  attempts: Type.Integer(),
  detail: Type.Union([Type.String(), Type.Null()]),
  /** How many. */
  notices: Type.Integer(),
});

export type Lost = Static<typeof Lost>;

/** One of them, before it is counted. */
export type DeliveryEnded = Omit<Lost, 'notices'>;

const keptMs = 31 * 24 * 3_600_000;
/** A hundred budgets have four states, and there are two ways not to arrive. */
const linesMax = 800;
const bytesMax = 400_000;

export function withLost(
  lost: readonly Lost[],
  added: readonly DeliveryEnded[],
  nowMs: number,
): Lost[] {
  if (added.length === 0) return [...lost];
  const lines = new Map(lost.map((each) => [lossKey(each), each]));
  for (const each of added) {
    const key = lossKey(each);
    const notices = (lines.get(key)?.notices ?? 0) + 1;
    lines.delete(key);
    lines.set(key, { ...each, notices });
  }
  const kept = [...lines.values()].filter(({ endedMs }) => nowMs - endedMs < keptMs);
  return newest(kept.slice(-linesMax));
}

function lossKey({ budget, state, status }: DeliveryEnded): string {
  return JSON.stringify([budget, state, status]);
}

/** Names could be long: what is kept fits into a checkpoint's state. */
function newest(lines: readonly Lost[]): Lost[] {
  let bytes = 0;
  return lines
    .toReversed()
    .filter((line) => {
      bytes += Buffer.byteLength(JSON.stringify(line)) + 1;
      return bytes <= bytesMax;
    })
    .toReversed();
}
