/** Timing of answers, limits in responses, and retries. */
import { describe, expect, it } from 'vitest';
import { drive } from '../support/driven-session.ts';
import { answer, toolCall, userSays } from '../support/fake-session.ts';
import { problemsOf } from '../support/schemas.ts';

const assistant = (timestamp: number, stopReason = 'stop') => ({
  message: { role: 'assistant', timestamp, stopReason },
});

describe('the recorder', () => {
  it('times an answer from its request, on a pi whose entries do not', () => {
    const { machine, fire, add, ask, said } = drive();
    const promptEntryId = ask();
    fire('turn_start');
    machine.nowMs += 190;
    const timestamp = machine.nowMs;
    machine.nowMs += 800;
    fire('message_start', { message: { role: 'user', timestamp: timestamp - 5 } });
    fire('after_provider_response', { status: 200, headers: {} });
    fire('message_start', assistant(timestamp));
    machine.nowMs += 3_000;
    const entryId = add(answer('r1', { timestamp, content: [toolCall('c1', 'bash')] }));
    fire('tool_execution_start', { toolCallId: 'c1', toolName: 'bash' });
    fire('turn_end');
    expect(said('pi.turn.timed.v1')).toEqual([
      {
        entryId,
        promptEntryId,
        provider: 'anthropic',
        model: 'claude',
        timeToFirstByteMs: 800,
        durationMs: 3_810,
        status: 200,
        outputTokens: 7,
      },
    ]);
  });

  it('leaves to the entry what the entry says', () => {
    const { machine, fire, add, ask, said } = drive();
    ask();
    fire('turn_start');
    const timestamp = machine.nowMs;
    machine.nowMs += 7;
    fire('message_start', assistant(timestamp, 'pending'));
    add(answer('r1', { timestamp, durationMs: 9 }));
    fire('turn_end');
    expect(said('pi.turn.timed.v1')).toMatchObject([
      { timeToFirstByteMs: 7, durationMs: null, status: null },
    ]);
  });

  it('has no first byte for an attempt that failed before, and times its retry separately', () => {
    const { machine, fire, add, ask, said } = drive();
    ask();
    for (const stopReason of ['error', 'stop']) {
      fire('turn_start');
      const timestamp = machine.nowMs;
      machine.nowMs += 40;
      fire('message_start', assistant(timestamp, stopReason));
      add(answer(stopReason, { timestamp, stopReason }));
      fire('turn_end');
    }
    expect(said('pi.turn.timed.v1')).toMatchObject([
      { entryId: 'e2', timeToFirstByteMs: null, durationMs: 50, outputTokens: null },
      { entryId: 'e3', timeToFirstByteMs: 40, durationMs: 50, outputTokens: 7 },
    ]);
  });

  it('never mixes up requests, and no clock stretches a turn', () => {
    const { machine, fire, add, ask, said } = drive();
    ask();
    add(answer('old', { timestamp: machine.nowMs }));
    fire('turn_start');
    fire('turn_end'); // the older answer is only seen now
    machine.nowMs += 20;
    fire('message_start', assistant(machine.nowMs + 86_400_000)); // set a day ahead
    machine.nowMs += 50;
    add(answer('r1', { timestamp: machine.nowMs - 50 + 86_400_000 }));
    fire('turn_end');
    expect(said('pi.turn.timed.v1')).toMatchObject([
      { entryId: 'e3', timeToFirstByteMs: 20, durationMs: 80 },
    ]);
  });

  it('records only responses with limits or errors, tied to the prompt', () => {
    const { fire, ask, said, machine } = drive();
    const promptEntryId = ask();
    fire('after_provider_response', {
      status: 200,
      headers: { 'x-request-id': 'req_1', 'content-type': 'text/event-stream' },
    });
    const recorded = fire('after_provider_response', {
      status: 200,
      headers: { 'x-ratelimit-remaining-requests': '99', 'x-request-id': 'req_S3CRET' },
    });
    fire('after_provider_response', {
      status: 429,
      headers: { 'retry-after': '2' },
      requestId: 'req_S3CRET',
    });
    fire('after_provider_response', { status: 'odd', headers: 'none' });
    // The prompt is in the spool while the model is still answering.
    expect(recorded.map(({ type }) => type)).toEqual([
      'pi.prompt.submitted.v1',
      'pi.response.received.v1',
    ]);
    const where = {
      leafEntryId: promptEntryId,
      promptEntryId,
      provider: 'anthropic',
      model: 'claude',
    };
    const requests = {
      window: 'requests',
      limit: null,
      remaining: 99,
      utilization: null,
      resetAtMs: null,
      status: null,
    };
    expect(said('pi.response.received.v1')).toEqual([
      { ...where, status: 200, retryAfterMs: null, limits: [requests] },
      { ...where, status: 429, retryAfterMs: 2_000, limits: [] },
    ]);
    expect(machine.events().flatMap(problemsOf)).toEqual([]);
    expect(JSON.stringify(machine.events())).not.toMatch(/S3CRET|req_/);
  });

  it("tells of omp's retries, without the provider's words", () => {
    const { machine, fire, add, ask, said } = drive({ hostName: 'omp', runEnd: 'agent_end' });
    const promptEntryId = ask();
    const failed = add(answer('f1', { stopReason: 'error' }));
    fire('auto_retry_start', {
      attempt: 1,
      maxAttempts: 3,
      delayMs: 82.7,
      errorMessage: '400 private words',
    });
    machine.nowMs += 90;
    const last = add(answer('r2'));
    fire('auto_retry_end', { success: true, attempt: 1, retryErrors: [{ note: 'private words' }] });
    fire('auto_retry_end', { success: false, attempt: 0, finalError: 'private words' });
    const where = { promptEntryId, provider: 'anthropic', model: 'claude' };
    expect(said('pi.retry.scheduled.v1')).toEqual([
      { ...where, leafEntryId: failed, attempt: 1, attemptsMax: 3, delayMs: 82.7 },
    ]);
    expect(said('pi.retry.ended.v1')).toEqual([
      { ...where, leafEntryId: last, attempts: 1, succeeded: true, durationMs: 100 },
      { ...where, leafEntryId: last, attempts: 0, succeeded: false, durationMs: null },
    ]);
    expect(machine.events().flatMap(problemsOf)).toEqual([]);
    expect(JSON.stringify(machine.events())).not.toContain('private words');
  });

  it('survives payloads that are none', () => {
    const { fire, add, process, machine } = drive();
    const hooks = [
      'turn_start',
      'message_start',
      'after_provider_response',
      'auto_retry_start',
      'auto_retry_end',
      'turn_end',
    ] as const;
    for (const payload of [
      null,
      7,
      'x',
      [],
      { message: 3, headers: [], status: Number.NaN, attempt: -1 },
    ]) {
      for (const hook of hooks) fire(hook, payload);
      add(userSays());
    }
    expect(process.drops.recordFailed).toBe(0);
    expect(machine.events().flatMap(problemsOf)).toEqual([]);
  });
});
