import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  beginsSession,
  readPreviousSessionFile,
  readShutdownReason,
} from '../../../extension/host/events.ts';
import {
  readAborted,
  readCompaction,
  readFailedAutoCompaction,
  readToolExecution,
  readWillContinue,
} from '../../../extension/host/run-events.ts';

interface Recorded {
  readonly hook: string;
  readonly event: Record<string, unknown>;
}

/** Payloads recorded from three hosts. */
function recorded(host: string, hook: string): readonly Record<string, unknown>[] {
  const lines = readFileSync(new URL(`../data/hooks/${host}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return lines
    .map((line) => JSON.parse(line) as Recorded)
    .filter((line) => line.hook === hook)
    .map(({ event }) => event);
}

const readers = {
  readAborted,
  beginsSession,
  readCompaction,
  readFailedAutoCompaction,
  readPreviousSessionFile,
  readShutdownReason,
  readToolExecution,
  readWillContinue,
};

describe('the payloads', () => {
  it.each(['pi073', 'pi15', 'omp18'])('of %s report tools', (host) => {
    const ends = recorded(host, 'tool_execution_end');
    expect(ends.length).toBeGreaterThan(0);
    for (const event of ends) {
      expect(readToolExecution(event)).toEqual({
        toolCallId: event.toolCallId,
        toolName: event.toolName,
        isError: event.isError,
      });
    }
  });

  it.each(['pi073', 'pi15', 'omp18'])('of %s name the entry of a compaction', (host) => {
    for (const event of recorded(host, 'session_compact'))
      expect(readCompaction(event).entryId).toMatch(/^[0-9a-f]{8}$/);
  });

  it('of pi 1.x give its reason', () => {
    expect(
      recorded('pi15', 'session_compact').map((event) => readCompaction(event).trigger),
    ).toEqual(['threshold', 'overflow', 'manual']);
    expect(
      recorded('pi15', 'session_compact').map((event) => readCompaction(event).willRetry),
    ).toEqual([false, true, false]);
    expect(
      recorded('pi073', 'session_compact').map((event) => readCompaction(event).trigger),
    ).toEqual([null]);
    const told = recorded('pi15', 'session_before_compact').map(
      (event) => readCompaction(event).instructionsChars,
    );
    expect(told).toEqual(expect.arrayContaining(['short'.length]));
    expect(
      recorded('pi15', 'session_compact').map((event) => readCompaction(event).fromExtension),
    ).toEqual([false, false, false]);
  });

  it('of omp announce it, and report whether it failed', () => {
    expect(
      recorded('omp18', 'auto_compaction_start').map((event) => readCompaction(event).trigger),
    ).toEqual(['threshold']);
    expect(recorded('omp18', 'auto_compaction_end').map(readFailedAutoCompaction)).toEqual([null]);
    expect(
      readFailedAutoCompaction({ errorMessage: 'x', aborted: false, willRetry: true }),
    ).toMatchObject({
      aborted: false,
      willRetry: true,
    });
    expect(readFailedAutoCompaction({ skipped: true, errorMessage: 'nothing to do' })).toBeNull();
  });

  it('tell how a session began and ended', () => {
    expect(recorded('pi15', 'session_shutdown').map(readShutdownReason)).toEqual(
      expect.arrayContaining(['quit', 'fork', 'new', 'resume']),
    );
    expect(recorded('omp18', 'session_shutdown').map(readShutdownReason)).toEqual([null]);
    expect(beginsSession({ type: 'session_start', reason: 'fork' })).toBe(true);
    expect(beginsSession({ type: 'session_switch', reason: 'new' })).toBe(true);
    expect(beginsSession({ type: 'session_branch' })).toBe(true);
    expect(beginsSession({ type: 'session_start', reason: 'resume' })).toBe(false);
    expect(
      recorded('pi15', 'session_start')
        .filter(beginsSession)
        .map(({ reason }) => reason),
    ).toEqual(expect.arrayContaining(['new', 'fork']));
    expect(recorded('pi15', 'session_before_switch').some(beginsSession)).toBe(false);
  });

  it('of omp say whether the agent continues', () => {
    expect(recorded('omp18', 'agent_end').some(readWillContinue)).toBe(true);
    expect(recorded('pi073', 'agent_end').some(readWillContinue)).toBe(false);
  });

  it.each(Object.entries(readers))('do not trouble %s, whatever they hold', (_name, reader) => {
    for (const event of [
      undefined,
      null,
      7,
      'x',
      [],
      {},
      { reason: {}, toolCallId: '', compactionEntry: 7, aborted: 'yes' },
    ])
      reader(event);
  });
});
