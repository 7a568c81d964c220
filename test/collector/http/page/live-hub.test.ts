import type { LiveLine } from '@pi-ledger/contract/answers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLiveHub, type LiveMember } from '../../../../collector/http/page/live/hub.ts';
import { createLiveReader } from '../../../../collector/http/page/live/reader.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function hubWith(options: { isAllowed?: () => Promise<boolean> } = {}) {
  const listeners = new Set<(position: number) => void>();
  const errors: unknown[] = [];
  const hub = createLiveHub({
    follow(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onError: (error) => void errors.push(error),
  });
  const spans: (readonly [number, number])[] = [];
  const member = (changes?: LiveMember['changes'], isLimited = false) => {
    const reader = createLiveReader(() => performance.now());
    const lines: LiveLine[] = [];
    const told = { reader, lines };
    hub.join(
      {
        reader: { ...reader, tell: (line) => void lines.push(line) },
        changes:
          changes ??
          (async (from, to) => {
            spans.push([from, to]);
            return { sessions: [], more: false };
          }),
        isLimited,
        isAllowed: options.isAllowed ?? (async () => true),
      },
      null,
    );
    return told;
  };
  const commit = (position: number) => {
    for (const listener of listeners) listener(position);
  };
  return { hub, member, commit, spans, listeners, errors };
}

describe('what readers are told', () => {
  it('is at most two lines a second, with all that happened since', async () => {
    const { member, commit, spans } = hubWith();
    const { lines } = member();
    commit(1);
    await vi.advanceTimersByTimeAsync(0);
    expect(lines).toEqual([{ position: 1 }]);
    for (let position = 2; position <= 40; position++) {
      commit(position);
      await vi.advanceTimersByTimeAsync(25);
    }
    await vi.advanceTimersByTimeAsync(500);
    expect(lines.length).toBeLessThanOrEqual(4);
    expect(lines.at(-1)).toEqual({ position: 40, sessions: [], more: false });
    expect(spans[0]?.[0]).toBe(1);
    expect(spans.slice(1).map(([from]) => from)).toEqual(spans.slice(0, -1).map(([, to]) => to));
  });

  it('counts lines where the position would say how much others record', async () => {
    const { member, commit } = hubWith();
    const seen = new Set([41]);
    const { lines } = member(
      async (_, to) => (seen.has(to) ? { sessions: [], more: false } : null),
      true,
    );
    for (const position of [7, 40, 41, 99]) {
      commit(position);
      await vi.advanceTimersByTimeAsync(600);
    }
    expect(lines).toEqual([{ position: 1 }, { position: 2, sessions: [], more: false }]);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(lines.slice(2)).toEqual([{ position: 2 }]);
  });

  it('is told one after the other, however long the store takes', async () => {
    const { member, commit } = hubWith();
    const { lines } = member(async () => {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      return { sessions: [], more: false };
    });
    for (const position of [1, 2, 3, 4]) {
      commit(position);
      await vi.advanceTimersByTimeAsync(700);
    }
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lines.map(({ position }) => position)).toEqual([1, 2, 4]);
  });

  it('is the position every 15 seconds, and the end once the token no longer holds', async () => {
    let isAllowed = true;
    const { member, commit } = hubWith({ isAllowed: async () => isAllowed });
    const { lines, reader } = member();
    commit(7);
    await vi.advanceTimersByTimeAsync(31_000);
    expect(lines).toEqual([{ position: 7 }, { position: 7 }, { position: 7 }]);
    isAllowed = false;
    reader.stream.resume();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(reader.stream.readableEnded).toBe(true);
  });

  it('that cannot be read is said to be something, and ends nobody else', async () => {
    const { member, commit, errors } = hubWith();
    const failing = member(async () => {
      throw new Error('the store is gone');
    });
    const other = member();
    commit(1);
    await vi.advanceTimersByTimeAsync(500);
    commit(2);
    await vi.advanceTimersByTimeAsync(500);
    expect(failing.lines.at(-1)).toEqual({ position: 2, sessions: [], more: true });
    expect(other.lines.at(-1)).toEqual({ position: 2, sessions: [], more: false });
    expect(errors).toHaveLength(1);
  });

  it('ends with the last of them: nothing is followed for nobody', async () => {
    const { member, listeners, hub } = hubWith();
    const [one, two] = [member(), member()];
    expect(listeners.size).toBe(1);
    one.reader.stream.destroy();
    two.reader.stream.destroy();
    await vi.advanceTimersByTimeAsync(0);
    expect([listeners.size, hub.size()]).toEqual([0, 0]);
    member();
    expect(listeners.size).toBe(1);
  });
});

describe('a reader that does not read', () => {
  it('is skipped, told that there was more when it reads again, and cut off in the end', () => {
    let nowMs = 0;
    const { stream, tell } = createLiveReader(() => nowMs);
    const line = (position: number): LiveLine => ({
      position,
      sessions: [{ id: 'x'.repeat(1_000), project: null }],
      more: false,
    });
    for (let position = 1; position <= 100; position++) tell(line(position));
    const held = stream.readableLength;
    expect(held).toBeLessThan(20 * 1024);
    const read = String(stream.read()).trim().split('\n');
    expect(read.length).toBeLessThan(20);
    tell({ position: 101 });
    expect(JSON.parse(String(stream.read()))).toEqual({ position: 101, sessions: [], more: true });
    tell({ position: 102 });
    expect(JSON.parse(String(stream.read()))).toEqual({ position: 102 });

    for (let position = 103; position <= 200; position++) tell(line(position));
    nowMs = 29_999;
    tell(line(201));
    expect(stream.destroyed).toBe(false);
    nowMs = 30_000;
    tell(line(202));
    expect(stream.destroyed).toBe(true);
  });
});

describe('a stream that yields its place', () => {
  const reader = () => createLiveReader(() => performance.now());

  it('ends as an answer does', () => {
    const { stream, tell, yield: yieldPlace } = reader();
    tell({ position: 1 });
    expect(stream.read().toString()).toBe('{"position":1}\n');
    yieldPlace();
    expect(stream.destroyed).toBe(false);
    expect(stream.read()).toBeNull();
    expect(stream.readableEnded || stream.readableLength === 0).toBe(true);
  });

  it('is cut off where nobody reads: it would keep its connection', () => {
    const { stream, tell, yield: yieldPlace } = reader();
    tell({ position: 1 });
    yieldPlace();
    expect(stream.destroyed).toBe(true);
  });
});
