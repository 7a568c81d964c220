/**
 * Tokens and costs on spans, added up as backends do it, against what the ledger counts for the
 * session files of real hosts.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import type { Attributes, SpanDraft } from '../../../../collector/exporters/traces/draft.ts';
import { get, ledgerHomes } from '../../support/ledger.ts';
import { recordedEvents, recordedHosts, spansOfAll } from './support/traced.ts';

const homes = ledgerHomes();

/** Dollars per million tokens, from the hosts' configuration when they were recorded. */
const prices: Readonly<Record<string, readonly [number, number, number, number]>> = {
  'fake-gpt': [2, 8, 0.5, 2.5],
  'fake-small': [2, 8, 0.5, 2.5],
  'fake-claude': [3, 15, 0.3, 3.75],
};

/** Sums by session and billing, of whole nano-dollars. */
function sumsOf(spans: readonly SpanDraft[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { attributes } of spans) {
    const usd = attributes['pi.cost.usd'];
    if (usd === undefined) continue;
    const key = `${attributes['gen_ai.conversation.id']} ${attributes['pi.billing']}`;
    sums.set(key, (sums.get(key) ?? 0) + nanoUsd(usd));
  }
  return sums;
}

function nanoUsd(usd: Attributes['pi.cost.usd']): number {
  return Math.round(Number(usd) * 1e9);
}

interface UsageRow {
  readonly session: string;
  readonly meteredNanoUsd: string;
  readonly subscriptionNanoUsd: string;
  readonly unknownBillingNanoUsd: string;
}

/** What the ledger counts, without what only claims of tools say. */
async function countedOf(events: readonly LedgerEvent[]): Promise<ReadonlyMap<string, number>> {
  const ledger = await homes.holding(events.filter(({ type }) => !claims.has(type)));
  const { rows } = (await get(ledger, '/v1/usage?by=session&limit=1000')).json();
  return new Map(
    rows.flatMap((row: UsageRow) => [
      ...entry(row.session, 'metered', row.meteredNanoUsd),
      ...entry(row.session, 'subscription', row.subscriptionNanoUsd),
      ...entry(row.session, 'unknown', row.unknownBillingNanoUsd),
    ]),
  );
}

const claims: ReadonlySet<string> = new Set(['pi.subagent.claimed.v1', 'pi.subagent.accounted.v1']);

function entry(session: string, billing: string, amount: string) {
  return amount === '0' ? [] : [[`${session} ${billing}`, Number(amount)] as const];
}

describe.each(recordedHosts)('spans of what %s recorded', (host) => {
  it('cost what the ledger counts, session by session, to the nano-dollar', async () => {
    const events = await recordedEvents(host);
    const counted = await countedOf(events);
    expect(counted.size).toBeGreaterThan(0);
    expect(sumsOf(spansOfAll(events))).toEqual(counted);
  });

  it('cost the same when their tokens are priced as the conventions read them', async () => {
    const spans = spansOfAll(await recordedEvents(host)).filter(
      ({ attributes }) => attributes['pi.cost.usd'] !== undefined,
    );
    expect(spans.length).toBeGreaterThan(0);
    for (const { attributes } of spans)
      expect(pricedAsConventions(attributes)).toBe(nanoUsd(attributes['pi.cost.usd']));
  });

  it('have no tokens and no cost where the host reported nothing', async () => {
    const unreported = spansOfAll(await recordedEvents(host)).filter(
      ({ attributes }) => attributes['pi.cost.source'] === 'unreported',
    );
    for (const { attributes } of unreported)
      expect(Object.keys(attributes).filter((name) => /usage|usd/.test(name))).toEqual([]);
  });
});

/** Langfuse and others: the cache's parts come out of the input, and each has its price. */
function pricedAsConventions(attributes: Attributes): number {
  const rates = prices[String(attributes['gen_ai.request.model'])];
  if (rates === undefined) throw new Error('no price for this model');
  const number = (name: keyof Attributes) => Number(attributes[name] ?? 0);
  const cacheRead = number('gen_ai.usage.cache_read.input_tokens');
  const cacheWrite = number('gen_ai.usage.cache_write.input_tokens');
  const input = number('gen_ai.usage.input_tokens') - cacheRead - cacheWrite;
  const tokens = [input, number('gen_ai.usage.output_tokens'), cacheRead, cacheWrite];
  return tokens.reduce((sum, count, index) => sum + count * (rates[index] ?? 0) * 1_000, 0);
}

describe('the span of a run', () => {
  it('has neither tokens, provider nor cost: its children do', async () => {
    const runs = spansOfAll(await recordedEvents('pi15')).filter(({ key }) => key === 'run');
    expect(runs.length).toBeGreaterThan(0);
    for (const { attributes } of runs)
      expect(Object.keys(attributes).filter((name) => /usage|usd|provider/.test(name))).toEqual([]);
  });
});
