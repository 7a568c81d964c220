/** When memory and descriptors of a process count as flat. Pure. */
import { median } from '../statistics.ts';

export interface Sample {
  readonly second: number;
  /** Before the collection whose result is the heap. */
  readonly residentBytes: number;
  /** Of what is resident: pages of files, the program's own among them. */
  readonly fileBytes: number;
  /** Reserved by the heap before the collection. */
  readonly reservedBytes: number;
  readonly heapBytes: number;
  readonly externalBytes: number;
  readonly descriptors: number;
}

/** Medians of the last quarter of all samples, and of the quarter before. */
export interface Flatness {
  readonly last: number;
  readonly before: number;
}

/**
 * What keeps growing by a twentieth from quarter to quarter is a leak; less than that is how long a
 * cache takes to fill. The first half is warm-up.
 */
export const growthMax = 1.05;

export function flatnessOf(samples: readonly Sample[]) {
  const quarter = Math.floor(samples.length / 4);
  if (quarter === 0) throw new Error(`${samples.length} samples are too few to say anything`);
  const over = (pick: (sample: Sample) => number): Flatness => ({
    last: median(samples.slice(-quarter).map(pick)),
    before: median(samples.slice(-2 * quarter, -quarter).map(pick)),
  });
  return {
    heapMegabytes: over(({ heapBytes }) => heapBytes / 1e6),
    residentMegabytes: over(({ residentBytes }) => residentBytes / 1e6),
    reservedMegabytes: over(({ reservedBytes }) => reservedBytes / 1e6),
    fileMegabytes: over(({ fileBytes }) => fileBytes / 1e6),
    otherMegabytes: over(
      ({ residentBytes, reservedBytes, fileBytes }) =>
        (residentBytes - reservedBytes - fileBytes) / 1e6,
    ),
    descriptors: over(({ descriptors }) => descriptors),
  };
}
