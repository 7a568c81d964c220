/**
 * Copies receipts that do not follow from the events: the places of refused events, and of events
 * deleted on purpose. Without them the target would report gaps.
 */
import type { Log, Receipt } from '../log/log.ts';

type Range = Receipt['ranges'][number];

/** Places per append. */
const placesMax = 5_000;

/**
 * Contract: the target has all events of the source that these receipts refer to. Returns the
 * number of added sequence numbers.
 */
export async function copyReceipts(receipts: readonly Receipt[], to: Log): Promise<number> {
  const there = new Map((await to.receipts()).map(({ source, ranges }) => [source, ranges]));
  let added = 0;
  for (const { source, ranges } of receipts) {
    for (const sequences of inBatches(without(ranges, there.get(source) ?? []))) {
      const refused = sequences.map((sequence) => ({
        source,
        sequence: String(sequence).padStart(10, '0'),
      }));
      await to.append({ receivedAtMs: 0, events: [], deadLetters: [], refused });
      added += sequences.length;
    }
  }
  return added;
}

/** The numbers of `ranges` that are not in `taken`; both ascending and disjoint. Pure. */
export function without(ranges: readonly Range[], taken: readonly Range[]): Range[] {
  const left: Range[] = [];
  for (const [first, last] of ranges) {
    let next = first;
    for (const [takenFirst, takenLast] of taken) {
      if (takenLast < next) continue;
      if (takenFirst > last) break;
      if (takenFirst > next) left.push([next, takenFirst - 1]);
      next = takenLast + 1;
    }
    if (next <= last) left.push([next, last]);
  }
  return left;
}

function* inBatches(ranges: readonly Range[]): Generator<readonly number[]> {
  for (const [first, last] of ranges) {
    for (let start = first; start <= last; start += placesMax) {
      yield Array.from(
        { length: Math.min(placesMax, last - start + 1) },
        (_, index) => start + index,
      );
    }
  }
}
