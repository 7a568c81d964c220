import { describe, expect, it } from 'vitest';
import { auditOf } from '../../../../collector/answers/context/audit.ts';
import { createEntryTree } from '../../../../collector/answers/context/entry-tree.ts';
import { rowOf, rowsOf } from './audit-rows.ts';
import { factsOf, Story } from './given.ts';

const large = { inputTokens: 100, cacheReadTokens: 9_000, outputTokens: 10 };

const small = { inputTokens: 500, cacheReadTokens: 1_000, outputTokens: 10 };

describe('an audit row', () => {
  it('has the trigger, the duration and the instructions from the live host', () => {
    const story = new Story()
      .user('u1')
      .turn('t1', large)
      .compaction('c1', { tokensBefore: 9_110, firstKeptEntryId: 't1' });
    const withoutEntry = {
      trigger: 'overflow',
      willRetry: true,
      durationMs: 1_200,
      instructionsChars: 42,
    };
    const timed = { entryId: 'c1', ...withoutEntry };
    expect(rowOf(story, 'c1')).toMatchObject({
      trigger: null,
      durationMs: null,
      willRetry: null,
      instructionsChars: null,
    });
    expect(rowOf(story.live('pi.compaction.timed.v1', timed), 'c1')).toMatchObject(withoutEntry);
  });

  it('says that an extension made the summary, and not by which model', () => {
    const story = new Story()
      .user('u1')
      .turn('t1', large)
      .compaction('c1', { fromExtension: true });
    expect(rowOf(story, 'c1')).toMatchObject({
      by: 'extension',
      provider: '',
      model: '',
      costSource: 'unreported',
    });
  });

  it('of a compaction that is the last entry has nothing measured after it, and no net', () => {
    const story = new Story()
      .user('u1')
      .turn('t1', large)
      .compaction('c1', { tokensBefore: 9_110 });
    expect(rowOf(story, 'c1')).toMatchObject({
      tokensAfterMeasured: null,
      savedTokens: null,
      turnsAfter: 0,
      net: null,
      cacheMiss: null,
    });
  });

  it('takes the saving from the host estimate until an answer measures it', () => {
    const story = new Story()
      .user('u1')
      .turn('t1', large)
      .compaction('c1', { tokensBefore: 9_110, tokensAfterEstimated: 4_000 });
    expect(rowOf(story, 'c1').savedTokens).toBe(5_110);
    expect(rowOf(story.user('u2').turn('t2', small), 'c1').savedTokens).toBe(7_610);
  });

  it('counts the turns until the next compaction, of two in a row none', () => {
    const story = new Story().user('u1').turn('t1', large);
    story
      .compaction('c1', { tokensBefore: 9_110, firstKeptEntryId: 't1' })
      .compaction('c2', { tokensBefore: 4_000, firstKeptEntryId: 't1' });
    story
      .user('u2')
      .turn('t2', small)
      .turn('t3', small)
      .compaction('c3', { tokensBefore: 2_000, firstKeptEntryId: 't3' });
    story.user('u3').turn('t4', small);
    expect(['c1', 'c2', 'c3'].map((id) => rowOf(story, id).turnsAfter)).toEqual([0, 2, 1]);
    expect(['c1', 'c2', 'c3'].map((id) => rowOf(story, id).tokensAfterMeasured)).toEqual([
      null,
      1_500,
      1_500,
    ]);
    // The first summary went with the second compaction.
    expect(rowOf(story, 'c2').dropped.parts.map(({ kind }) => kind)).toContain('compactionSummary');
  });

  it('of an overflow with a retry leaves the failed attempt out of what was sent', () => {
    const story = new Story()
      .user('u1')
      .turn('t1', large)
      .turn('t2', { reported: false, inputTokens: 0 }, 4_000);
    story.compaction('c1', { tokensBefore: 9_110, firstKeptEntryId: 'u1' }).turn('t3', small);
    story.live('pi.compaction.timed.v1', { entryId: 'c1', trigger: 'overflow', willRetry: true });
    expect(rowOf(story, 'c1')).toMatchObject({
      trigger: 'overflow',
      willRetry: true,
      kept: { messages: 2, tokens: 20 },
      turnsAfter: 1,
    });
  });

  it('in the middle of a run keeps the tool result that the next answer is about', () => {
    const story = new Story()
      .user('u1')
      .turn('t1', large)
      .read('r1', 'a.txt', 4_000)
      .turn('t2', large)
      .read('r2', 'b.txt', 4_000);
    story.compaction('c1', { tokensBefore: 9_110, firstKeptEntryId: 't2' }).turn('t3', small);
    expect(rowOf(story, 'c1').kept.parts).toContainEqual({
      kind: 'toolResults',
      name: 'read',
      tokens: 1_000,
    });
    expect(rowOf(story, 'c1')).toMatchObject({
      dropped: { messages: 3 },
      kept: { messages: 2 },
      tokensAfterMeasured: 1_500,
    });
  });

  it('of a failed one stands between the others by time', () => {
    const story = new Story().user('u1').turn('t1', large);
    story.live('pi.compaction.failed.v1', {
      trigger: 'overflow',
      aborted: false,
      willRetry: true,
      durationMs: 950,
      instructionsChars: 0,
    });
    story.compaction('c1', { tokensBefore: 9_110 });
    expect(rowsOf(story).map(({ kind }) => kind)).toEqual(['failure', 'compaction']);
    expect(rowsOf(story)[0]).toMatchObject({
      session: 's1',
      trigger: 'overflow',
      willRetry: true,
      durationMs: 950,
    });
  });

  it('has the cache miss of the answer after it, and its cost', () => {
    const story = new Story().user('u1').turn('t1', {
      ...large,
      rawUsage: { cost: { input: 1e-7, cacheRead: 9e-7, cacheWrite: 0 } },
    });
    story.compaction('c1', { tokensBefore: 9_110 }).user('u2');
    story.turn('t2', {
      inputTokens: 1_500,
      cacheReadTokens: 0,
      rawUsage: { cost: { input: 1.5e-6, cacheRead: 0, cacheWrite: 0 } },
    });
    // 1,500 of 9,000 were sent anew, at 1 instead of 0.1 nano-dollars.
    const miss = {
      fromTokens: 9_000,
      toTokens: 0,
      missedTokens: 1_500,
      costNanoUsd: 1_350,
      reason: 'compaction',
    };
    expect(rowOf(story, 'c1').cacheMiss).toMatchObject(miss);
    // 7,610 tokens at 0.1.
    expect(rowOf(story, 'c1').net).toMatchObject({
      savedNanoUsd: 761,
      netNanoUsd: 761 - 1_350,
      leavesOut: ['summary'],
    });
  });
});

describe('a fork', () => {
  it('goes on from its ancestors entries, and measures its own compaction against them', () => {
    const parent = new Story('s1').user('u1').turn('t1', large).read('r1', 'a.txt');
    const fork = new Story('s2')
      .wait(60)
      .goTo('r1')
      .compaction('c1', { tokensBefore: 9_110 })
      .user('u2')
      .turn('t2', small)
      .read('r2', 'a.txt');
    parent.wait(120).turn('t9', large);
    const facts = factsOf(fork.events, 's2');
    const rows = auditOf(createEntryTree(facts, [parent.facts()]), facts, 'pi');
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      session: 's2',
      dropped: { messages: 3 },
      turnsAfter: 1,
      regret: { reads: 1 },
    });
    const own = parent.facts();
    expect(auditOf(createEntryTree(own), own, 'pi')).toEqual([]);
  });
});
