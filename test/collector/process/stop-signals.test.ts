import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stopOnSignals, stoppedLate } from '../../../collector/process/stop-signals.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function stopping(end: () => Promise<void>) {
  const said: string[] = [];
  return { said, ...stopOnSignals(end, (error) => said.push((error as Error).message)) };
}

describe('a process that stops', () => {
  it('has stopped in order when its end resolves, which it begins once', async () => {
    const end = vi.fn(async () => undefined);
    const { said, stop, stopped } = stopping(end);
    await Promise.all([stop(), stop()]);
    expect([await stopped, said, end.mock.calls.length]).toEqual([true, [], 1]);
  });

  it('says so when its time is over, and waits no longer', async () => {
    const { said, stop, stopped } = stopping(() => new Promise(() => undefined));
    const ended = stop();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(said).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect([await ended, await stopped, said]).toEqual([false, false, [stoppedLate]]);
  });

  it('says why its end failed', async () => {
    const { said, stop } = stopping(() => Promise.reject(new Error('the disk is full')));
    expect([await stop(), said]).toEqual([false, ['the disk is full']]);
  });

  it('leaves no listener for signals behind', async () => {
    const before = process.listenerCount('SIGTERM');
    const { stop } = stopping(async () => undefined);
    expect(process.listenerCount('SIGTERM')).toBe(before + 1);
    await stop();
    expect(process.listenerCount('SIGTERM')).toBe(before);
  });
});
