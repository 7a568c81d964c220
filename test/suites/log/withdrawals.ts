/** What every log does with withdrawals (collector/log/withdrawals.ts). */
import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { floorId, type Seal } from '../../../collector/log/history.ts';
import { exampleEvent } from '../../collector/support/events.ts';
import { batchOf, type LogUnderTest, readAll, receivedAtMs } from './stored.ts';

const nothing = { events: [], session: null, token: null };

function withdrawal(number: number, records: object): LedgerEvent {
  return exampleEvent({
    number,
    type: 'pi.records.withdrawn.v1',
    source: '/collector',
    sequence: 0,
    subject: '/withdrawals/0',
    data: { records: { ...nothing, ...records }, reason: 'a test', by: null },
  });
}

const instant = (ms: number): string => new Date(ms).toISOString();
const ofToken = (event: LedgerEvent, authenticatedtoken: string): LedgerEvent => ({
  ...event,
  authenticatedtoken,
});

export function describeWithdrawals(openLog: () => Promise<LogUnderTest>): void {
  describe('withdrawals', () => {
    const events = [
      exampleEvent({ number: 1, subject: 'good' }),
      exampleEvent({ number: 2, subject: 'bad' }),
      ofToken(exampleEvent({ number: 3, subject: 'good' }), 'leaked'),
      ofToken(exampleEvent({ number: 4, subject: 'good' }), 'other'),
    ];
    const [first, , third] = events as [LedgerEvent, LedgerEvent, LedgerEvent];
    const early = { id: 'leaked', since: instant(0), until: instant(receivedAtMs) };
    const then = { ...early, until: instant(receivedAtMs + 1) };

    it.each<[what: string, records: object, withdrawn: readonly number[]]>([
      ['an event', { events: [first.id] }, [1]],
      ['a session', { session: 'bad' }, [2]],
      ['what a token sent', { token: then }, [3]],
      ['... at another time', { token: early }, []],
      ['... or later', { token: { ...then, since: then.until } }, []],
      ['several of these', { events: [first.id], session: 'bad', token: then }, [1, 2, 3]],
      ['nothing that is there', { events: ['x'], session: 'x' }, []],
    ])('take back %s, whichever comes first', async (_what, records, withdrawn) => {
      const taken = withdrawal(9, records);
      for (const batches of [[events, [taken]], [[taken], events], [[...events, taken]]]) {
        const { log, reopen } = await openLog();
        for (const batch of batches) await log.append(batchOf(batch));
        const check = async (opened: typeof log) => {
          const stored = await readAll(opened);
          const isTaken = ({ id }: LedgerEvent) =>
            withdrawn.some((number) => events[number - 1]?.id === id);
          for (const { event, position } of stored) {
            const { id, data, type } = event;
            if (isTaken(event)) expect({ type, data }).toEqual({ type: 'withdrawn', data: {} });
            else expect(event).toEqual([...events, taken].find((each) => each.id === id));
            expect(position).toBeGreaterThan(0);
          }
          expect(stored).toHaveLength(5);
          const texts = (await opened.readTexts(0, 10)).map(({ text }) => JSON.parse(text));
          expect(texts).toEqual(batches.flat());
          expect((await opened.withdrawals()).list).toEqual([taken]);
        };
        await check(log);
        await log.close();
        const again = await reopen();
        await check(again);
        // Offered again, it stays withdrawn.
        expect(await again.append(batchOf(events))).toMatchObject({ appended: 0, duplicates: 4 });
        await check(again);
      }
    });

    it('say by another version that there are more of them', async () => {
      const { log } = await openLog();
      expect((await log.withdrawals()).version).toBe('');
      await log.append(batchOf(events));
      expect((await log.withdrawals()).version).toBe('');
      const versions = new Set<string>();
      for (const number of [10, 11]) {
        await log.append(batchOf([withdrawal(number, { session: String(number) })]));
        versions.add((await log.withdrawals()).version);
      }
      expect(versions.size).toBe(2);
      expect([...versions]).not.toContain('');
    });

    it('take the moves of an entry with it, and no others', async () => {
      const { log } = await openLog();
      const moves = [first.id, third.id].map((eventId, index) =>
        exampleEvent({
          number: 20 + index,
          type: 'pi.entry.moved.v1',
          subject: 'other',
          data: { eventId, role: 'in' },
        }),
      );
      await log.append(batchOf([...events, ...moves, withdrawal(30, { events: [first.id] })]));
      const types = (await readAll(log)).map(({ event }) => event.type);
      expect(types.filter((type) => type === 'pi.entry.moved.v1')).toHaveLength(1);
      expect(types.filter((type) => String(type) === 'withdrawn')).toHaveLength(2);
    });

    it.each<LedgerEvent['type']>([
      'pi.history.sealed.v1',
      'pi.records.withdrawn.v1',
      'pi.budget.defined.v1',
      'pi.budget.crossed.v1',
    ])('leave %s, which the ledger says of itself', async (type) => {
      const { log } = await openLog();
      const own = ofToken(exampleEvent({ number: 40, type, subject: 'bad' }), 'leaked');
      const all = { events: [own.id], session: 'bad', token: then };
      await log.append(batchOf([own, exampleEvent({ number: 2, subject: 'bad' })]));
      await log.append(batchOf([withdrawal(41, all)]));
      const stored = (await readAll(log)).map(({ event }) => String(event.type));
      expect(stored).toEqual([type, 'withdrawn', 'pi.records.withdrawn.v1']);
    });

    it('outlive what a seal deletes, for sessions of which more may come', async () => {
      const { log } = await openLog();
      const day = 86_400_000;
      const seal: Seal = { sealId: 's', floorMs: day, first: 4, last: 4, superseded: null };
      await log.append(batchOf([...events.slice(0, 2), withdrawal(9, { session: 'bad' })]));
      await log.append(batchOf([exampleEvent({ number: 2 * day, type: 'pi.history.sealed.v1' })]));
      await log.history.enforce(seal);
      expect(await log.history.countBelow(day)).toBe(2);
      while ((await log.history.expire(10)) > 0);
      const late = exampleEvent({ number: 3 * day, subject: 'bad' });
      expect(late.id > floorId(day)).toBe(true);
      await log.append(batchOf([late]));
      const stored = await readAll(log);
      expect(stored.find(({ event }) => event.id === late.id)?.event.type).toBe('withdrawn');
      expect(await log.history.countBelow(day)).toBe(0);
    });
  });
}
