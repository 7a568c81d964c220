/**
 * Ships one segment: in batches, in order, one request at a time. Removes it once every event is
 * acknowledged or set aside.
 *
 * A refused batch is halved until the bad event is isolated. A refusal is only believed from an
 * endpoint that acknowledges an empty batch; otherwise it is no collector (a wrong URL answers 404
 * to everything), and the events stay.
 */
import { readSegment, removeIfUnchanged, type Segment } from '../../core/spool/segment.ts';
import type { Rejected } from './rejected.ts';
import type { SendResult } from './send-result.ts';
import type { Transport } from './transport.ts';

export type ShipmentResult =
  /** The segment is gone; `removedBytes` were removed by this call. */
  | { readonly state: 'shipped'; readonly removedBytes: number }
  /** Left in place; the next segment may be shipped. */
  | { readonly state: 'skipped'; readonly reason: string }
  | Trouble;

export interface Shipment {
  /**
   * Contract: never rejects. After `retry` or `unauthorized`, the next call for this path continues
   * after the last acknowledged event.
   */
  ship(path: string): Promise<ShipmentResult>;
}

interface ShipmentOptions {
  readonly transport: Transport;
  readonly rejected: Rejected;
  onAck(): void;
  /** Called for each event that was set aside, or dropped because `rejected/` is full. */
  onRejected(reason: string): void;
}

export function createShipment(options: ShipmentOptions): Shipment {
  const { transport } = options;
  let interrupted: Interrupted | null = null;

  /** Sends the remaining lines, range by range; null when all are done. */
  async function sendLines(
    lines: readonly string[],
    from: number,
    reached: (done: number) => void,
  ): Promise<Trouble | null> {
    const ranges = [...cutBatches(lines, from)].reverse();
    for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
      const outcome = await sendRange(lines, range);
      if (outcome.state === 'split') ranges.push(outcome.second, outcome.first);
      else if (outcome.state === 'done') reached(range.to);
      else return outcome;
    }
    return null;
  }

  async function sendRange(lines: readonly string[], range: Range): Promise<RangeOutcome> {
    const result = await transport.send(lines.slice(range.from, range.to));
    if (result.state === 'acked') {
      options.onAck();
      return { state: 'done' };
    }
    if (result.state !== 'refused') return result;
    const doubt = await probe(transport, result.status);
    if (doubt !== null) return doubt;
    const halves = halve(range);
    if (halves !== null) return { state: 'split', first: halves[0], second: halves[1] };
    const isAside = await setAside(
      options,
      lines[range.from] ?? '',
      result.status,
      `status ${result.status}`,
    );
    return isAside ? { state: 'done' } : cannotSetAside;
  }

  async function shipRead(path: string, segment: Segment): Promise<ShipmentResult> {
    const { lines } = segment;
    const trouble = await sendLines(lines, doneBefore(interrupted, path, lines), (done) => {
      interrupted = { path, done, lastLine: lines[done - 1] };
    });
    if (trouble !== null) return trouble;
    for (const line of segment.garbage) {
      if (!(await setAside(options, line, null, 'not a JSON object'))) return cannotSetAside;
    }
    switch (removeIfUnchanged(path, segment.sizeBytes)) {
      case 'removed':
        return { state: 'shipped', removedBytes: segment.sizeBytes };
      case 'gone':
        return { state: 'shipped', removedBytes: 0 };
      case 'changed':
        return { state: 'skipped', reason: 'a segment grew while it was shipped' };
      case 'failed':
        return { state: 'retry', cause: 'local', reason: 'a segment cannot be removed' };
    }
  }

  return {
    async ship(path) {
      const segment = await readSegment(path);
      switch (segment.state) {
        case 'gone':
          return { state: 'shipped', removedBytes: 0 };
        case 'unreadable':
          return { state: 'skipped', reason: `a segment cannot be read: ${segment.reason}` };
        case 'read':
          return shipRead(path, segment);
      }
    },
  };
}

type Trouble = Exclude<SendResult, { state: 'acked' | 'refused' }>;
type RangeOutcome =
  | Trouble
  | { readonly state: 'done' }
  | { readonly state: 'split'; readonly first: Range; readonly second: Range };

/** Progress in the segment that was interrupted last. */
interface Interrupted {
  readonly path: string;
  readonly done: number;
  readonly lastLine: string | undefined;
}

/** Compares the line too: the path may by now belong to another segment. */
function doneBefore(
  interrupted: Interrupted | null,
  path: string,
  lines: readonly string[],
): number {
  if (interrupted === null || interrupted.path !== path) return 0;
  return lines[interrupted.done - 1] === interrupted.lastLine ? interrupted.done : 0;
}

const cannotSetAside: Trouble = {
  state: 'retry',
  cause: 'local',
  reason: 'a refused event cannot be set aside',
};

/** Resolves to null if the endpoint acknowledges an empty batch. */
async function probe(transport: Transport, status: number): Promise<Trouble | null> {
  const result = await transport.send([]);
  switch (result.state) {
    case 'acked':
      return null;
    case 'refused':
      return {
        state: 'retry',
        cause: 'stranger',
        reason: `status ${status}, even for an empty batch`,
      };
    default:
      return result;
  }
}

async function setAside(
  { rejected, onRejected }: ShipmentOptions,
  line: string,
  status: number | null,
  reason: string,
): Promise<boolean> {
  const outcome = await rejected.add(line, status, reason);
  if (outcome === 'failed') return false;
  onRejected(
    outcome === 'kept'
      ? `an event was refused: ${reason}`
      : `an event was refused and dropped, rejected/ is full: ${reason}`,
  );
  return true;
}

/**
 * Limits of one request, well below the contract's (a test compares them), so that building a body
 * blocks the host's thread for only about a millisecond.
 */
export const batchEventsMax = 1_000;
export const batchBytesMax = 256 * 1024;

/** Indexes into the lines of a segment: `from` inclusive, `to` exclusive. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Splits the lines from `from` on into ranges within the limits. A line larger than a batch gets
 * its own.
 */
export function cutBatches(lines: readonly string[], from: number): readonly Range[] {
  const ranges: Range[] = [];
  let start = from;
  let bytes = 0;
  for (let index = from; index < lines.length; index += 1) {
    const lineBytes = Buffer.byteLength(lines[index] ?? '') + 1;
    if (index > start && (bytes + lineBytes > batchBytesMax || index - start === batchEventsMax)) {
      ranges.push({ from: start, to: index });
      start = index;
      bytes = 0;
    }
    bytes += lineBytes;
  }
  if (start < lines.length) ranges.push({ from: start, to: lines.length });
  return ranges;
}

/** Returns null for a single event. */
export function halve({ from, to }: Range): readonly [Range, Range] | null {
  if (to - from < 2) return null;
  const middle = from + Math.ceil((to - from) / 2);
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}
