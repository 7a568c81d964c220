/** The command line on sessions with recorded, made-up and failed compactions. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { sessionFile } from '../../extension/support/sessions.ts';
import { eventsOfFile, Story } from '../answers/context/given.ts';
import { spendOf } from '../projections/support/given.ts';
import { type CommandLine, commandLineOn } from './command-line.ts';
import { compactedStory, large } from './compacted.ts';

export function compactedHome(directory: string): Promise<CommandLine> {
  const story = compactedStory({ id: 'shop-1' }).turn('t4', { ...large, cacheReadTokens: 8_000 });
  story.live('pi.compaction.failed.v1', {
    trigger: 'overflow',
    aborted: false,
    willRetry: true,
    durationMs: 61_000,
  });
  const summaryText = {
    text: '## Goal\n\tShip \u001b[31mit\u0007',
    truncated: true,
    redactions: 2,
  };
  story.compaction('shop-1-c3', {
    tokensBefore: 8_110,
    firstKeptEntryId: 't4',
    tokensAfterEstimated: 900,
    summaryText,
  });
  const unpriced = new Story('old-1').compaction('old-1-c1', {
    tokensBefore: 900,
    spend: spendOf({ costNanoUsd: null, costSource: 'unpriced' }),
  });
  unpriced.live('pi.compaction.timed.v1', {
    entryId: 'old-1-c1',
    trigger: null,
    willRetry: null,
    durationMs: 12,
  });
  const recorded = ['pi15/json-autocompact', 'pi15/rpc-tree'].flatMap((name) =>
    eventsOfFile(sessionFile(name)),
  );
  return commandLineOn(mkdtempSync(join(directory, 'cli-')), [
    ...recorded,
    ...unpriced.events,
    ...story.events,
  ]);
}
