/**
 * Views and reconcile count subagents' claims with independent code. They must agree on any events.
 */

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../../collector/config/config.ts';
import { openLedger } from '../../../../collector/main.ts';
import { reconcile } from '../../../../collector/reconcile/reconcile.ts';
import { exampleSpend } from '../../../../contract/spend.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { exampleEvent } from '../../support/events.ts';
import { searchesIn } from '../support/read-facts.ts';

const directory = temporaryDirectory();
const empty = mkdtempSync(join(directory, 'no-sessions-'));

const responseKey = (number: number) => `response:${String(number).padStart(16, '0')}`;
const tokens = fc.integer({ min: 0, max: 3 });

const spend = fc
  .record({
    input: tokens,
    output: tokens,
    reasoning: tokens,
    price: fc.option(fc.integer({ min: 0, max: 30 })),
    source: fc.constantFrom('catalog', 'provider'),
  })
  .map(({ input, output, reasoning, price, source }) => ({
    ...exampleSpend,
    provider: 'p',
    model: 'm',
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: Math.min(reasoning, output),
    reported: input + output > 0 || (price ?? 0) > 0,
    costNanoUsd: input + output > 0 || (price ?? 0) > 0 ? price : null,
    costSource: price === null ? 'unpriced' : source,
    rawUsage: { input, output },
  }));

/** Equal response keys mean equal answers. */
const answers = Array.from({ length: 4 }, (_, number) => ({
  ...exampleOfAnswer(number + 1),
  key: responseKey(number),
}));

function exampleOfAnswer(number: number) {
  const [sample] = fc.sample(spend, { numRuns: 1, seed: number });
  return { spend: sample };
}

const sumKey = fc.constantFrom('agent:A', 'turn:t1', 'turn:t2');
const minute = fc.integer({ min: 0, max: 3 });

type Made = Readonly<Record<string, unknown>>;

const claimed = fc.oneof(
  fc.record({ key: sumKey, claimed: spend }),
  fc.constantFrom(...answers).map(({ key, spend: said }) => ({ key, claimed: said })),
);
const accounted = fc.oneof(
  fc.record({ keys: fc.tuple(sumKey), accounted: spend }),
  fc
    .tuple(fc.constantFrom(...answers), fc.option(fc.constantFrom('turn:t1')))
    .map(([{ key, spend: said }, turn]) => ({
      keys: turn === null ? [key] : [turn, key],
      accounted: said,
    })),
);
const tool = fc.record({ spend, turnEntryId: fc.constantFrom('t1', 't2', null) });

type Step = readonly [type: LedgerEvent['type'], data: Made, minute: number];

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.constant('pi.subagent.claimed.v1' as const), claimed as fc.Arbitrary<Made>, minute),
  fc.tuple(
    fc.constant('pi.subagent.accounted.v1' as const),
    accounted as fc.Arbitrary<Made>,
    minute,
  ),
  fc.tuple(fc.constant('pi.tool.completed.v1' as const), tool as fc.Arbitrary<Made>, minute),
  fc.tuple(
    fc.constant('pi.turn.completed.v1' as const),
    spend.map((said) => ({ spend: said })) as fc.Arbitrary<Made>,
    minute,
  ),
);

const inputOf = (inputTokens: number, costNanoUsd: number | null) => ({
  ...exampleSpend,
  inputTokens,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  costNanoUsd,
  costSource: costNanoUsd === null ? 'unpriced' : 'catalog',
  rawUsage: { input: inputTokens },
});

/** Two claims of one time and key, of which one has a price; which is covered was not agreed. */
const halfPriced: Step[] = [
  ['pi.tool.completed.v1', { spend: inputOf(1, null), turnEntryId: 't1' }, 3],
  [
    'pi.subagent.accounted.v1',
    { keys: ['turn:t1', responseKey(0)], accounted: inputOf(2, null) },
    0,
  ],
  ['pi.subagent.claimed.v1', { key: 'turn:t1', claimed: inputOf(2, 0) }, 3],
];

describe('views and reconcile', () => {
  it('count the same of any claims and accounts, in any order', async () => {
    const story = fc.array(step, { minLength: 1, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(story, async (steps) => {
        const ledger = await openLedger(
          loadCollectorConfig({
            PI_LEDGER_HOME: mkdtempSync(join(directory, 'home-')),
            HOME: directory,
          }),
        );
        try {
          const events = steps.map(([type, data, at], index) =>
            exampleEvent({
              number: index + 1,
              sequence: 0,
              type,
              subject: 'parent',
              time: `2026-11-22T09:0${at}:00.000Z`,
              data: { ...data, entryId: `e${index}` },
            }),
          );
          const { accepted } = await ledger.ingest.accept(
            events,
            events.map((event) => JSON.stringify(event)),
          );
          expect(accepted).toBe(events.length);
          await ledger.subscription.catchUp();
          const ask = async (url: string) =>
            (await ledger.app.inject({ url, headers: { host: 'localhost' } })).json();
          const found = await reconcile({
            searches: searchesIn(empty),
            ask,
            nowMs: Date.now(),
            hasChanged: () => false,
          });
          const reasons = [
            ...found.overall,
            ...found.sessions.flatMap(({ differences }) => differences),
          ].map(({ reason }) => reason);
          expect(reasons.filter((reason) => reason === 'view_differs')).toEqual([]);
          expect(found.totals.inLog).toEqual(found.totals.inViews);
        } finally {
          await ledger.close();
        }
      }),
      { numRuns: 60, examples: [[halfPriced]] },
    );
  });
});
