/**
 * Sessions that are older than a private stretch and were asked in it, as a result says that also
 * says what they spent: what they did in that time is private, and the rest of them is not.
 */
import { parseTimeMs } from '@pi-ledger/core/record/entry';
import { fileRef, sessionRef } from '@pi-ledger/core/record/link';
import { readMark } from '@pi-ledger/core/record/privacy';
import { entriesInFile } from './entries-in-file.ts';
import type { SearchedFiles } from './forks-of-gone.ts';
import { createPrivateFamily } from './private-family.ts';
import {
  joinStretches,
  type PrivateParents,
  type PrivateStretches,
  type ReadEntry,
  type Stretch,
  toldIn,
} from './private-stretches.ts';
import { createClock } from './stretch-notes.ts';

/** Adds them to the parents, and returns whether it has found any more. */
export function findAsked(
  parents: PrivateParents,
  paths: readonly string[],
  { found, headers }: SearchedFiles,
): boolean {
  const { namesSpenders, stretchesAsking } = createPrivateFamily(parents, found);
  if (!namesSpenders) return false;
  let isMore = false;
  for (const path of paths) {
    const header = parents.get(path)?.isAsked === true ? null : headers.of(path);
    if (header === null) continue;
    const stretches = [fileRef(path), sessionRef(header.id)].flatMap((ref) =>
      stretchesAsking(header, ref),
    );
    const asked = stretches.length === 0 ? null : askedIn(path, stretches);
    if (asked === null) continue;
    parents.set(path, joinStretches(parents.get(path), asked));
    isMore = true;
  }
  return isMore;
}

function askedIn(path: string, stretches: readonly Stretch[]): PrivateStretches | null {
  const told = toldIn(entriesDuring(path, stretches), false, stretches, createClock());
  return told === null ? null : { ...told, isAsked: true };
}

function* entriesDuring(path: string, stretches: readonly Stretch[]): Generator<ReadEntry> {
  for (const headed of entriesInFile(path)) {
    const timeMs = parseTimeMs(headed.entry.timestamp);
    const isDuring = ({ fromMs, toMs }: Stretch) =>
      timeMs !== null && timeMs >= fromMs && (toMs === null || timeMs <= toMs);
    if (stretches.some(isDuring) && readMark(headed.entry) === null) yield headed;
  }
}
