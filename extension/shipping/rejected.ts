/**
 * Stores an event that the collector rejected individually: in `rejected/`, with status and reason,
 * for a human to inspect. This is rare: events that a collector can parse but not use, it keeps
 * itself and acknowledges.
 */
import { constants } from 'node:fs';
import { appendFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFlags } from '../../core/machine/regular-file.ts';
import { makeDirectory } from '../../core/spool/directory.ts';
import { fileMode, rejectedDirectory, rejectedFile } from '../../core/spool/layout.ts';
import { encodeOwner, type SpoolOwner } from '../../core/spool/owner.ts';
import type { Clock } from '../clock.ts';

/** Limit of the whole directory; beyond it rejected events are dropped and only counted. */
export const rejectedBytesMax = 16 * 1024 * 1024;

const appendFlags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | writeFlags;

/** One line of a file in `rejected/`. */
interface RejectedRecord {
  readonly rejectedAt: string;
  /** HTTP status; null if the line was never sent. */
  readonly status: number | null;
  readonly reason: string;
  /** The event's line in the segment, which may not be JSON. */
  readonly line: string;
}

export interface Rejected {
  /**
   * Contract: never rejects. `failed`: the file system refused, so the event must stay in its
   * segment.
   */
  add(line: string, status: number | null, reason: string): Promise<'kept' | 'full' | 'failed'>;
}

export function createRejected(options: {
  spoolDirectory: string;
  owner: SpoolOwner;
  clock: Clock;
}): Rejected {
  const directory = rejectedDirectory(options.spoolDirectory);
  const path = rejectedFile(options.spoolDirectory, encodeOwner(options.owner));
  return {
    async add(line, status, reason) {
      const rejectedAt = new Date(options.clock.nowMs()).toISOString();
      const record: RejectedRecord = { rejectedAt, status, reason, line };
      const text = `${JSON.stringify(record)}\n`;
      try {
        makeDirectory(directory);
        if ((await bytesIn(directory)) + Buffer.byteLength(text) > rejectedBytesMax) return 'full';
        await appendFile(path, text, { mode: fileMode, flag: appendFlags });
        return 'kept';
      } catch {
        return 'failed';
      }
    },
  };
}

async function bytesIn(directory: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(directory)) bytes += (await stat(join(directory, name))).size;
  return bytes;
}
