import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createIngest } from '../../collector/ingest.ts';
import type { Log } from '../../collector/log/log.ts';
import { openSqliteLog } from '../../collector/log/sqlite.ts';
import { limits } from '../../contract/index.ts';
import { temporaryDirectory } from './support/directory.ts';
import { exampleEvent, exampleEvents } from './support/events.ts';

const directory = temporaryDirectory();
const opened: Log[] = [];
let nowMs = Date.parse('2026-11-22T12:00:00.000Z');

function open(change: (log: Log) => Partial<Log> = () => ({})) {
  const log = openSqliteLog({ path: join(directory, `${opened.length}.db`) });
  opened.push(log);
  const wakes: number[] = [];
  const ingest = createIngest({ log: { ...log, ...change(log) }, now: () => nowMs, onAppended: () => wakes.push(1) });
  return { log, ingest, wakes };
}

afterEach(async () => {
  nowMs = Date.parse('2026-11-22T12:00:00.000Z');
  await Promise.all(opened.map((log) => log.close()));
});

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
    const large = { ...exampleEvent({ number: 4 }), data: { text: 'x'.repeat(limits.eventBytesMax) } };
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
    expect((await log.deadLetters(0, 10)).map(({ code }) => code)).toEqual(['time_in_future', 'schema', 'too_large']);
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
    const { ingest, wakes } = open(() => ({ append: () => Promise.reject(new Error('disk full')) }));
    await expect(ingest.accept(exampleEvents(1, 1))).rejects.toThrow('disk full');
    expect(wakes).toEqual([]);
  });

  it('keeps a dead letter whose retry the store refuses', async () => {
    let isFull = false;
    const { log, ingest } = open((real) => ({ append: (batch) => (isFull ? Promise.reject(new Error('disk full')) : real.append(batch)) }));
    await ingest.accept([exampleEvent({ number: 1, time: '2026-11-24T00:00:00.000Z' })]);
    nowMs += 86_400_000;
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
    nowMs += 86_400_000;
    expect(await ingest.retryDeadLetters('all')).toEqual({ accepted: 2_500, duplicates: 0, rejected: 1, unknown: 0 });
    expect(await log.deadLetters(0, 10)).toMatchObject([{ code: 'not_an_event', body: '17' }]);
  });
});
