/** Answers do not depend on the order of events, nor on whether they were live or imported. */
import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auditOf } from '../../../../collector/answers/context/audit.ts';
import { cacheMissesOf } from '../../../../collector/answers/context/cache-misses.ts';
import { createEntryTree } from '../../../../collector/answers/context/entry-tree.ts';
import { largestResultsOf } from '../../../../collector/answers/context/largest-results.ts';
import { seriesOf } from '../../../../collector/answers/context/series.ts';
import { sessionFiles } from '../../../extension/support/sessions.ts';
import { eventsOfFile, factsOf, Story } from './given.ts';
import { sampled } from './sampled.ts';
import { anyStory } from './stories.ts';

/** Everything computed about a session. */
function answersOf(events: readonly LedgerEvent[], session = 's1') {
  const facts = factsOf(events, session);
  const tree = createEntryTree(facts);
  return [
    seriesOf(tree, facts, 'pi'),
    auditOf(tree, facts, 'pi'),
    cacheMissesOf(tree, facts.fixtures),
    largestResultsOf(tree, 5),
  ];
}

describe('whatever the order in which events arrived', () => {
  it('the answers are the same', () => {
    const twoOrders = anyStory.chain((story) =>
      fc.tuple(
        fc.constant(story),
        fc.shuffledSubarray(story.events, {
          minLength: story.events.length,
          maxLength: story.events.length,
        }),
      ),
    );
    fc.assert(
      fc.property(twoOrders, ([story, shuffled]) => {
        expect(answersOf(shuffled)).toEqual(answersOf(story.events));
      }),
      { numRuns: 100 },
    );
  });
});

describe('live and imported', () => {
  it.each(sessionFiles.map((file) => [file.name, file] as const))(
    'say the same as far as both know: %s',
    (_name, file) => {
      const imported = eventsOfFile(file);
      const live = imported.flatMap(withLive).reverse();
      const [series, audit, ...others] = answersOf(imported, file.header.id);
      const [liveSeries, liveAudit, ...liveOthers] = answersOf(live, file.header.id);
      expect(liveOthers).toEqual(others);
      // Only the live host reports the window and the reason of a compaction.
      const onlyLive = {
        threshold: null,
        untilThresholdTokens: null,
        thresholdTokens: null,
        timedId: null,
        trigger: null,
        durationMs: null,
        willRetry: null,
        instructionsChars: null,
      };
      const without = (rows: readonly object[] = []) =>
        rows.map((row) => ({ ...row, ...onlyLive }));
      expect(without(liveSeries)).toEqual(without(series));
      expect(without(liveAudit)).toEqual(without(audit));
    },
  );
});

/** An entry's event, with what a live host reports beside it. */
function withLive(entry: LedgerEvent): LedgerEvent[] {
  const story = new Story(entry.subject);
  const place = 'entryId' in entry.data ? entry.data.entryId : null;
  if (entry.type === 'pi.turn.completed.v1') {
    const { provider, model } = entry.data.spend;
    story.live('pi.context.sampled.v1', { ...sampled, entryId: place, provider, model });
  }
  if (entry.type === 'pi.compaction.completed.v1') {
    story.live('pi.compaction.timed.v1', { entryId: place, trigger: 'threshold' });
    story.live('pi.context.sampled.v1', {
      ...sampled,
      entryId: place,
      tokens: null,
      source: 'unknown',
    });
  }
  return [entry, ...story.events.map((live) => ({ ...live, time: entry.time }))];
}
