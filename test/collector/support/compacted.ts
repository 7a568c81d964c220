/**
 * A session with a regretted compaction, a failed one, and what the live host knows about both.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { Story } from '../answers/context/given.ts';

export interface CompactedOptions {
  readonly id: string;
  readonly project?: string;
  readonly user?: string;
  /** After 2026-11-22T09:00Z. */
  readonly secondsLater?: number;
  readonly parent?: string | null;
  readonly utcOffsetMinutes?: number;
}

export const large = {
  provider: 'anthropic',
  model: 'sonnet',
  inputTokens: 100,
  cacheReadTokens: 9_000,
  outputTokens: 10,
};
const small = {
  provider: 'anthropic',
  model: 'sonnet',
  inputTokens: 500,
  cacheReadTokens: 1_000,
  outputTokens: 10,
};

export function compactedStory(options: CompactedOptions): Story {
  const {
    id,
    project = 'shop',
    user = 'ada',
    secondsLater = 0,
    parent = null,
    utcOffsetMinutes = 0,
  } = options;
  const story = new Story(id);
  story.seconds = secondsLater;
  story.live('pi.session.attributed.v1', {
    project: { name: project, remote: null, branch: 'main', worktree: null },
    user,
    utcOffsetMinutes,
    agent: { kind: 'main', name: null },
    parentSessionId: parent,
  });
  story.user(`${id}-u1`, 400).turn(`${id}-t1`, large).read(`${id}-r1`, 'src/a.ts', 4_000);
  story.live('pi.context.sampled.v1', {
    entryId: `${id}-t1`,
    ...{
      provider: 'anthropic',
      model: 'sonnet',
      tokens: 9_110,
      windowTokens: 20_000,
      source: 'provider',
    },
    ...{ thresholdTokens: 12_000, reserveTokens: 8_000, limitsSource: 'host' },
  });
  story.live('pi.compaction.failed.v1', {
    trigger: 'manual',
    aborted: true,
    willRetry: false,
    durationMs: 300,
  });
  story.compaction(`${id}-c1`, {
    tokensBefore: 9_110,
    firstKeptEntryId: `${id}-t1`,
    fromExtension: false,
    filesRead: ['src/a.ts'],
  });
  story.live('pi.compaction.timed.v1', {
    entryId: `${id}-c1`,
    trigger: 'threshold',
    willRetry: false,
    durationMs: 2_500,
    instructionsChars: 0,
  });
  // The first compaction keeps the reading of src/a.ts; src/b.ts is new.
  story.turn(`${id}-t2`, small).read(`${id}-r2`, 'src/b.ts', 40);
  story.compaction(`${id}-c2`, {
    tokensBefore: 1_600,
    firstKeptEntryId: `${id}-r2`,
    filesRead: ['src/a.ts', 'src/b.ts'],
  });
  return story.turn(`${id}-t3`, small).read(`${id}-r3`, 'src/a.ts', 4_000);
}

export function compactedSession(options: CompactedOptions): readonly LedgerEvent[] {
  return compactedStory(options).events;
}
