/**
 * Reads and removes segments, for whoever ships them: the producer itself, its adopter, or the
 * collector.
 */
import { statSync, unlinkSync } from 'node:fs';
import { readRegularFileLater } from '../machine/regular-file.ts';

export interface Segment {
  /**
   * Lines that look like JSON objects, in order. They are not parsed: the collector may still
   * reject them.
   */
  readonly lines: readonly string[];
  /** Lines that cannot be events (zeros after a power failure, a torn line that was continued). */
  readonly garbage: readonly string[];
  /** Bytes after the last line feed: an append that never returned true. */
  readonly tornBytes: number;
  /** Size when read, for `removeIfUnchanged`. */
  readonly sizeBytes: number;
}

export type SegmentRead =
  | ({ readonly state: 'read' } & Segment)
  /** Removed or adopted by another process. */
  | { readonly state: 'gone' }
  | { readonly state: 'unreadable'; readonly reason: string };

/** Far more than one append can write; a larger file is not ours. */
const segmentBounds = { bytesMax: 128 * 1024 * 1024, refuseLinks: true };

/**
 * Contract: never rejects. Reads the whole file at once: a segment has at most `segmentBytesMax`,
 * or a single append.
 */
export async function readSegment(path: string): Promise<SegmentRead> {
  try {
    return { state: 'read', ...splitSegment(await readRegularFileLater(path, segmentBounds)) };
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' ? { state: 'gone' } : { state: 'unreadable', reason: code };
  }
}

/**
 * Removes a segment after its ack, unless it has grown since it was read: then another pass reads
 * and ships the rest. Contract: never throws. Synchronous, so that no append of this process can
 * happen between check and removal.
 */
export function removeIfUnchanged(
  path: string,
  sizeBytes: number,
): 'removed' | 'changed' | 'gone' | 'failed' {
  try {
    if (statSync(path).size !== sizeBytes) return 'changed';
    unlinkSync(path);
    return 'removed';
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'gone' : 'failed';
  }
}

function splitSegment(content: Buffer): Segment {
  const pieces = content.toString('utf8').split('\n');
  pieces.pop(); // empty, or torn
  const lines: string[] = [];
  const garbage: string[] = [];
  for (const piece of pieces) {
    if (piece.startsWith('{') && piece.endsWith('}')) lines.push(piece);
    else if (piece !== '') garbage.push(piece);
  }
  return {
    lines,
    garbage,
    tornBytes: content.length - (content.lastIndexOf('\n') + 1),
    sizeBytes: content.length,
  };
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);
