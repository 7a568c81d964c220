/**
 * The spool's layout. Every name and mode is decided here and nowhere else.
 *
 *     spool/<owner>/<counter>.ndjson       segments of one producer process, one event per line
 *     spool/adopted/<adopter>/<owner>.<counter>.ndjson   segments of dead producers, adopted
 *     spool/marks/<session>                the last recorded entry of a session
 *     spool/rejected/<owner>.ndjson        events that the collector rejected, with the reason
 *     spool/reader.json                    the lease of a collector that reads this spool
 *
 * Only creates names; does not touch the disk.
 */
import { join } from 'node:path';

/** Other users of the machine cannot read the spool. */
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

/** Eight digits, so that names sort in the order of appends. */
export const segmentName = (counter: number): string =>
  `${String(counter).padStart(8, '0')}${segmentEnding}`;

/** The counter of an owner's own segment; null for other files. */
export function segmentCounter(name: string): number | null {
  const digits = /^(\d{8,})\.ndjson$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

export const isSegment = (name: string): boolean => name.endsWith(segmentEnding);

/**
 * The name of an adopted segment: the owner's name keeps owners apart, and `~2`, `~3`, ... repeated
 * names. Names repeat when an owner was only suspended: it continues under the old name after its
 * file was adopted.
 */
export function adoptedName(owner: string | null, name: string, copy: number): string {
  const ending = copy === 1 ? segmentEnding : `~${copy}${segmentEnding}`;
  const stem = name.slice(0, -segmentEnding.length).replace(/~\d+$/, '');
  return owner === null ? `${stem}${ending}` : `${owner}.${stem}${ending}`;
}

const segmentEnding = '.ndjson';
