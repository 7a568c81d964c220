/** What a worker takes in of what gateways took in before. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../../contract/index.ts';
import { eventId, exampleEvent, exampleEvents } from '../support/events.ts';
import { ingests } from './ingests.ts';

const { open, clock } = ingests();
const receivedAtMs = Date.parse('2026-11-22T11:00:00.000Z');

describe('events that a gateway has taken in', () => {
  it('keep the time of their receipt, and what is no event becomes a dead letter', async () => {
    const { ingest, log, wakes } = open();
    const texts = [JSON.stringify(exampleEvent({ number: 1 })), 'no JSON'];
    const ack = await ingest.acceptForwarded(texts, receivedAtMs);
    expect(ack).toMatchObject({ accepted: 1, duplicates: 0, rejected: [{ index: 1 }] });
    expect((await log.read(0, 10)).map((stored) => stored.receivedAtMs)).toEqual([receivedAtMs]);
    expect((await log.deadLetters(0, 10)).map(({ body }) => body)).toEqual(['no JSON']);
    expect(wakes).toHaveLength(1);
  });

  it('may be moves of entries, which producers may not send, however large they are', async () => {
    const { ingest } = open();
    const move = exampleEvent({ number: 2, sequence: 0, type: 'pi.entry.moved.v1' });
    const note = 'x'.repeat(limits.eventBytesMax);
    const large = JSON.stringify({ ...move, id: eventId(4), data: { ...move.data, note } });
    const texts = [JSON.stringify(move)];
    expect(await ingest.accept([move])).toMatchObject({ accepted: 0, rejected: [{ index: 0 }] });
    expect(await ingest.acceptForwarded(texts, receivedAtMs)).toMatchObject({ accepted: 1 });
    expect(await ingest.acceptForwarded([large], receivedAtMs)).toMatchObject({ accepted: 1 });
    const [turn] = exampleEvents(5, 1);
    const text = JSON.stringify({ ...turn, data: { text: 'x'.repeat(limits.eventBytesMax) } });
    const ack = await ingest.acceptForwarded([text], receivedAtMs);
    expect(ack.rejected).toMatchObject([{ code: 'too_large' }]);
  });
});

describe('what a gateway has refused', () => {
  const refusedAt = (number: number) => ({
    letter: {
      code: 'schema' as const,
      field: '/data',
      message: `no. ${number}`,
      body: `{"n":${number}}`,
    },
    place: { source: '/producers/one', sequence: String(number).padStart(10, '0') },
  });

  it('is kept with its time, and its places are no gaps', async () => {
    const { ingest, log } = open();
    const nameless = { ...refusedAt(3), place: null };
    await ingest.keepRefused([refusedAt(1), refusedAt(2), nameless], receivedAtMs);
    const letters = await log.deadLetters(0, 10);
    expect(letters.map(({ message, receivedAtMs: at }) => [message, at])).toEqual([
      ['no. 1', receivedAtMs],
      ['no. 2', receivedAtMs],
      ['no. 3', receivedAtMs],
    ]);
    expect(await log.receipts()).toEqual([{ source: '/producers/one', ranges: [[1, 2]] }]);
    expect(await log.head()).toBe(0);
  });

  it('takes no room when the store fails', async () => {
    let isFull = true;
    const { ingest, log } = open(
      (real) => ({
        append: (batch) => (isFull ? Promise.reject(new Error('disk full')) : real.append(batch)),
      }),
      { countMax: 2, charsMax: 1_000 },
    );
    const two = [refusedAt(1), refusedAt(2)];
    await expect(ingest.keepRefused(two, receivedAtMs)).rejects.toThrow('disk full');
    isFull = false;
    await ingest.keepRefused(two, receivedAtMs);
    await ingest.keepRefused([refusedAt(3)], receivedAtMs);
    expect((await log.deadLetters(0, 10)).map(({ message }) => message)).toEqual([
      'no. 1',
      'no. 2',
    ]);
    expect(ingest.deadLetterStatus()).toMatchObject({ count: 2, isFull: true, notKept: 1 });
    expect(await log.receipts()).toEqual([{ source: '/producers/one', ranges: [[1, 3]] }]);
    expect(clock.nowMs).toBeGreaterThan(receivedAtMs);
  });
});
