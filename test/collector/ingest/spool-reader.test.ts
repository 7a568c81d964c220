import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createIngest } from '../../../collector/ingest/ingest.ts';
import { createSpoolReader } from '../../../collector/ingest/spool-reader.ts';
import { openSqliteLog } from '../../../collector/stores/sqlite/log/log.ts';
import { isReaderFresh } from '../../../core/spool/lease.ts';
import { encodeOwner, readOwner } from '../../../core/spool/owner.ts';
import { leaveSegment } from '../support/dead-producer.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { exampleEvents } from '../support/events.ts';

const directory = temporaryDirectory();
let homes = 0;

function openReader() {
  homes += 1;
  const spoolDirectory = join(directory, String(homes), 'spool');
  const log = openSqliteLog({ path: join(directory, String(homes), 'ledger.db') });
  const errors: unknown[] = [];
  const now = () => Date.parse('2026-11-22T12:00:00.000Z');
  const ingest = createIngest({ log, now, onAppended: () => undefined });
  const options = {
    spoolDirectory,
    owner: readOwner(),
    ingest,
    now: Date.now,
    random: Math.random,
    onError: (error: unknown) => errors.push(error),
  };
  return { spoolDirectory, log, errors, ingest, options, reader: createSpoolReader(options) };
}

const linesOf = (first: number, count: number) =>
  exampleEvents(first, count).map((event) => JSON.stringify(event));
const segmentsLeft = (spoolDirectory: string) =>
  existsSync(spoolDirectory)
    ? readdirSync(spoolDirectory, { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('.ndjson'),
      )
    : [];

describe('the spool reader', () => {
  it('ingests what dead producers left, and removes it after the ack', async () => {
    const { spoolDirectory, log, reader, errors } = openReader();
    leaveSegment(spoolDirectory, 1, linesOf(1, 3));
    leaveSegment(spoolDirectory, 2, linesOf(4, 1_500));
    await reader.drain();
    expect(await log.head()).toBe(1_503);
    expect(await log.receipts()).toEqual([{ source: '/producers/one', ranges: [[1, 1_503]] }]);
    expect(segmentsLeft(spoolDirectory)).toEqual([]);
    await reader.drain();
    expect(await log.head()).toBe(1_503);
    expect(errors).toEqual([]);
    await log.close();
  });

  it('makes dead letters of invalid lines, reports an unfinished one, and goes on', async () => {
    const { spoolDirectory, log, reader, errors } = openReader();
    leaveSegment(
      spoolDirectory,
      1,
      [...linesOf(1, 1), '\u0000\u0000\u0000', '{"half":', '{"not":"ours"}', ...linesOf(2, 1)],
      linesOf(3, 1)[0]?.slice(0, 100),
    );
    leaveSegment(spoolDirectory, 2, linesOf(4, 1));
    await reader.drain();
    expect(await log.head()).toBe(3);
    expect((await log.deadLetters(0, 10)).map(({ code, body }) => [code, body]).toSorted()).toEqual(
      [
        ['not_an_event', '\u0000\u0000\u0000'],
        ['not_an_event', '{"half":'],
        ['not_an_event', '{"not":"ours"}'],
      ],
    );
    expect(segmentsLeft(spoolDirectory)).toEqual([]);
    expect(errors).toEqual([
      expect.objectContaining({ message: expect.stringContaining('unfinished line of 100 bytes') }),
    ]);
    await log.close();
  });

  it('keeps the segments while the store refuses, and takes them in when it is back', async () => {
    const { spoolDirectory, log, ingest, options } = openReader();
    leaveSegment(spoolDirectory, 1, linesOf(1, 5));
    let isFull = true;
    const accept: typeof ingest.accept = (values, texts) =>
      isFull ? Promise.reject(new Error('disk full')) : ingest.accept(values, texts);
    const reader = createSpoolReader({ ...options, ingest: { ...ingest, accept } });
    await expect(reader.drain()).rejects.toThrow('disk full');
    expect(segmentsLeft(spoolDirectory)).toHaveLength(1);
    isFull = false;
    await reader.drain();
    expect(await log.head()).toBe(5);
    expect(segmentsLeft(spoolDirectory)).toEqual([]);
    await log.close();
  });

  it('leaves the segments of the living alone', async () => {
    const { spoolDirectory, log, reader } = openReader();
    const { createSpool } = await import('../../../core/spool/spool.ts');
    const spool = createSpool({ spoolDirectory, owner: readOwner(), spoolBytesMax: 2 ** 20 });
    const [event] = exampleEvents(1, 1);
    if (event === undefined) throw new Error('no event');
    const { id, type, time, subject, data } = event;
    expect(
      spool.append([
        { id, type, time, subject, data } as Parameters<typeof spool.append>[0][number],
      ]),
    ).toBe(true);
    await reader.drain();
    expect(await log.head()).toBe(0);
    expect(segmentsLeft(spoolDirectory)).toHaveLength(1);

    await reader.previewLiving();
    await reader.previewLiving();
    expect(await log.head()).toBe(1);
    expect(segmentsLeft(spoolDirectory)).toHaveLength(1);
    await log.close();
  });

  it('keeps no dead letters of what living producers will deliver themselves', async () => {
    const { spoolDirectory, log, reader } = openReader();
    const self = encodeOwner(readOwner());
    for (const owner of [self, join('adopted', self)]) {
      mkdirSync(join(spoolDirectory, owner), { recursive: true });
      writeFileSync(
        join(spoolDirectory, owner, '00000001.ndjson'),
        `{"not":"ours"}\n${linesOf(owner.length, 1)[0]}\n`,
      );
    }
    await reader.previewLiving();
    expect(await log.head()).toBe(2);
    expect(await log.deadLetters(0, 10)).toEqual([]);
    await log.close();
  });

  it('holds the lease while it runs, reads on its own, and gives the lease back', async () => {
    const { spoolDirectory, log, reader } = openReader();
    leaveSegment(spoolDirectory, 1, linesOf(1, 2));
    reader.start('http://127.0.0.1:7717');
    await expect.poll(() => log.head()).toBe(2);
    expect(isReaderFresh(spoolDirectory, Date.now(), readOwner())).toBe(true);
    expect(JSON.parse(readFileSync(join(spoolDirectory, 'reader.json'), 'utf8'))).toMatchObject({
      url: 'http://127.0.0.1:7717',
    });
    leaveSegment(spoolDirectory, 2, linesOf(3, 2));
    await expect.poll(() => log.head()).toBe(4);
    await reader.stop();
    expect(isReaderFresh(spoolDirectory, Date.now(), readOwner())).toBe(false);
    await log.close();
  });
});
