/**
 * What the prompt cache saved, and what writing it cost, by the hosts' own figures: an estimate.
 * The price of input is what the input of the same model, provider and billing cost on average;
 * reads and writes are compared with it. Pure.
 *
 * Tokens are left out, and counted, where the host does not split the cost or no input was priced.
 */
import type { CacheFigures } from '@pi-ledger/contract/answers';
import { billings } from '@pi-ledger/contract/billings';
import { inTurns } from '../../timers/in-turns.ts';
import type { SumRow } from '../../views/views.ts';
import { exactCount } from './exact-count.ts';

/** What sums must be grouped by, beside their labels. */
export const cacheDimensions = ['provider', 'model', 'kind', 'costSource', 'billing'] as const;

export interface AnswerCache {
  readonly total: CacheFigures;
  /** It is for a few of the answer's sums: they are added up in one turn. */
  of(part: readonly SumRow[]): CacheFigures;
}

/** `sums`: those of a whole answer, whose prices hold for each part of it. */
export async function createCacheFigures(sums: readonly SumRow[]): Promise<AnswerCache> {
  const prices = await pricesIn(sums);
  const all = noTallies();
  await inTurns(sums, (sum) => addTo(all, sum, prices));
  return {
    total: figuresIn(all),
    of(part) {
      const tallies = noTallies();
      for (const sum of part) addTo(tallies, sum, prices);
      return figuresIn(tallies);
    },
  };
}

interface Price {
  readonly nanoUsd: bigint;
  readonly tokens: bigint;
}

type Prices = ReadonlyMap<string, Price>;

async function pricesIn(sums: readonly SumRow[]): Promise<Prices> {
  const prices = new Map<string, Price>();
  await inTurns(sums, (sum) => {
    if (!isSplit(sum)) return;
    const known = prices.get(modelOf(sum)) ?? { nanoUsd: 0n, tokens: 0n };
    prices.set(modelOf(sum), {
      nanoUsd: known.nanoUsd + of(sum, 'inputNanoUsd'),
      tokens: known.tokens + of(sum, 'inputTokens'),
    });
  });
  return prices;
}

interface Tally {
  saved: bigint;
  extra: bigint;
  leftOut: bigint;
  isKnown: boolean;
}

type Tallies = ReadonlyMap<string, Tally>;

function noTallies(): Tallies {
  const none = () => ({ saved: 0n, extra: 0n, leftOut: 0n, isKnown: false });
  return new Map(billings.map((billing) => [billing, none()]));
}

function addTo(tallies: Tallies, sum: SumRow, prices: Prices): void {
  const tally = tallies.get(sum.dimensions.billing ?? '');
  const [read, written] = [of(sum, 'cacheReadTokens'), of(sum, 'cacheWriteTokens')];
  if (tally === undefined || (read === 0n && written === 0n)) return;
  const price = isSplit(sum) ? prices.get(modelOf(sum)) : undefined;
  if (price === undefined || price.nanoUsd <= 0n || price.tokens <= 0n) {
    tally.leftOut += read + written;
    return;
  }
  tally.isKnown = true;
  tally.saved += atPrice(read, price) - of(sum, 'cacheReadNanoUsd');
  tally.extra += of(sum, 'cacheWriteNanoUsd') - atPrice(written, price);
}

function figuresIn(tallies: Tallies): CacheFigures {
  const figures = [...tallies].map(([billing, tally]) => [billing, figuresOf(tally)]);
  return Object.fromEntries(figures) as CacheFigures;
}

function figuresOf({ saved, extra, leftOut, isKnown }: Tally): CacheFigures['metered'] {
  const isUnknown = !isKnown && leftOut > 0n;
  return {
    readsSavedNanoUsd: isUnknown ? null : saved.toString(),
    writesExtraNanoUsd: isUnknown ? null : extra.toString(),
    leftOutTokens: exactCount(leftOut),
  };
}

/** To the nearest nano-dollar. */
function atPrice(tokens: bigint, price: Price): bigint {
  return (tokens * price.nanoUsd * 2n + price.tokens) / (2n * price.tokens);
}

function isSplit(sum: SumRow): boolean {
  const parts = ['inputNanoUsd', 'outputNanoUsd', 'cacheReadNanoUsd', 'cacheWriteNanoUsd'];
  return parts.some((name) => of(sum, name) > 0n);
}

function modelOf({ dimensions: { provider, model, billing } }: SumRow): string {
  return JSON.stringify([provider, model, billing]);
}

function of({ measures }: SumRow, name: string): bigint {
  return measures[name] ?? 0n;
}
