/**
 * Tokens and costs on spans, added up as backends do it, against what the ledger counts for the
 * session files of real hosts.
 */
import { join } from 'node:path';
import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import type { SpanAttributes, SpanDraft } from '../../../../collector/exporters/traces/draft.ts';
import { pi } from '../../../../collector/importers/pi/importer.ts';
import { createImports } from '../../importers/support/imports.ts';
import { get, ledgerHomes } from '../../support/ledger.ts';
import { recordedEvents, recordedHosts, spansOfAll } from './support/traced.ts';

const homes = ledgerHomes();

const corpusCases = join(import.meta.dirname, '..', '..', '..', 'accounting-corpus', 'cases');

interface Prices {
  readonly input: number;
  readonly output: number;
  readonly output_reasoning_tokens: number;
  readonly input_cached_tokens: number;
  readonly input_cache_creation: number;
  readonly input_cache_creation_1h: number;
}

/** As Langfuse's price lists name them; what is kept for an hour costs twice the input. */
function pricesOf(input: number, output: number, read: number, write: number): Prices {
  return {
    ...{ input, output, output_reasoning_tokens: output, input_cached_tokens: read },
    ...{ input_cache_creation: write, input_cache_creation_1h: 2 * input },
  };
}

/** Dollars per million tokens, from the hosts' configuration when they were recorded. */
const prices: Readonly<Record<string, Prices>> = {
  'fake-gpt': pricesOf(2, 8, 0.5, 2.5),
  'fake-small': pricesOf(2, 8, 0.5, 2.5),
  'fake-claude': pricesOf(3, 15, 0.3, 3.75),
  'claude-sonnet-4-5': pricesOf(3, 15, 0.3, 3.75),
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

function nanoUsd(usd: SpanAttributes['pi.cost.usd']): number {
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

it('cache writes that are kept for an hour have their own price', async () => {
  const imports = createImports(pi, join(corpusCases, 'cache-1h', 'home/.pi/agent/sessions'));
  await imports.scan();
  const [span] = spansOfAll([...imports.events.values()]).filter(({ key }) => key === 'chat');
  expect(span?.attributes).toMatchObject({
    'gen_ai.usage.input_tokens': 2_100,
    'gen_ai.usage.cache_write.input_tokens': 2_000,
    'pi.usage.cache_write_1h.input_tokens': 1_500,
    'pi.cost.usd': 0.012675,
  });
  expect(pricedAsConventions(span?.attributes ?? {})).toBe(12_675_000);
});

/**
 * As Langfuse does it: what is a part of the input or the output comes out of it, and each kind of
 * token has its price.
 */
function pricedAsConventions(attributes: SpanAttributes): number {
  const rates = prices[String(attributes['gen_ai.request.model'])];
  if (rates === undefined) throw new Error('no price for this model');
  const tokens = kindsOf(attributes);
  return Object.entries(rates).reduce(
    (sum, [kind, usd]) => sum + (tokens.get(kind) ?? 0) * usd * 1_000,
    0,
  );
}

function kindsOf(attributes: SpanAttributes): ReadonlyMap<string, number> {
  const number = (name: keyof SpanAttributes) => Number(attributes[name] ?? 0);
  const read = number('gen_ai.usage.cache_read.input_tokens');
  const written = number('gen_ai.usage.cache_write.input_tokens');
  const forAnHour = number('pi.usage.cache_write_1h.input_tokens');
  const reasoning = number('gen_ai.usage.reasoning.output_tokens');
  return new Map([
    ['input', number('gen_ai.usage.input_tokens') - read - written],
    ['input_cached_tokens', read],
    ['input_cache_creation', written - forAnHour],
    ['input_cache_creation_1h', forAnHour],
    ['output', number('gen_ai.usage.output_tokens') - reasoning],
    ['output_reasoning_tokens', reasoning],
  ]);
}

describe('the span of a run', () => {
  it('has neither tokens, provider nor cost: its children do', async () => {
    const runs = spansOfAll(await recordedEvents('pi15')).filter(({ key }) => key === 'run');
    expect(runs.length).toBeGreaterThan(0);
    for (const { attributes } of runs)
      expect(Object.keys(attributes).filter((name) => /usage|usd|provider/.test(name))).toEqual([]);
  });
});
