import { afterEach, describe, expect, it, vi } from 'vitest';
import { recorderClock } from '../../../extension/live/clock.ts';
import { contextOf, newSession } from '../support/fake-session.ts';
import { newMachine, startProcess } from '../support/ledger-machine.ts';

const hourMs = 3_600_000;

afterEach(() => void vi.useRealTimers());

describe('durations', () => {
  it('are from the monotonic clock, whatever the wall clock does meanwhile', () => {
    const machine = newMachine();
    let monotonicMs = 5;
    const clock = { ...recorderClock, nowMs: () => machine.nowMs, monotonicMs: () => monotonicMs };
    const { recorder } = startProcess(machine, { clock });
    const context = contextOf(newSession('s1', machine.nowMs));
    const attachment = { sessionId: null };
    recorder.handle(
      'tool_execution_start',
      { toolCallId: 'c1', toolName: 'bash' },
      context,
      attachment,
    );
    monotonicMs += 12;
    machine.nowMs -= hourMs;
    recorder.handle(
      'tool_execution_end',
      { toolCallId: 'c1', toolName: 'bash', isError: false },
      context,
      attachment,
    );
    const timed = machine.events().filter(({ type }) => type === 'pi.tool.timed.v1');
    expect(timed.map(({ data }) => data)).toMatchObject([{ durationMs: 12 }]);
  });

  it('are not those of a wall clock that is set back', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const [now, monotonic] = [recorderClock.nowMs(), recorderClock.monotonicMs()];
    vi.setSystemTime(now - hourMs);
    expect(recorderClock.nowMs() - now).toBe(-hourMs);
    const passedMs = recorderClock.monotonicMs() - monotonic;
    expect(passedMs).toBeGreaterThanOrEqual(0);
    expect(passedMs).toBeLessThan(hourMs);
  });
});
