import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auditOf } from '../../../../collector/queries/context/audit.ts';
import { cacheMissesOf } from '../../../../collector/queries/context/cache-misses.ts';
import { downSample } from '../../../../collector/queries/context/down-sample.ts';
import { createEntryTree, pathTo } from '../../../../collector/queries/context/entry-tree.ts';
import { forecastOf } from '../../../../collector/queries/context/forecast.ts';
import { largestResultsOf } from '../../../../collector/queries/context/largest-results.ts';
import { type Point, seriesOf } from '../../../../collector/queries/context/series.ts';
import { createThresholds } from '../../../../collector/queries/context/threshold.ts';
import { sessionFiles } from '../../../extension/support/sessions.ts';
import { eventsOfFile, factsOf, recordedFacts, Story } from './given.ts';
import { anyStory } from './stories.ts';

/** All that the computations say of a session. */
function answersOf(events: readonly LedgerEvent[], session = 's1') {
  const facts = factsOf(events, session);
  const tree = createEntryTree(facts);
  return [
    seriesOf(tree, facts, 'pi'),
    auditOf(tree, facts),
    cacheMissesOf(tree, facts.fixtures),
    largestResultsOf(tree, 5),
  ];
}

function seriesOfStory(story: Story, host: 'pi' | 'omp' = 'pi'): readonly Point[] {
  const facts = story.facts();
  return seriesOf(createEntryTree(facts), facts, host);
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
      // The window, and why a compaction was made, only the live host tells.
      const onlyLive = {
        threshold: null,
        untilThresholdTokens: null,
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

/** An entry's event, and what a live host says beside it. */
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

describe('a series', () => {
  it('knows the distance to the threshold from the window that the live host told', () => {
    const story = new Story()
      .user('u1')
      .turn('t1', { inputTokens: 100, cacheReadTokens: 900, outputTokens: 50, model: 'small' });
    expect(seriesOfStory(story)[0]).toMatchObject({ threshold: null, untilThresholdTokens: null });
    story.live('pi.context.sampled.v1', { ...sampled, windowTokens: 20_000 });
    const threshold = {
      windowTokens: 20_000,
      reserveTokens: 16_384,
      thresholdTokens: 3_616,
      source: 'default',
    };
    expect(seriesOfStory(story)[0]).toMatchObject({
      heldTokens: 1_050,
      threshold,
      untilThresholdTokens: 3_616 - 1_050,
    });
  });

  it('shows the host estimate right after a compaction where it gives one', () => {
    const story = new Story()
      .user('u1')
      .turn('t1', { inputTokens: 9_000 })
      .compaction('c1', { tokensBefore: 9_000 });
    expect(seriesOfStory(story).at(-1)).toMatchObject({
      kind: 'compaction',
      tokens: null,
      source: 'unknown',
    });
    story.live('pi.context.sampled.v1', {
      ...sampled,
      entryId: 'c1',
      tokens: 800,
      source: 'estimate',
    });
    expect(seriesOfStory(story).at(-1)).toMatchObject({ tokens: 800, source: 'estimate' });
  });

  it('takes the estimate on the entry before that of a live sample, as the audit does', () => {
    const story = new Story().user('u1').turn('t1', { inputTokens: 9_000 });
    story.compaction('c1', { tokensBefore: 9_000, tokensAfterEstimated: 700 });
    story.live('pi.context.sampled.v1', {
      ...sampled,
      entryId: 'c1',
      tokens: 800,
      source: 'estimate',
    });
    expect(seriesOfStory(story).at(-1)).toMatchObject({ tokens: 700, source: 'estimate' });
  });

  it('puts entries below such an entry under the last of simultaneous results', () => {
    const story = new Story()
      .user('u1')
      .turn('t1', {})
      .read('z', 'a.txt')
      .wait(-1)
      .read('a', 'b.txt')
      .hole('x1')
      .turn('t2', {});
    expect(pathTo(createEntryTree(story.facts()).leaf).map(({ fact }) => fact.id)).toEqual([
      'u1',
      't1',
      'z',
      'a',
      't2',
    ]);
  });

  it('goes on across entries that the ledger does not hold', () => {
    const story = new Story()
      .user('u1')
      .turn('t1', { inputTokens: 1_000 })
      .hole('x1')
      .read('r1', 'a.txt')
      .hole('x2')
      .user('u2')
      .hole('x3');
    story.turn('t2', { inputTokens: 1_400 });
    expect(seriesOfStory(story).at(-1)?.growthTokens).toBe(400);
    const facts = story.facts();
    expect(
      createEntryTree(facts).nodes.map(({ fact, parent }) => [fact.id, parent?.fact.id]),
    ).toEqual([
      ['u1', undefined],
      ['t1', 'u1'],
      ['r1', 't1'],
      ['u2', 'r1'],
      ['t2', 'u2'],
    ]);
  });
});

const sampled = {
  entryId: 't1',
  provider: 'anthropic',
  model: 'small',
  tokens: 1_050,
  windowTokens: 20_000,
  source: 'provider' as const,
  limitsSource: undefined,
  systemPromptChars: undefined,
  tools: undefined,
};

describe('the threshold', () => {
  const at = '2026-11-22T09:00:00.000Z';
  const window = (windowTokens: number) => [
    { provider: 'p', model: 'm', windowTokens, firstAt: at, lastAt: at },
  ];
  const asked = { time: at, provider: 'p', model: 'm' };

  it.each([
    ['pi', 200_000, 183_616],
    ['omp', 200_000, 170_000],
    ['omp', 100_000, 83_616],
    // 16,384 would leave less than 15 % of the window: 15 % are reserved.
    ['omp', 16_384, 13_927],
    ['pi', 10_000, 0],
  ] as const)(
    'of %s with a window of %i is %i by default',
    (host, windowTokens, thresholdTokens) => {
      expect(
        createThresholds({ windows: window(windowTokens), limits: [] }, host)(asked),
      ).toMatchObject({
        thresholdTokens,
        source: 'default',
      });
    },
  );

  it('is what the host says it is, and none where the user has turned compaction off', () => {
    const told = {
      time: at,
      windowTokens: 200_000,
      autoCompaction: true,
      thresholdTokens: 120_000,
      reserveTokens: 30_000,
      keepRecentTokens: 1,
    };
    const thresholdOf = (autoCompaction: boolean) =>
      createThresholds(
        { windows: window(200_000), limits: [{ ...told, autoCompaction, source: 'host' }] },
        'omp',
      )(asked);
    expect(thresholdOf(true)).toEqual({
      windowTokens: 200_000,
      reserveTokens: 30_000,
      thresholdTokens: 120_000,
      source: 'host',
    });
    expect(thresholdOf(false)?.thresholdTokens).toBeNull();
  });
});

describe('down-sampling', () => {
  const point = fc.record({
    kind: fc.constantFrom('turn', 'turn', 'turn', 'turn', 'compaction'),
    tokens: fc.option(fc.nat(1_000)),
  });

  it('keeps the first, the last, the lowest, the highest and every compaction, in order', () => {
    fc.assert(
      fc.property(
        fc.array(point, { minLength: 1, maxLength: 300, size: 'max' }),
        fc.integer({ min: 4, max: 60 }),
        (given, pointsMax) => {
          const points = given as unknown as Point[];
          const kept = downSample(points, pointsMax);
          const figures = (of: readonly Point[]) => of.flatMap(({ tokens }) => tokens ?? []);
          expect([kept[0], kept.at(-1)]).toEqual([points[0], points.at(-1)]);
          expect([Math.min(...figures(kept)), Math.max(...figures(kept))]).toEqual([
            Math.min(...figures(points)),
            Math.max(...figures(points)),
          ]);
          const compactions = (of: readonly Point[]) =>
            of.filter(({ kind }) => kind === 'compaction');
          expect(compactions(kept)).toEqual(compactions(points));
          expect(kept).toEqual(points.filter((each) => kept.includes(each)));
          expect(kept.length).toBeLessThanOrEqual(
            Math.max(pointsMax, compactions(points).length + 4),
          );
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('a forecast', () => {
  const grown = (tokens: readonly number[]) => {
    const story = new Story().user('u1');
    for (const [index, inputTokens] of tokens.entries())
      story.turn(`t${index}`, { inputTokens, model: 'small' });
    return forecastOf(
      seriesOfStory(story.live('pi.context.sampled.v1', { ...sampled, windowTokens: 20_000 })),
    );
  };

  it('says how many turns are left at the growth of the last ones', () => {
    expect(grown([600, 1_600, 2_600])).toEqual({ growthTokens: 1_000, turnsLeft: 2 });
  });

  it('says nothing before there are three answers, or where nothing grows', () => {
    expect(grown([600, 1_600])).toEqual({ growthTokens: null, turnsLeft: null });
    expect(grown([600, 600, 600]).turnsLeft).toBeNull();
  });
});

describe('cache misses', () => {
  const missAfter = (between: (story: Story) => unknown, model = 'small') => {
    const story = new Story().user('u1').turn('t1', { cacheReadTokens: 5_000, model: 'small' });
    between(story);
    const facts = story.turn('t2', { cacheReadTokens: 1_000, inputTokens: 3_000, model }).facts();
    return cacheMissesOf(createEntryTree(facts), facts.fixtures).map(({ reason, missedTokens }) => [
      reason,
      missedTokens,
    ]);
  };

  it('say why, as far as it is known', () => {
    expect(missAfter(() => undefined)).toEqual([['unknown', 3_000]]);
    expect(missAfter(() => undefined, 'large')).toEqual([['model', 3_000]]);
    expect(missAfter((story) => story.wait(400))).toEqual([['idle5min', 3_000]]);
    expect(missAfter((story) => story.wait(4_000))).toEqual([['idle1h', 3_000]]);
    expect(missAfter((story) => story.compaction('c1', {}))).toEqual([['compaction', 3_000]]);
    expect(
      missAfter((story) =>
        story.entry('pi.message.appended.v1', 'm1', { role: 'system', toolsAdded: 1 }),
      ),
    ).toEqual([['tools', 3_000]]);
    expect(missAfter((story) => story.entry('pi.branch.summarized.v1', 'b1', {}))).toEqual([
      ['branch', 3_000],
    ]);
  });

  it('are found in a recorded session where the model was changed', () => {
    const facts = recordedFacts('pi15/rpc-main/2026-11-21T21-13-45');
    const misses = cacheMissesOf(createEntryTree(facts), facts.fixtures);
    expect(misses).toEqual([
      expect.objectContaining({
        entryId: '7d447868',
        fromTokens: 5_000,
        toTokens: 0,
        missedTokens: 2_100,
        reason: 'model',
      }),
    ]);
  });
});

describe('the largest results', () => {
  it('come first, with their files, and say whether they are still sent', () => {
    const story = new Story()
      .user('u1')
      .turn('t1', {})
      .read('r1', 'a.txt', 4_000)
      .read('r2', 'b.txt', 400)
      .read('r3', 'c.txt', 40_000);
    story.compaction('c1', { firstKeptEntryId: 'r3' });
    expect(
      largestResultsOf(createEntryTree(story.facts()), 2).map(({ paths, tokens, isInContext }) => [
        paths,
        tokens,
        isInContext,
      ]),
    ).toEqual([
      [['c.txt'], 10_000, true],
      [['a.txt'], 1_000, false],
    ]);
  });
});
