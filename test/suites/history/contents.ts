/** The contents of a log, by the numbers of the story's events. */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { Log } from '../../../collector/log/log.ts';
import { numberOf } from './told.ts';

/** Shuffles by a seed, so that positions say nothing of time. */
export function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const keyed = items.map((item, index) => ({
    item,
    key: ((index + 1) * 7_919 * (seed + 2)) % 10_007,
  }));
  return keyed.toSorted((left, right) => left.key - right.key).map(({ item }) => item);
}

async function readAll(log: Log) {
  const stored = [];
  for (let after = 0; ; ) {
    const read = await log.read(after, 500);
    if (read.length === 0) return stored;
    stored.push(...read);
    after = read.at(-1)?.position ?? after;
  }
}

/** The numbers of the story's events in the log. */
export async function told(log: Log): Promise<number[]> {
  const events = (await readAll(log))
    .map(({ event }) => event)
    .filter(({ type }) => type !== 'pi.history.sealed.v1');
  return events.map(({ id }) => numberOf(id)).toSorted((left, right) => left - right);
}

export async function partsIn(log: Log): Promise<LedgerEvent<'pi.history.sealed.v1'>[]> {
  return (await readAll(log))
    .map(({ event }) => event)
    .filter((event) => event.type === 'pi.history.sealed.v1');
}

export function numbersFrom(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
