/**
 * Rows of the recorded sessions, computed by hand from the session files (prices: the files' own
 * `cost` objects).
 */
import { describe, expect, it } from 'vitest';
import { auditOf, type SummaryRow } from '../../../../collector/answers/context/audit.ts';
import { createEntryTree } from '../../../../collector/answers/context/entry-tree.ts';
import { seriesOf } from '../../../../collector/answers/context/series.ts';
import { recordedFacts } from './given.ts';

function onlyRow(name: string): SummaryRow {
  const facts = recordedFacts(name);
  const rows = auditOf(createEntryTree(facts), facts, 'pi');
  expect(rows).toHaveLength(1);
  return rows[0] as SummaryRow;
}

/**
 * The following answers read 15,000 tokens from the cache for $0.0075: 500 each. Each of the seven
 * turns saved 7,500.
 */
const sevenTurns = { savedTokens: 52_500, savedNanoUsd: 26_250_000, rereadNanoUsd: 0 };

const afterBigAnswer = {
  kind: 'compaction',
  trigger: null,
  by: 'host',
  tokensBefore: 9_600,
  tokensAfterMeasured: 2_100,
  savedTokens: 7_500,
  durationMs: null,
  provider: 'fake-openai',
  model: 'fake-small',
  // 134 or 135 characters.
  summaryTokens: 34,
  // `SCN:big one`: 11 characters.
  dropped: { messages: 1, tokens: 3, parts: [{ kind: 'user', name: '', tokens: 3 }] },
  // The big answer, cut to 83 characters in the recording.
  kept: { messages: 1, tokens: 21, parts: [{ kind: 'assistantText', name: '', tokens: 21 }] },
  filesReadCount: 0,
  filesModifiedCount: 0,
  cacheMiss: null,
  regret: { reads: 0, tokens: 0, paths: [] },
  turnsAfter: 7,
};

describe('the row of a compaction that the threshold brought about', () => {
  it('of pi 1.5, which reports what the summary cost', () => {
    expect(onlyRow('pi15/json-autocompact')).toMatchObject({
      ...afterBigAnswer,
      entryId: 'a70dd6a6',
      time: '2026-11-21T21:13:27.955Z',
      tokensAfterEstimated: null,
      costNanoUsd: 2_360_000,
      costSource: 'host',
      net: { ...sevenTurns, netNanoUsd: 23_890_000, leavesOut: [] },
    });
  });

  it('of pi 0.73, which does not', () => {
    expect(onlyRow('pi073/json-autocompact')).toMatchObject({
      ...afterBigAnswer,
      entryId: '86566a37',
      tokensAfterEstimated: null,
      costNanoUsd: null,
      costSource: 'unreported',
      net: { ...sevenTurns, netNanoUsd: 26_250_000, leavesOut: ['summary'] },
    });
  });

  it('of omp 18, which names its method and estimates what is left', () => {
    expect(onlyRow('omp18/json-autocompact')).toMatchObject({
      ...afterBigAnswer,
      entryId: '8e64fe07',
      method: 'soft',
      tokensAfterEstimated: 4_550,
      costNanoUsd: null,
      costSource: 'unreported',
      net: { ...sevenTurns, netNanoUsd: 26_250_000, leavesOut: ['summary'] },
    });
  });
});

describe('the row of a compaction after an answer at its length limit (pi 1.5)', () => {
  it('kept nothing: the answer to keep was removed from the context before', () => {
    expect(onlyRow('pi15/json-length')).toMatchObject({
      entryId: '531cbd14',
      tokensBefore: 757,
      tokensAfterMeasured: 2_100,
      savedTokens: -1_343,
      costNanoUsd: 2_360_000,
      // `SCN:length go`: 13 characters. The system message is repeated; `Cut off` left with the
      // edit b177ac03.
      dropped: { messages: 1, tokens: 4, parts: [{ kind: 'user', name: '', tokens: 4 }] },
      kept: { messages: 0, tokens: 0 },
      turnsAfter: 1,
      // Nothing was read from the cache: 5,200,000 for the next answer's 2,100 tokens.
      net: { savedTokens: -1_343, savedNanoUsd: -3_325_524, netNanoUsd: -5_685_524, leavesOut: [] },
    });
  });
});

describe('the row of a compaction by hand (pi 1.5, rpc)', () => {
  it('splits what it dropped and kept by role, and shows that it did not pay', () => {
    const row = onlyRow('pi15/rpc-main/2026-11-21T21-13-45');
    expect(row).toMatchObject({
      entryId: 'ae968dc5',
      tokensBefore: 2_156,
      tokensAfterMeasured: 2_100,
      savedTokens: 56,
      filesRead: ['does-not-exist.txt', 'notes.txt'],
      filesModified: ['out.txt'],
      turnsAfter: 2,
      // 56 tokens, two turns, 500 each, minus the summary.
      net: { savedTokens: 112, savedNanoUsd: 56_000, netNanoUsd: -2_304_000 },
    });
    // One prompt, five answers, six tool results stand before the first kept entry; the system
    // message is repeated.
    expect(row.dropped.messages).toBe(12);
    expect(
      row.dropped.parts.filter(({ kind }) => kind === 'toolResults').map(({ name }) => name),
    ).toEqual(['read', 'edit', 'grep', 'bash', 'write']);
    // `All done.`, five prompts, four reported answers, two results, one shell command; the two
    // aborted attempts are not sent again.
    expect(row.kept.messages).toBe(13);
  });
});

describe('the row of a branch summary', () => {
  it.each([
    ['pi15/rpc-tree', '22e94b7f', 2_360_000],
    ['pi073/rpc-tree', '7b61d804', null],
    ['omp18/rpc-tree', 'f64c3f39', null],
  ])('tells of %s what was left behind', (name, id, costNanoUsd) => {
    const row = onlyRow(name);
    expect(row).toMatchObject({
      kind: 'branchSummary',
      entryId: id,
      // 150 + 55 + 5,000 + 300 of the branch's last answer.
      tokensBefore: 5_505,
      tokensAfterMeasured: 2_100,
      costNanoUsd,
      filesRead: ['does-not-exist.txt', 'notes.txt'],
      filesModified: ['out.txt'],
      turnsAfter: 1,
      net: null,
    });
    // One prompt, six answers, six tool results.
    expect(row.dropped.messages).toBe(13);
  });
});

describe('the series of a recorded session', () => {
  it('is the measured saw-tooth, without a figure right after the compaction', () => {
    const facts = recordedFacts('pi15/json-autocompact');
    const points = seriesOf(createEntryTree(facts), facts, 'pi');
    expect(points.map(({ tokens }) => tokens)).toEqual([
      9_000,
      null,
      2_100,
      2_100,
      1_410,
      2_420,
      3_430,
      4_440,
      5_450,
    ]);
    expect(points.map(({ source }) => source)).toEqual([
      'provider',
      'unknown',
      ...Array(7).fill('provider'),
    ]);
    expect(points.map(({ growthTokens }) => growthTokens)).toEqual([
      null,
      null,
      null,
      0,
      -690,
      1_010,
      1_010,
      1_010,
      1_010,
    ]);
  });

  it('puts an estimate where an attempt reported nothing', () => {
    const facts = recordedFacts('pi15/rpc-main/2026-11-21T21-13-45');
    const attempt = seriesOf(createEntryTree(facts), facts, 'pi').find(
      ({ entryId }) => entryId === 'b7fe2066',
    );
    // 2,150 after the previous answer, and a prompt of 14 characters.
    expect(attempt).toMatchObject({ tokens: 2_154, source: 'estimate', growthTokens: null });
  });
});
