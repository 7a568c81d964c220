/**
 * How a record is billed, and what its cost is, is decided once: whatever its sender says, whatever
 * the rules are, and whenever attributions come, all answers say the same of it.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../../../collector/main.ts';
import { attributed, event, spendOf } from '../../projections/support/given.ts';
import { get, ledgerHomes, post } from '../../support/ledger.ts';

const homes = ledgerHomes();
const session = 's1';
const providers = ['anthropic', 'openai'] as const;
const kinds = ['metered', 'subscription', 'unknown'] as const;

/** Senders may contradict themselves: unpriced with an amount, unreported with one. */
const sent = fc.record({
  provider: fc.constantFrom(...providers),
  reported: fc.boolean(),
  costNanoUsd: fc.option(fc.integer({ min: 0, max: 5_000_000_000 })),
  costSource: fc.constantFrom('provider', 'catalog', 'unpriced'),
});
const billed = fc.dictionary(
  fc.constantFrom(...providers),
  fc.constantFrom('metered', 'subscription'),
);
const given = fc.record({
  spends: fc.array(sent, { minLength: 1, maxLength: 6 }),
  /** In the minute before, between or after the records. */
  attributions: fc.array(fc.record({ minute: fc.nat({ max: 7 }), billing: billed }), {
    maxLength: 3,
  }),
  rules: billed,
  order: fc.infiniteStream(fc.nat()),
  cut: fc.nat({ max: 9 }),
});

function at(minute: number, second: number): string {
  return `2026-11-22T09:0${minute}:${String(second).padStart(2, '0')}.000Z`;
}

function shuffled(events: readonly LedgerEvent[], order: Iterator<number>): LedgerEvent[] {
  const left = [...events];
  return events.flatMap(() => left.splice((order.next().value ?? 0) % left.length, 1));
}

interface Said {
  readonly nanoUsd: Readonly<Record<string, string>>;
  readonly unpriced: number;
  readonly unreported: number;
}

interface Figures {
  readonly meteredNanoUsd: string;
  readonly subscriptionNanoUsd: string;
  readonly unknownBillingNanoUsd: string;
  readonly unpricedRecords: number;
  readonly unreportedRecords: number;
}

function ofFigures(row: Figures): Said {
  return said(
    {
      metered: row.meteredNanoUsd,
      subscription: row.subscriptionNanoUsd,
      unknown: row.unknownBillingNanoUsd,
    },
    row.unpricedRecords,
    row.unreportedRecords,
  );
}

/** A kind of billing without an amount is zero in one answer, and absent in another. */
function said(
  amounts: Readonly<Record<string, string | undefined>>,
  unpriced: number,
  unreported: number,
): Said {
  const nanoUsd = Object.fromEntries(kinds.map((kind) => [kind, amounts[kind] ?? '0']));
  return { nanoUsd, unpriced, unreported };
}

interface Item {
  readonly billing: string;
  readonly costNanoUsd: string | null;
  readonly costSource: string | null;
}

function ofItems(items: readonly Item[]): Said {
  const sums = new Map<string, bigint>();
  for (const { billing, costNanoUsd } of items)
    sums.set(billing, (sums.get(billing) ?? 0n) + BigInt(costNanoUsd ?? 0));
  const count = (source: string) => items.filter(({ costSource }) => costSource === source).length;
  const amounts = [...sums].map(([billing, sum]) => [billing, String(sum)]);
  return said(Object.fromEntries(amounts), count('unpriced'), count('unreported'));
}

describe('what is said of a record', () => {
  it('is the same in every answer', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(given, async ({ spends, attributions, rules, order, cut }) => {
        const events = shuffled(
          [
            ...spends.map((spend, index) =>
              event(
                'pi.turn.completed.v1',
                { at: at(index + 1, 30), session },
                {
                  entryId: `e${index}`,
                  parentEntryId: index === 0 ? null : `e${index - 1}`,
                  spend: spendOf(spend),
                },
              ),
            ),
            ...attributions.map(({ minute, billing }, index) =>
              attributed(at(minute, index), { billing }, session),
            ),
          ],
          order,
        );
        const config = homes.config();
        const none = { projects: [], billing: {}, labels: [] };
        const before = await openLedger({ ...config, rules: none });
        const first = events.slice(0, cut);
        if (first.length > 0) await post(before, first);
        await before.subscription.catchUp();
        await before.close();
        const ledger = await openLedger({ ...config, rules: { ...none, billing: rules } });
        try {
          await post(ledger, events);
          await ledger.subscription.catchUp();
          const ask = async (url: string) => (await get(ledger, url)).json();
          const [usage, one, rows, timeline, requests, agent] = await Promise.all([
            ask('/v1/usage?by=session'),
            ask(`/v1/sessions/${session}`),
            ask('/v1/usage/rows'),
            ask(`/v1/sessions/${session}/timeline`),
            ask('/v1/requests?limit=100'),
            ask(`/v1/agent?session=${session}&day=2026-11-22`),
          ]);
          const expected = ofFigures(usage.total);
          expect(ofFigures(one)).toEqual(expected);
          const { spent } = agent.session;
          expect(
            said(
              Object.fromEntries(kinds.map((kind) => [kind, spent[kind].nanoUsd])),
              kinds.reduce((sum, kind) => sum + spent[kind].unpricedRecords, 0),
              kinds.reduce((sum, kind) => sum + spent[kind].unreportedRecords, 0),
            ),
          ).toEqual(expected);
          expect(
            ofItems(
              rows.rows.map((row: { billing: string; nanoUsd: string }) => ({
                billing: row.billing,
                costNanoUsd: row.nanoUsd,
                costSource: null,
              })),
            ).nanoUsd,
          ).toEqual(expected.nanoUsd);
          const { costs, unpriced, unreported } = timeline;
          expect(said(costs, unpriced, unreported)).toEqual(expected);
          expect(ofItems(requests.rows)).toEqual(expected);
        } finally {
          await ledger.close();
        }
      }),
      { numRuns: 40, seed: 20_261_128, endOnFailure: true },
    );
  });
});
