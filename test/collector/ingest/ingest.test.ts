import { describe, expect, it } from 'vitest';
import { limits } from '../../../contract/index.ts';
import { exampleEvent, exampleEvents } from '../support/events.ts';
import { ingests } from './ingests.ts';

const { open, clock } = ingests();

describe('ingest', () => {
  it('wakes the views for what is new, and for nothing else', async () => {
    const { ingest, wakes } = open();
    await ingest.accept(exampleEvents(1, 3));
    await ingest.accept(exampleEvents(1, 3));
    await ingest.accept([17]);
    await ingest.accept([]);
    expect(wakes).toHaveLength(1);
  });

  it("asks time and size of the importer's own events, and no more", async () => {
    const { ingest, log } = open();
    const [event, early, far] = exampleEvents(1, 3);
    const future = { ...early, time: '2026-11-24T12:00:00.000Z' };
    const noDay = { ...far, time: '2026-02-30T12:00:00.000Z' };
    const large = {
      ...exampleEvent({ number: 4 }),
      data: { text: 'x'.repeat(limits.eventBytesMax) },
    };
    const values = [event, future, noDay, large];
    const texts = values.map((value) => JSON.stringify(value));
    const ack = await ingest.accept(values, texts, { is: 'importer' });
    expect(ack).toMatchObject({
      accepted: 1,
      rejected: [
        { index: 1, code: 'time_in_future', field: '/time' },
        { index: 2, code: 'schema', field: '/time' },
        { index: 3, code: 'too_large' },
      ],
    });
    expect((await log.deadLetters(0, 10)).map(({ code }) => code)).toEqual([
      'time_in_future',
      'schema',
      'too_large',
    ]);
  });

  it('keeps events and dead letters of a batch in one append', async () => {
    const batches: unknown[] = [];
    const { ingest } = open((log) => ({
      append(batch) {
        batches.push([batch.events.length, batch.deadLetters.length]);
        return log.append(batch);
      },
    }));
    await ingest.accept([exampleEvent({ number: 1 }), 'x', null, exampleEvent({ number: 2 })]);
    expect(batches).toEqual([[2, 2]]);
  });

  it('acknowledges nothing when the store fails', async () => {
    const { ingest, wakes } = open(() => ({
      append: () => Promise.reject(new Error('disk full')),
    }));
    await expect(ingest.accept(exampleEvents(1, 1))).rejects.toThrow('disk full');
    expect(wakes).toEqual([]);
  });

  it('keeps a dead letter whose retry the store refuses', async () => {
    let isFull = false;
    const { log, ingest } = open((real) => ({
      append: (batch) => (isFull ? Promise.reject(new Error('disk full')) : real.append(batch)),
    }));
    await ingest.accept([exampleEvent({ number: 1, time: '2026-11-24T00:00:00.000Z' })]);
    clock.nowMs += 86_400_000;
    isFull = true;
    await expect(ingest.retryDeadLetters('all')).rejects.toThrow('disk full');
    expect(await log.deadLetters(0, 10)).toHaveLength(1);
    isFull = false;
    expect(await ingest.retryDeadLetters('all')).toMatchObject({ accepted: 1 });
    expect(await log.deadLetters(0, 10)).toEqual([]);
  });

  it('retries thousands of dead letters, page by page', async () => {
    const { log, ingest } = open();
    await ingest.accept(exampleEvents(1, 2_500, { time: '2026-11-24T00:00:00.000Z' }));
    await ingest.accept([17]);
    clock.nowMs += 86_400_000;
    expect(await ingest.retryDeadLetters('all')).toEqual({
      accepted: 2_500,
      duplicates: 0,
      rejected: 1,
      unknown: 0,
      unread: [],
      kept: 0,
    });
    expect(await log.deadLetters(0, 10)).toMatchObject([{ code: 'not_an_event', body: '17' }]);
  });

  it('says of each event what became of it, by its place in the batch', async () => {
    const { ingest } = open();
    const [one, two] = exampleEvents(1, 2);
    const early = exampleEvent({ number: 3, time: '2026-11-24T00:00:00.000Z' });
    expect(await ingest.accept([one, early, one, two, 'x'])).toEqual({
      accepted: 2,
      duplicates: 1,
      expired: 0,
      rejected: [
        {
          index: 1,
          code: 'time_in_future',
          field: '/time',
          message: expect.stringContaining('24 hours'),
        },
        { index: 4, code: 'not_an_event', field: '', message: 'An event is a JSON object.' },
      ],
    });
  });

  it('stores the text of an event as it came', async () => {
    const { ingest, log } = open();
    const event = exampleEvent({ number: 1 });
    const text = JSON.stringify(event, null, 1);
    await ingest.accept([event], [text]);
    expect((await log.readTexts(0, 1)).map((each) => each.text)).toEqual([text]);
  });

  it('does not ask the contract of what an importer has just made by it', async () => {
    const event = { ...exampleEvent({ number: 1 }), data: {} };
    expect(await open().ingest.accept([event], undefined, { is: 'importer' })).toMatchObject({
      accepted: 1,
    });
    expect(await open().ingest.accept([event])).toMatchObject({
      accepted: 0,
      rejected: [{ code: 'schema' }],
    });
  });

  it('says what came too late, of before what was deleted', async () => {
    const { ingest, log } = open();
    await log.history.enforce({ sealId: 'a', floorMs: 3, first: 1, last: 1, superseded: null });
    expect(await ingest.accept(exampleEvents(1, 4))).toMatchObject({ accepted: 2, expired: 2 });
  });

  const largest = limits.eventBytesMax;
  const ofBytes = (bytes: number, letter = 'x') => {
    const event = exampleEvent({ number: 1, data: { more: '' } });
    const rest = bytes - Buffer.byteLength(JSON.stringify(event));
    return {
      ...event,
      data: { ...event.data, more: letter.repeat(Math.floor(rest / Buffer.byteLength(letter))) },
    };
  };

  it.each([
    ['as large as it may be', ofBytes(largest), 'accepted'],
    ['a byte larger', ofBytes(largest + 1), 'too_large'],
    ['larger in bytes than in letters', ofBytes(largest + 3, 'é'), 'too_large'],
  ])('takes an event that is %s, or refuses it', async (_what, event, expected) => {
    const { ingest } = open();
    const { accepted, rejected } = await ingest.accept([event]);
    expect(accepted === 1 ? 'accepted' : rejected[0]?.code).toBe(expected);
    if (accepted === 0)
      expect(rejected[0]).toMatchObject({
        field: '',
        message: `An event has at most ${largest} bytes.`,
      });
  });

  it('keeps of a rejected event at most the size of an event', async () => {
    const { ingest, log } = open();
    await ingest.accept([ofBytes(largest + 10), { hello: 'world' }]);
    const [large, small] = await log.deadLetters(0, 10);
    expect(Buffer.byteLength(large?.body ?? '')).toBe(largest);
    expect(small).toMatchObject({
      code: 'not_an_event',
      field: '/type',
      message: 'An event has a type.',
      body: '{"hello":"world"}',
      receivedAtMs: clock.nowMs,
    });
  });

  it.each<[what: string, place: object, arrived: boolean]>([
    ['a place', {}, true],
    ['no sequence', { sequence: undefined }, false],
    ['a sequence that is none', { sequence: '12' }, false],
    ['a sequence with more behind it', { sequence: '0000000001x' }, false],
    ['a sequence with more in front', { sequence: 'x0000000001' }, false],
    ['a number for a sequence', { sequence: 1 }, false],
    ['no source', { source: undefined }, false],
    ['an empty source', { source: '' }, false],
    ['a source as long as it may be', { source: `/${'s'.repeat(199)}` }, true],
    ['a longer source', { source: `/${'s'.repeat(200)}` }, false],
  ])('knows a refused event with %s as arrived, or does not', async (_what, place, arrived) => {
    const { ingest, log } = open();
    const event = { ...exampleEvent({ number: 1 }), type: 'pi.turn.imagined.v1', ...place };
    await ingest.accept([event, null, 17]);
    const receipts = await log.receipts([
      String((place as { source?: unknown }).source ?? '/producers/one'),
      '',
    ]);
    expect(receipts.map(({ ranges }) => ranges)).toEqual(arrived ? [[[1, 1]]] : []);
  });

  it('keeps nothing of what will be delivered once more', async () => {
    const { ingest, log } = open();
    const values = [
      exampleEvent({ number: 1 }),
      'x',
      { ...exampleEvent({ number: 2 }), type: 'imagined' },
    ];
    const ack = await ingest.preview(
      values,
      values.map((value) => JSON.stringify(value)),
    );
    expect(ack).toMatchObject({ accepted: 1, rejected: [{ index: 1 }, { index: 2 }] });
    expect(await log.deadLetters(0, 10)).toEqual([]);
    expect(await log.receipts()).toEqual([{ source: '/producers/one', ranges: [[1, 1]] }]);
  });

  it('asks the store for nothing where there is nothing to append', async () => {
    let appends = 0;
    const { ingest } = open((log) => ({
      append(batch) {
        appends += 1;
        return log.append(batch);
      },
    }));
    expect(await ingest.accept([])).toEqual({
      accepted: 0,
      duplicates: 0,
      expired: 0,
      rejected: [],
    });
    await ingest.preview(['x'], ['"x"']);
    expect(appends).toBe(0);
    await ingest.accept(['x']);
    expect(appends).toBe(1);
  });

  it('wakes the views for an event that moved, though it was known', async () => {
    const { ingest, wakes } = open();
    await ingest.accept([{ ...exampleEvent({ number: 1, subject: 'b' }), ownership: 'assumed' }]);
    await ingest.accept([exampleEvent({ number: 1, subject: 'a' })]);
    expect(wakes).toHaveLength(2);
  });
});
