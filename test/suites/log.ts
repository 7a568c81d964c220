/** What every implementation of Log must do (collector/log/log.ts). */
import type { LedgerEvent } from '@pi-ledger/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { createIngest } from '../../collector/ingest/ingest.ts';
import type { Log } from '../../collector/log/log.ts';
import { exampleEvent, exampleEvents } from '../collector/support/events.ts';
import { describeModel } from './log/model.ts';
import {
  batchOf,
  byId,
  expectGapless,
  type LogUnderTest,
  letter,
  readAll,
  receivedAtMs,
} from './log/stored.ts';
import { describeWithdrawals } from './log/withdrawals.ts';

export type { LogUnderTest };

export function logSuite(name: string, open: () => Promise<LogUnderTest>): void {
  const opened: Log[] = [];
  const openLog = async (): Promise<LogUnderTest> => {
    const { log, reopen } = await open();
    opened.push(log);
    const reopenAndKeep = async () => {
      const again = await reopen();
      opened.push(again);
      return again;
    };
    return { log, reopen: reopenAndKeep };
  };

  afterEach(async () => {
    await Promise.allSettled(opened.splice(0).map((log) => log.close()));
  });

  describe(`log: ${name}`, () => {
    describeWithdrawals(openLog);

    it('is empty at first', async () => {
      const { log } = await openLog();
      expect(await readAll(log)).toEqual([]);
      expect(await log.head()).toBe(0);
      expect(await log.receipts()).toEqual([]);
      expect(await log.deadLetters(0, 10)).toEqual([]);
    });

    it('returns events unchanged, in order, with positions from 1 without gaps', async () => {
      const { log } = await openLog();
      const events = exampleEvents(1, 5);
      expect(await log.append(batchOf(events))).toEqual({ appended: 5, duplicates: 0 });
      const stored = await readAll(log);
      expect(stored.map(({ event }) => event).toSorted(byId)).toEqual(events);
      expectGapless(stored);
      expect(stored.every((each) => each.receivedAtMs === receivedAtMs)).toBe(true);
    });

    it('stores texts as they came where the caller hands them over', async () => {
      const { log, reopen } = await openLog();
      const event = exampleEvent({ number: 1 });
      await log.append({ ...batchOf([event]), eventTexts: [JSON.stringify(event, null, 2)] });
      await log.close();
      const again = await reopen();
      const [stored] = await readAll(again);
      expect(stored?.event).toEqual(event);
      const texts = [
        { position: 1, receivedAtMs, eventId: event.id, text: JSON.stringify(event, null, 2) },
      ];
      expect(await again.readTexts(0, 10)).toEqual(texts);
    });

    it('ends a read with the item that makes it long enough, and goes on after it', async () => {
      const { log, reopen } = await openLog();
      const events = exampleEvents(1, 7);
      await log.append({
        ...batchOf(events),
        deadLetters: [1, 2, 3, 4, 5].map(() => letter('x'.repeat(100))),
      });
      for (const open of [async () => log, () => log.close().then(reopen)]) {
        const each = await open();
        const texts = await each.readTexts(0, 10);
        const [one = 0, two = 0] = texts.map(({ text }) => text.length);
        expect(await each.readTexts(0, 10, 1)).toEqual(texts.slice(0, 1));
        expect(await each.readTexts(0, 10, one)).toEqual(texts.slice(0, 1));
        expect(await each.readTexts(0, 10, one + 1)).toEqual(texts.slice(0, 2));
        expect(await each.readTexts(1, 3, 1_000_000)).toEqual(texts.slice(1, 4));
        expect(await each.readTexts(0, 10, one + two + 1)).toEqual(texts.slice(0, 3));
        expect(await each.readTexts(7, 10, 1)).toEqual([]);
        const positions = async (...asked: Parameters<Log['read']>) =>
          (await each.read(...asked)).map(({ position }) => position);
        expect(await positions(0, 10, one + 1)).toEqual([1, 2]);
        expect(await positions(0, 10, 1)).toEqual([1]);
        expect(await positions(1, 3, 1_000_000)).toEqual([2, 3, 4]);
        const below = async (charsMax?: number) =>
          (await each.history.below(receivedAtMs * 2, 100, '', 10, charsMax)).map(
            ({ event }) => event.id,
          );
        const ids = await below();
        expect(ids).toHaveLength(7);
        expect(await below(1)).toEqual(ids.slice(0, 1));
        expect(
          await below((texts.find(({ eventId }) => eventId === ids[0])?.text.length ?? 0) + 1),
        ).toEqual(ids.slice(0, 2));
        const letters = await each.deadLetters(0, 10);
        expect(letters).toHaveLength(5);
        expect(await each.deadLetters(0, 10, 1)).toEqual(letters.slice(0, 1));
        expect(await each.deadLetters(letters[0]?.id ?? 0, 10, 101)).toEqual(letters.slice(1, 3));
        expect(await each.deadLetters(0, 4, 1_000)).toEqual(letters.slice(0, 4));
      }
    });

    it('says whose its events were said to be when they came, of those that it has', async () => {
      const { log } = await openLog();
      const [certain, named] = [
        exampleEvent({ number: 1, subject: 'a' }),
        { ...exampleEvent({ number: 2, subject: 'b' }), ownership: 'named' as const },
      ];
      await log.append(batchOf([certain, named]));
      await log.append(batchOf([{ ...certain, subject: 'c' }]));
      const owners = await log.owners([named.id, certain.id, exampleEvent({ number: 3 }).id]);
      expect(owners.toSorted((x, y) => (x.eventId < y.eventId ? -1 : 1))).toEqual([
        { eventId: certain.id, subject: 'a', ownership: null },
        { eventId: named.id, subject: 'b', ownership: 'named' },
      ]);
      expect(await log.owners([])).toEqual([]);
    });

    it('has an entry moved to the better owner, whoever is heard of first', async () => {
      const said = [
        { ...exampleEvent({ number: 1, subject: 'b' }), ownership: 'assumed' as const },
        { ...exampleEvent({ number: 1, subject: 'c' }), ownership: 'named' as const },
        exampleEvent({ number: 1, subject: 'd' }),
        exampleEvent({ number: 1, subject: 'a' }),
      ];
      for (const order of [
        said,
        said.toReversed(),
        [said[2], said[0], said[3], said[1]].flatMap((each) => each ?? []),
      ]) {
        const { log } = await openLog();
        const ingest = createIngest({ log, now: () => receivedAtMs, onAppended: () => undefined });
        for (const event of [...order, ...order]) await ingest.accept([event]);
        const counts = new Map<string, number>();
        for (const { event } of await readAll(log))
          counts.set(event.subject, (counts.get(event.subject) ?? 0) + timesCounted(event));
        expect([...counts].filter(([, count]) => count !== 0)).toEqual([['a', 1]]);
      }
    });

    it('reads texts by position as it reads events', async () => {
      const { log } = await openLog();
      const events = exampleEvents(1, 7);
      await log.append(batchOf(events));
      const read = await log.readTexts(2, 3);
      expect(read.map(({ position }) => position)).toEqual([3, 4, 5]);
      expect(read.map(({ text }) => JSON.parse(text))).toEqual(
        (await readAll(log)).slice(2, 5).map(({ event }) => event),
      );
      expect(await log.readTexts(7, 3)).toEqual([]);
    });

    it('stores a known id once, counted as a duplicate, within and across batches', async () => {
      const { log } = await openLog();
      const [one, two] = exampleEvents(1, 2) as [
        ReturnType<typeof exampleEvent>,
        ReturnType<typeof exampleEvent>,
      ];
      expect(await log.append(batchOf([one, one, two]))).toEqual({ appended: 2, duplicates: 1 });
      expect(await log.append(batchOf([two, one]))).toEqual({ appended: 0, duplicates: 2 });
      expect(await readAll(log)).toHaveLength(2);
    });

    it('stores new events around known ones in order, whatever came just before', async () => {
      const { log } = await openLog();
      const events = exampleEvents(1, 9);
      const offer = (...numbers: number[]) =>
        log.append(
          batchOf(
            numbers.map((number) => events[number - 1]).filter((event) => event !== undefined),
          ),
        );
      expect(await offer(2, 4)).toEqual({ appended: 2, duplicates: 0 });
      expect(await offer(1, 2, 3, 4, 5)).toEqual({ appended: 3, duplicates: 2 });
      expect(await offer(6, 5)).toEqual({ appended: 1, duplicates: 1 });
      expect(await offer(7)).toEqual({ appended: 1, duplicates: 0 });
      expect(await offer(8, 1, 9)).toEqual({ appended: 2, duplicates: 1 });
      const stored = await readAll(log);
      expect(stored.map(({ event }) => events.findIndex(({ id }) => id === event.id) + 1)).toEqual([
        2, 4, 1, 3, 5, 6, 7, 8, 9,
      ]);
      expect(stored.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    });

    it('reads on from a position, at most as many as asked for', async () => {
      const { log } = await openLog();
      await log.append(batchOf(exampleEvents(1, 10, { subject: 'one session' })));
      const all = await readAll(log);
      const after = all[3]?.position ?? 0;
      const page = await log.read(after, 3);
      expect(page).toEqual(all.filter(({ position }) => position > after).slice(0, 3));
    });

    it('keeps everything when it is closed and opened again', async () => {
      const { log, reopen } = await openLog();
      await log.append({ ...batchOf(exampleEvents(1, 3)), deadLetters: [letter('first')] });
      const before = await readAll(log);
      await log.close();
      const again = await reopen();
      expect(await readAll(again)).toEqual(before);
      expect(await again.deadLetters(0, 10)).toMatchObject([{ ...letter('first'), receivedAtMs }]);
      await again.append(batchOf(exampleEvents(3, 2)));
      expectGapless(await readAll(again));
      expect(await again.receipts()).toEqual([{ source: '/producers/one', ranges: [[1, 4]] }]);
    });

    it('commits what waits when it is closed, and refuses what comes later', async () => {
      const { log, reopen } = await openLog();
      const waiting = log.append(batchOf(exampleEvents(1, 2)));
      await log.close();
      expect(await waiting).toEqual({ appended: 2, duplicates: 0 });
      await expect(log.append(batchOf(exampleEvents(3, 1)))).rejects.toThrow();
      expect(await readAll(await reopen())).toHaveLength(2);
    });

    it('keeps dead letters in order, pages them, and removes the ones named', async () => {
      const { log } = await openLog();
      await log.append({ receivedAtMs, events: [], deadLetters: ['a', 'b', 'c'].map(letter) });
      const [first, second, third] = await log.deadLetters(0, 10);
      expect([first?.body, second?.body, third?.body]).toEqual(['a', 'b', 'c']);
      expect(await log.deadLetters(first?.id ?? 0, 1)).toEqual([second]);
      await log.removeDeadLetters([first?.id ?? 0, third?.id ?? 0]);
      expect(await log.deadLetters(0, 10)).toEqual([second]);
      await log.append({ receivedAtMs, events: [], deadLetters: [letter('d')] });
      const ids = (await log.deadLetters(0, 10)).map(({ id }) => id);
      expect(ids[1]).toBeGreaterThan(third?.id ?? Number.POSITIVE_INFINITY);
    });

    it('takes texts of any kind: NUL, lone surrogates, nothing at all', async () => {
      const { log, reopen } = await openLog();
      const subject = 'a\u0000b \ud83d\ude00 \ud800 c';
      await log.append(batchOf([exampleEvent({ number: 1, subject })]));
      const live = await readAll(log);
      await log.close();
      expect(await readAll(await reopen())).toEqual(live);
      expect(live[0]?.event.subject).toBe(subject);
    });

    it('knows what was refused as received: it is no gap', async () => {
      const { log } = await openLog();
      const refused = [
        { source: '/producers/one', sequence: '0000000003' },
        { source: '/importers/pi' },
      ];
      await log.append({
        ...batchOf([1, 2, 4].map((number) => exampleEvent({ number }))),
        refused,
      });
      expect(await log.receipts()).toEqual([{ source: '/producers/one', ranges: [[1, 4]] }]);
    });

    it('answers each append for itself when many arrive together', async () => {
      const { log } = await openLog();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) => log.append(batchOf(exampleEvents(n * 5, 10)))),
      );
      const appended = answers.reduce((sum, answer) => sum + answer.appended, 0);
      const duplicates = answers.reduce((sum, answer) => sum + answer.duplicates, 0);
      expect({ appended, duplicates }).toEqual({ appended: 255, duplicates: 245 });
      expectGapless(await readAll(log));
      expect(await log.head()).toBe(255);
    });

    describeModel(openLog);
  });
}

function timesCounted(event: LedgerEvent): number {
  if (event.type !== 'pi.entry.moved.v1') return 1;
  return { in: 1, out: -1, stay: 0 }[event.data.role];
}
