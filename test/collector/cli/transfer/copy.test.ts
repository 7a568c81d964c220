import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { without } from '../../../../collector/cli/transfer/copy-store.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { exampleEvent, exampleEvents } from '../../support/events.ts';
import { openStoreToRead } from '../../support/open-store.ts';
import { copyUnderKills } from './kills.ts';
import {
  contentOf,
  copyBetween,
  fill,
  openToWrite,
  seal,
  tokenOf,
  withoutPositions,
} from './stores.ts';

const directory = temporaryDirectory();
let stores = 0;

function newStore(): string {
  stores += 1;
  return `sqlite:${join(directory, `${stores}.db`)}`;
}

async function filled(count = 2_500): Promise<string> {
  const store = newStore();
  await fill(store, count);
  return store;
}

describe('a copy of a store', () => {
  it('has the same events with times of receipt, dead letters, receipts and tokens', async () => {
    const [from, to] = [await filled(), newStore()];
    const result = await copyBetween(from, to);
    expect(result).toMatchObject({
      is: 'copied',
      eventsBefore: 0,
      deadLetters: { added: 5, known: 0 },
      receiptsAdded: 5,
    });
    expect(result).toMatchObject({
      tokens: { added: 2, revoked: 0, leftOut: 0 },
      source: { events: 2_506 },
      target: { events: 2_506 },
    });
    expect(await contentOf(to)).toEqual(await contentOf(from));
  });

  it('adds only what is new, and what was revoked since, when it is made again', async () => {
    const [from, to] = [await filled(10), newStore()];
    await copyBetween(from, to);
    const source = await openToWrite(from);
    await source.log.append({ receivedAtMs: 7, events: exampleEvents(100, 3), deadLetters: [] });
    await source.tokens.revoke(tokenOf(1).id, 9);
    const [letter] = await source.log.deadLetters(0, 1);
    await source.log.removeDeadLetters([letter?.id ?? 0]);
    await source.close();
    const result = await copyBetween(from, to);
    expect(result).toMatchObject({
      is: 'copied',
      eventsBefore: 16,
      target: { events: 19 },
      deadLetters: { added: 0, known: 4 },
    });
    expect(result).toMatchObject({ receiptsAdded: 0, tokens: { added: 0, revoked: 1 } });
    const [one, other] = [await contentOf(from), await contentOf(to)];
    expect({ ...other, deadLetters: [] }).toEqual({ ...one, deadLetters: [] });
    expect(await copyBetween(from, to)).toMatchObject({
      eventsBefore: 19,
      deadLetters: { added: 0 },
      tokens: { added: 0, revoked: 0 },
    });
  });

  it.each([
    ['another event', { number: 9_000 }, undefined],
    ['the same event in other words', { number: 3 }, 2],
  ])('leaves a target alone that has %s', async (_what, wish, spaces) => {
    const [from, to] = [await filled(10), newStore()];
    const target = await openToWrite(to);
    const events = [exampleEvent({ number: 1 }), exampleEvent({ number: 2 }), exampleEvent(wish)];
    const eventTexts = events.map((event, index) =>
      JSON.stringify(event, null, index === 2 ? spaces : undefined),
    );
    await target.log.append({
      receivedAtMs: Date.parse('2026-11-22T12:00:00.000Z'),
      events,
      eventTexts,
      deadLetters: [],
    });
    await target.close();
    const before = await contentOf(to);
    expect(await copyBetween(from, to)).toMatchObject({ is: 'other_events', position: 3 });
    expect(await contentOf(to)).toEqual(before);
  });

  it('leaves a target alone that has more than the source', async () => {
    const [from, to] = [await filled(10), await filled(11)];
    expect(await copyBetween(from, to)).toMatchObject({ is: 'other_events', position: 11 });
  });

  it('is made beside the collector that writes the source', async () => {
    const [from, to] = [newStore(), newStore()];
    const writing = await openToWrite(from);
    for (const first of [1, 21]) {
      await writing.log.append({
        receivedAtMs: first,
        events: exampleEvents(first, 20),
        deadLetters: [],
      });
      expect(await copyBetween(from, to)).toMatchObject({
        is: 'copied',
        eventsBefore: first - 1,
        target: { events: first + 19 },
      });
    }
    await writing.close();
  });

  it('never writes to its source', async () => {
    const from = await filled(10);
    const { log, close } = await openStoreToRead(from);
    await expect(
      log.append({ receivedAtMs: 1, events: exampleEvents(50, 1), deadLetters: [] }),
    ).rejects.toThrow();
    await close();
    await expect(openStoreToRead(newStore())).rejects.toMatchObject({
      code: 'store_missing',
    });
  });

  it('keeps what was sealed: the floor, and the parts where they stand now', async () => {
    const [from, to, there] = [newStore(), newStore(), newStore()];
    const { first, last, floorMs } = await seal(from, 20);
    expect(await copyBetween(from, to)).toMatchObject({ is: 'copied', isSealAdded: true });
    const content = await contentOf(from);
    expect(content.events[0]?.position).toBe(first);
    expect(withoutPositions(await contentOf(to))).toEqual(withoutPositions(content));
    const target = await openToWrite(to);
    expect(await target.log.history.seal()).toMatchObject({
      first: 1,
      last: last - first + 1,
      floorMs,
      superseded: null,
    });
    expect(
      await target.log.append({ receivedAtMs: 1, events: exampleEvents(3, 1), deadLetters: [] }),
    ).toMatchObject({ expired: 1 });
    await target.close();
    expect(await copyBetween(from, to)).toMatchObject({ is: 'copied', isSealAdded: false });
    // Events covered but not deleted yet, and the parts of the previous seal.
    await seal(from, 40, false);
    expect(await copyBetween(from, there)).toMatchObject({ is: 'copied', isSealAdded: true });
    for (const store of [from, there]) {
      const opened = await openToWrite(store);
      while ((await opened.log.history.expire(7)) > 0);
      await opened.close();
    }
    expect(withoutPositions(await contentOf(there))).toEqual(
      withoutPositions(await contentOf(from)),
    );
    expect(await copyBetween(from, to)).toMatchObject({ is: 'other_events' });
  });

  it('goes on after kill -9, wherever it was, and is whole in the end', async () => {
    const [from, to] = [await filled(30_000), newStore()];
    const phases = await copyUnderKills(from, to, 12, 70);
    expect([...phases]).toContain('copying');
    expect(await contentOf(to)).toEqual(await contentOf(from));
  });
});

describe('the ranges that are missing', () => {
  const range = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 5 }));
  const numbers = fc
    .array(range, { maxLength: 6 })
    .map((each) => each.flatMap(([first, more]) => sequence(first, first + more)));

  it('are those numbers that the others do not have', async () => {
    const { toRanges } = await import('../../../../collector/log/ranges.ts');
    fc.assert(
      fc.property(numbers, numbers, (all, taken) => {
        const left = without(toRanges(all), toRanges(taken)).flatMap(([first, last]) =>
          sequence(first, last),
        );
        expect(left).toEqual(
          [...new Set(all)].filter((number) => !taken.includes(number)).toSorted((a, b) => a - b),
        );
      }),
    );
  });
});

function sequence(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
