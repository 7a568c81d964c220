/**
 * The spool of one producer process: events that are recorded but not acknowledged, as append-only
 * segments on disk.
 *
 * Guarantees: an event whose append returned true survives `kill -9` of the process and is in
 * exactly one line of one segment; only the user can read it; sequence numbers have no gaps,
 * because only appended events get one; every drop is counted by reason. Does not: survive a power
 * failure (no fsync), wait, or lock. The limit covers the spools of all processes; those of others
 * are only measured occasionally, so their appends in between may exceed it.
 */
import { readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { EventDraft } from '../record/draft.ts';
import { ownerDirectory, segmentName } from './layout.ts';
import { encodeOwner, type SpoolOwner } from './owner.ts';
import { type Drops, type ProducerState, producerState } from './producer-state.ts';
import { appendToSegment } from './segment-file.ts';

export type { Drops } from './producer-state.ts';

export interface Spool {
  readonly source: string;
  /**
   * Contract: synchronous, never throws, one write. True if every draft is in the spool, except
   * those over `eventBytesMax`, which are dropped individually and counted, since retrying cannot
   * help. False if the spool is full or cannot be written: all drafts were dropped and counted.
   */
  append(drafts: readonly EventDraft[]): boolean;
  /** Counts a payload that the recorder could not read, reported with the other drops. */
  countRecordFailure(): void;
  /** Cumulative since the process started; a copy. */
  drops(): Drops;
  /** Size of the whole spool, other processes' segments as last measured. */
  bytes(): number;
  /** Appended by this process and not yet removed. */
  ownBytes(): number;
  /**
   * Closes the open segment: every segment of this process with a counter below the returned one is
   * final.
   */
  seal(): number;
  /** Called when the shipper removed a segment of this process or an adopted one. */
  removed(bytes: number, whose: 'own' | 'others'): void;
  /**
   * Measures the segments of other processes. Contract: never rejects; works in slices, off the
   * host's path.
   */
  measure(pause: () => Promise<void>): Promise<void>;
}

/**
 * `limits.eventBytesMax` of the contract; the contract is imported as types only, and a test keeps
 * them equal.
 */
export const eventBytesMax = 256 * 1024;

/**
 * A segment is read, split and shipped as a whole, which takes 1 ms at this size: too short for the
 * host to notice.
 */
export const segmentBytesMax = 256 * 1024;

/** Contract: does not touch the disk; the first append creates the directory. */
export function createSpool(options: {
  spoolDirectory: string;
  owner: SpoolOwner;
  spoolBytesMax: number;
}): Spool {
  const { spoolDirectory, spoolBytesMax } = options;
  const owner = encodeOwner(options.owner);
  const directory = ownerDirectory(spoolDirectory, owner);
  const state = producerState(directory);
  const bytes = () => state.ownBytes + state.othersBytes;

  return {
    source: state.source,
    bytes,
    ownBytes: () => state.ownBytes,
    drops: () => ({ ...state.drops }),
    countRecordFailure() {
      state.drops.recordFailed += 1;
    },
    append(drafts) {
      const { text, events } = encodeEvents(drafts, state);
      if (events === 0) return true;
      const textBytes = Buffer.byteLength(text);
      if (bytes() + textBytes > spoolBytesMax) {
        state.drops.spoolFull += events;
        return false;
      }
      if (state.segmentBytes > 0 && state.segmentBytes + textBytes > segmentBytesMax)
        startSegment(state);
      return appendText(directory, state, text, textBytes, events);
    },
    seal() {
      if (state.segmentBytes > 0) startSegment(state);
      return state.counter;
    },
    removed(removedBytes, whose) {
      if (whose === 'own') state.ownBytes = Math.max(0, state.ownBytes - removedBytes);
      else state.othersBytes = Math.max(0, state.othersBytes - removedBytes);
    },
    async measure(pause) {
      const { measureSpool } = await import('./measure.ts'); // not loaded at the host's start
      state.othersBytes = await measureSpool(spoolDirectory, owner, pause);
      state.ownBytes = segmentBytesIn(directory);
    },
  };
}

function appendText(
  directory: string,
  state: ProducerState,
  text: string,
  textBytes: number,
  events: number,
): boolean {
  const outcome = appendToSegment(
    `${directory}${sep}${segmentName(state.counter)}`,
    text,
    textBytes,
  );
  switch (outcome.state) {
    case 'written':
      state.sequence += events;
      state.segmentBytes += textBytes;
      state.ownBytes += textBytes;
      return true;
    case 'torn':
      // The complete lines before the tear will be read later: their numbers are used, although the
      // events count as dropped.
      state.sequence += outcome.wholeLines;
      state.ownBytes += outcome.bytes;
      startSegment(state);
      break;
    case 'refused':
      break;
  }
  state.drops.spoolUnwritable += events;
  return false;
}

function startSegment(state: ProducerState): void {
  state.counter += 1;
  state.segmentBytes = 0;
}

/**
 * One line per event, numbered from the last appended one; changes only the drop counts of the
 * state.
 */
function encodeEvents(
  drafts: readonly EventDraft[],
  state: ProducerState,
): { text: string; events: number } {
  let text = '';
  let events = 0;
  for (const draft of drafts) {
    const line = encodeEvent(draft, state.source, state.sequence + events + 1);
    if (line === null) {
      state.drops.recordFailed += 1;
    } else if (isTooLarge(line)) {
      state.drops.eventTooLarge += 1;
    } else {
      text += `${line}\n`;
      events += 1;
    }
  }
  return { text, events };
}

/** Returns null if the draft contains something JSON cannot represent (a cycle, a bigint). */
function encodeEvent(draft: EventDraft, source: string, sequence: number): string | null {
  const { id, type, time, subject, data } = draft;
  try {
    return JSON.stringify({
      specversion: '1.0',
      id,
      source,
      type,
      time,
      subject,
      sequence: String(sequence).padStart(10, '0'),
      data,
    });
  } catch {
    return null; // counted by the caller as recordFailed
  }
}

/** A UTF-16 code unit takes at most three bytes: short lines need no counting. */
const isTooLarge = (line: string): boolean =>
  line.length * 3 > eventBytesMax && Buffer.byteLength(line) > eventBytesMax;

/** Synchronous, so that no append can interleave; a process has few segments of its own. */
function segmentBytesIn(directory: string): number {
  try {
    return readdirSync(directory).reduce(
      (sum, name) => sum + statSync(join(directory, name)).size,
      0,
    );
  } catch {
    return 0; // no directory yet: nothing appended
  }
}
