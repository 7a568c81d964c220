/**
 * Where everything in the spool lies. Every name and every mode is decided here and nowhere else.
 *
 *     spool/<owner>/<counter>.ndjson                     segments of one producer process, one event per line
 *     spool/adopted/<adopter>/<owner>.<counter>.ndjson   segments of dead producers, taken over by a living one
 *     spool/marks/<session>                              the last recorded entry of a session
 *     spool/rejected/<owner>.ndjson                      events that the collector refused, with the reason
 *     spool/reader.json                                  the lease of a collector that reads this very spool
 *
 * It only makes names: it touches no disk.
 */
import { join } from 'node:path';

/** Other people on the machine see nothing of the spool. */
export const directoryMode = 0o700;
export const fileMode = 0o600;

export const ownerDirectory = (spoolDirectory: string, owner: string): string =>
  join(spoolDirectory, owner);
export const adoptedRoot = (spoolDirectory: string): string => join(spoolDirectory, 'adopted');
export const adoptedDirectory = (spoolDirectory: string, adopter: string): string =>
  join(spoolDirectory, 'adopted', adopter);
export const marksDirectory = (spoolDirectory: string): string => join(spoolDirectory, 'marks');
export const rejectedDirectory = (spoolDirectory: string): string =>
  join(spoolDirectory, 'rejected');
export const rejectedFile = (spoolDirectory: string, owner: string): string =>
  join(spoolDirectory, 'rejected', `${owner}.ndjson`);
export const leaseFile = (spoolDirectory: string): string => join(spoolDirectory, 'reader.json');

/** Eight digits, so that names sort in the order of the appends. */
export const segmentName = (counter: number): string =>
  `${String(counter).padStart(8, '0')}${segmentEnding}`;

/** The counter of an owner's own segment; null for any other file. */
export function segmentCounter(name: string): number | null {
  const digits = /^(\d{8,})\.ndjson$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

export const isSegment = (name: string): boolean => name.endsWith(segmentEnding);

/**
 * The name under which an adopter keeps a segment: told apart from the segments of other owners by
 * the owner's name, and by `~2`, `~3`, ... from an earlier one of the same name. That happens when
 * an owner was only asleep: it goes on under the old name after its file was adopted.
 */
export function adoptedName(owner: string | null, name: string, copy: number): string {
  const ending = copy === 1 ? segmentEnding : `~${copy}${segmentEnding}`;
  const stem = name.slice(0, -segmentEnding.length).replace(/~\d+$/, '');
  return owner === null ? `${stem}${ending}` : `${owner}.${stem}${ending}`;
}

const segmentEnding = '.ndjson';
