/**
 * The spool of one producer process: what was recorded and is not yet acknowledged, as append-only
 * segments on disk.
 *
 * Guarantees: an event whose append returned true survives `kill -9` of the process and stands in
 * exactly one line of one segment; nobody but the user can read it; sequence numbers have no gaps,
 * because only an appended event gets one; every drop is counted with its reason. Does not: survive
 * a power cut (no fsync), wait, lock. The bound covers the spools of all processes, and those of
 * others are only measured now and then, so that it may be passed by what they append in between.
 */
import { readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { EventDraft } from '../record/draft.ts';
import { ownerDirectory, segmentName } from './layout.ts';
import { encodeOwner, type Owner } from './owner.ts';
import { type Drops, type ProducerState, producerState } from './producer-state.ts';
import { appendToSegment } from './segment-file.ts';

export type { Drops } from './producer-state.ts';

export interface Spool {
  readonly source: string;
  /**
   * Contract: synchronous, never throws, one write. True when every draft is in the spool, except
   * those over `eventBytesMax`, which are dropped alone and counted, since no later attempt could
   * fare better. False when the spool is full or cannot be written: all drafts were dropped, and
   * counted.
   */
  append(drafts: readonly EventDraft[]): boolean;
  /** A payload that the recorder could not read: to be reported with the other drops. */
  countRecordFailure(): void;
  /** Cumulative since the process started; a copy. */
  drops(): Drops;
  /** Of the whole spool, other processes' segments as last measured. */
  bytes(): number;
  /** Appended by this process and not yet removed. */
  ownBytes(): number;
  /**
   * Ends the open segment: every segment of this process with a counter below the answer is closed
   * for good.
   */
  seal(): number;
  /** The shipper removed a segment: of this process, or an adopted one. */
  removed(bytes: number, whose: 'own' | 'others'): void;
  /**
   * Measures what other processes keep in the spool. Contract: never rejects; in slices, off the
   * host's path.
   */
  measure(pause: () => Promise<void>): Promise<void>;
}

/**
 * `limits.eventBytesMax` of the contract, which is imported as types only; a test holds them equal.
 */
export const eventBytesMax = 256 * 1024;

/**
 * A segment is read, split and shipped whole, at 1 ms for this size: small enough never to be felt
 * by the host.
 */
export const segmentBytesMax = 256 * 1024;

/** Contract: touches no disk; the directory is made by the first append. */
export function createSpool(options: {
  spoolDirectory: string;
  owner: Owner;
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
      const { measureSpool } = await import('./measure.ts'); // not at the host's start
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
      // The whole lines before the tear will be read some day: their numbers are taken, although
      // the events count as dropped.
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
 * One line per event, numbered on from the last appended one; the state is not touched but for the
 * drops.
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

/** Null when the draft holds what JSON cannot say (a cycle, a bigint). */
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

/** No UTF-16 code unit takes more than three bytes: short lines need not be counted. */
const isTooLarge = (line: string): boolean =>
  line.length * 3 > eventBytesMax && Buffer.byteLength(line) > eventBytesMax;

/**
 * Synchronous, so that no append can fall into the middle of it; a process has few segments of its
 * own.
 */
function segmentBytesIn(directory: string): number {
  try {
    return readdirSync(directory).reduce(
      (sum, name) => sum + statSync(join(directory, name)).size,
      0,
    );
  } catch {
    return 0; // no directory yet: nothing was appended
  }
}
