/** Compactions as hosts report them, driven by hand. The recordings show the real hooks. */
import { describe, expect, it } from 'vitest';
import { drive } from '../support/driven-context.ts';

describe('a compaction', () => {
  it('tells how long its instructions were and who made the summary, and no word of them', () => {
    const { machine, fire, said, compact } = drive();
    fire('session_before_compact', {
      reason: 'manual',
      customInstructions: 'keep the secret plan',
    });
    compact({ reason: 'manual', willRetry: false, fromExtension: true });
    expect(said('pi.compaction.timed.v1')).toMatchObject([
      { trigger: 'manual', instructionsChars: 20, fromExtension: true, durationMs: 910 },
    ]);
    expect(JSON.stringify(machine.events())).not.toContain('secret plan');
  });

  it('is tied to the entry just made, even if the host names an earlier, equal one', () => {
    const { fire, said, compact } = drive();
    compact({ reason: 'threshold' });
    compact({ reason: 'threshold', compactionEntry: { id: 'e1' } });
    fire('session_shutdown', { reason: 'quit' });
    expect(said('pi.compaction.timed.v1').map(({ entryId }) => entryId)).toEqual(['e1', 'e2']);
  });

  it('has no instructions if the host says so; unknown if it says nothing', () => {
    const { fire, said, compact } = drive();
    fire('session_before_compact', { customInstructions: undefined });
    compact();
    compact();
    const [first, second] = said('pi.compaction.timed.v1');
    expect(first).toMatchObject({ trigger: null, instructionsChars: 0 });
    expect(second).not.toHaveProperty('instructionsChars');
    expect(second).toMatchObject({ durationMs: null });
  });

  it('that failed tells the same', () => {
    const { fire, said } = drive();
    fire('session_before_compact', { reason: 'manual', customInstructions: 'four' });
    fire('session_compact_failed', {
      reason: 'manual',
      aborted: true,
      willRetry: false,
      fromExtension: false,
      errorMessage: 'x',
    });
    expect(said('pi.compaction.failed.v1')).toEqual([
      {
        trigger: 'manual',
        aborted: true,
        willRetry: false,
        durationMs: 0,
        instructionsChars: 4,
        fromExtension: false,
      },
    ]);
  });

  it('of pi 0.73 counts as failed, at its start, if it has not ended by the next prompt', () => {
    const { machine, fire, said, compact } = drive({ runEnd: 'unreported' });
    const startedMs = machine.nowMs;
    fire('session_before_compact', { customInstructions: undefined });
    machine.nowMs += 5_000;
    fire('before_agent_start');
    fire('before_agent_start');
    expect(said('pi.compaction.failed.v1')).toEqual([
      { trigger: null, aborted: false, willRetry: null, durationMs: null, instructionsChars: 0 },
    ]);
    expect(machine.events().find(({ type }) => type === 'pi.compaction.failed.v1')?.time).toBe(
      new Date(startedMs).toISOString(),
    );
    fire('session_before_compact', {});
    compact();
    fire('before_agent_start');
    expect(said('pi.compaction.failed.v1')).toHaveLength(1);
  });

  it('that goes on when the session ends has failed', () => {
    const { fire, said } = drive();
    fire('session_before_compact', { reason: 'threshold' });
    fire('before_agent_start');
    expect(said('pi.compaction.failed.v1')).toEqual([]);
    fire('session_shutdown', { reason: 'quit' });
    expect(said('pi.compaction.failed.v1')).toMatchObject([
      { trigger: 'threshold', durationMs: null },
    ]);
  });
});

describe('a compaction of omp', () => {
  const omp = { hostName: 'omp', runEnd: 'agent_end' } as const;

  it('if automatic, has the announced trigger, and lasts from the announcement', () => {
    const { machine, fire, said, compact } = drive(omp);
    fire('auto_compaction_start', { reason: 'threshold', action: 'context-full' });
    machine.nowMs += 100;
    fire('session.compacting', { sessionId: 's1', messages: [] });
    compact({ fromExtension: false });
    compact({ fromExtension: false });
    fire('auto_compaction_end', { result: {}, aborted: false, willRetry: false });
    expect(said('pi.compaction.timed.v1')).toMatchObject([
      { trigger: 'threshold', durationMs: 1_010, instructionsChars: 0 },
      { trigger: 'threshold', durationMs: null },
    ]);
  });

  it('requested by the user is manual, and lasts from the start of the summary', () => {
    const { fire, said, compact } = drive(omp);
    fire('auto_compaction_start', { reason: 'idle' });
    fire('auto_compaction_end', { result: undefined, skipped: true, aborted: false });
    fire('session.compacting', {});
    compact();
    expect(said('pi.compaction.timed.v1')).toMatchObject([{ trigger: 'manual', durationMs: 910 }]);
    expect(said('pi.compaction.timed.v1')[0]).not.toHaveProperty('instructionsChars');
  });

  it('prepared in the background but never made is no failure', () => {
    const { fire, said } = drive(omp);
    fire('session.compacting', {});
    fire('session_shutdown', {});
    expect(said('pi.compaction.failed.v1')).toEqual([]);
  });
});
