/**
 * One reader of the live stream.
 *
 * Guarantees: it never holds more than `heldCharsMax` and one line: a reader that does not keep up
 * misses lines, and is told with the next one that there was more. One that has read nothing for
 * `stalledMsMax` is cut off.
 */
import { Readable } from 'node:stream';
import type { LiveLine } from '@pi-ledger/contract/answers';

const heldCharsMax = 16 * 1024;
const stalledMsMax = 30_000;

export interface LiveReader {
  readonly stream: Readable;
  tell(line: LiveLine): void;
  /** After the lines that it has been told. */
  end(): void;
  /** At once: one that does not read does not keep its connection. */
  yield(): void;
}

export function createLiveReader(nowMs: () => number): LiveReader {
  const stream = new Readable({
    read() {
      // Lines are pushed when they come.
    },
  });
  let isBehind = false;
  let isEnded = false;
  let fullSinceMs: number | null = null;

  function isFull(): boolean {
    if (stream.readableLength < heldCharsMax) {
      fullSinceMs = null;
      return false;
    }
    fullSinceMs ??= nowMs();
    if (nowMs() - fullSinceMs >= stalledMsMax) stream.destroy();
    return true;
  }

  function end(): void {
    isEnded = true;
    stream.push(null);
  }

  return {
    stream,
    tell(line) {
      if (isEnded || stream.destroyed) return;
      if (isFull()) {
        isBehind ||= line.sessions !== undefined;
        return;
      }
      const told = isBehind ? { ...line, sessions: line.sessions ?? [], more: true } : line;
      isBehind = false;
      stream.push(`${JSON.stringify(told)}\n`);
    },
    end,
    yield() {
      if (stream.readableLength > 0) stream.destroy();
      else end();
    },
  };
}
