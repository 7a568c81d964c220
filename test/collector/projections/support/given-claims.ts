/** Claims and accounts of subagents, as events. */
import type { EventData, LedgerEvent, Spend } from '@pi-ledger/contract';
import { expect } from 'vitest';
import { type Random, seededRandom } from '../../../../collector/cli/demo/random.ts';
import { usage } from '../../../../collector/projections/usage.ts';
import { sessions } from './bare-sessions.ts';
import { fold } from './fold.ts';
import { event, spendOf } from './given.ts';

export const at = '2026-11-22T10:00:00.000Z';

type Claimed = EventData<'pi.subagent.claimed.v1'>;

export const claim = (key: string, claimed: Spend, time = at, session = 's1'): LedgerEvent =>
  event('pi.subagent.claimed.v1', { at: time, session }, {
    key,
    claimed,
  } satisfies Partial<Claimed>);

export const answer = spendOf({
  inputTokens: 100,
  outputTokens: 20,
  cacheReadTokens: 300,
  cacheWriteTokens: 40,
  costNanoUsd: 5_000,
});

export const double = spendOf({
  inputTokens: 200,
  outputTokens: 40,
  cacheReadTokens: 600,
  cacheWriteTokens: 80,
  costNanoUsd: 10_000,
});

/** The whole session's row, checked in every order, from memory and reloaded. */
export function inAnyOrder(given: readonly LedgerEvent[]): Record<string, bigint> | undefined {
  const [first, ...others] = permutations(given).flatMap((events) => {
    const [kept, reloaded] = [fold(sessions, events), fold(sessions, events, { isReloaded: true })];
    expect(reloaded.documents()).toEqual(kept.documents());
    return [kept.rows(usage, 'kind').tool, reloaded.rows(usage, 'kind').tool];
  });
  for (const other of others) expect(other).toEqual(first);
  return first;
}

const everyOrderMax = 6;
const shuffles = 1_000;

/** Every order of a few items; of more, a thousand orders, always the same ones. */
export function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length > everyOrderMax) {
    const random = seededRandom(items.length);
    return [
      [...items],
      items.toReversed(),
      ...Array.from({ length: shuffles }, () => shuffled(items, random)),
    ];
  }
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const drawn = items.map((item) => ({ item, place: random.next() }));
  return drawn.toSorted((left, right) => left.place - right.place).map(({ item }) => item);
}
