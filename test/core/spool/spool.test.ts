import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '@pi-ledger/contract';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { segmentName } from '../../../core/spool/layout.ts';
import { encodeOwner } from '../../../core/spool/owner.ts';
import { createSpool, eventBytesMax, segmentBytesMax } from '../../../core/spool/spool.ts';
import { draftOf, draftsOf, idsOf } from './support/drafts.ts';
import { eventsOf, filesIn, ownerOf, temporaryDirectory } from './support/places.ts';

const noPause = () => Promise.resolve();
const noDrops = { spoolFull: 0, spoolUnwritable: 0, eventTooLarge: 0, recordFailed: 0 };

function openSpool(
  options: { spoolDirectory?: string; spoolBytesMax?: number; pid?: number } = {},
) {
  const spoolDirectory = options.spoolDirectory ?? join(temporaryDirectory(), 'home', 'spool');
  const owner = ownerOf(options.pid ?? 1);
  const spool = createSpool({
    spoolDirectory,
    owner,
    spoolBytesMax: options.spoolBytesMax ?? 1 << 28,
  });
  return { spool, spoolDirectory, owner, directory: join(spoolDirectory, encodeOwner(owner)) };
}

describe('the spool', () => {
  it('writes nothing before the first append', () => {
    const { spoolDirectory } = openSpool();
    expect(statSync(spoolDirectory, { throwIfNoEntry: false })).toBeUndefined();
  });

  it('writes each event as one CloudEvents line with its place in the process', () => {
    const { spool, spoolDirectory, owner, directory } = openSpool();
    expect(spool.append(draftsOf(1, 2))).toBe(true);
    expect(spool.append(draftsOf(3, 3))).toBe(true);
    const [line] = readFileSync(join(directory, segmentName(1)), 'utf8').split('\n');
    expect(JSON.parse(line ?? '')).toEqual({
      specversion: '1.0',
      source: spool.source,
      sequence: '0000000001',
      ...draftOf(1),
    });
    expect(spool.source).toMatch(/^\/producers\/[0-9a-f-]{36}$/);
    expect(
      eventsOf(spoolDirectory, owner).map(({ id, sequence }) => [id, Number(sequence)]),
    ).toEqual(idsOf(1, 3).map((id, index) => [id, index + 1]));
  });

  it('writes nothing for no events', () => {
    const { spool, spoolDirectory } = openSpool();
    expect(spool.append([])).toBe(true);
    expect(statSync(spoolDirectory, { throwIfNoEntry: false })).toBeUndefined();
  });

  it.skipIf(process.platform === 'win32')('shows nothing to other users', () => {
    const mask = process.umask(0);
    onTestFinished(() => void process.umask(mask));
    const { spool, spoolDirectory, directory } = openSpool();
    spool.append(draftsOf(1, 1));
    const modes = [
      join(spoolDirectory, '..'),
      spoolDirectory,
      directory,
      join(directory, segmentName(1)),
    ].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o700, 0o700, 0o700, 0o600]);
  });

  it('starts another segment when one is full, and on request of the shipper', () => {
    const { spool, directory } = openSpool();
    for (let number = 1; number <= 5; number += 1)
      spool.append([draftOf(number, { textChars: segmentBytesMax / 2 - 1000 })]);
    expect(filesIn(directory)).toEqual([segmentName(1), segmentName(2), segmentName(3)]);
    for (const name of filesIn(directory))
      expect(statSync(join(directory, name)).size).toBeLessThanOrEqual(segmentBytesMax);
    expect(spool.seal()).toBe(4);
    spool.append(draftsOf(6, 6));
    expect(filesIn(directory)).toContain(segmentName(4));
  });

  it('ends no segment that nothing was written to', () => {
    const { spool } = openSpool();
    expect([spool.seal(), spool.seal()]).toEqual([1, 1]);
  });

  it('starts a new file when its segment was taken away, and even when its directory was', () => {
    const { spool, spoolDirectory, owner, directory } = openSpool();
    spool.append(draftsOf(1, 1));
    rmSync(join(directory, segmentName(1)));
    expect(spool.append(draftsOf(2, 2))).toBe(true);
    rmSync(spoolDirectory, { recursive: true });
    expect(spool.append(draftsOf(3, 3))).toBe(true);
    expect(eventsOf(spoolDirectory, owner).map(({ sequence }) => sequence)).toEqual(['0000000003']);
  });

  it('keeps source, sequence and segment when the extension is evaluated again', async () => {
    const { spool, spoolDirectory, owner, directory } = openSpool();
    spool.append(draftsOf(1, 2));
    spool.countRecordFailure();
    vi.resetModules();
    const anew = await import('../../../core/spool/spool.ts');
    expect(anew.createSpool).not.toBe(createSpool);
    const second = anew.createSpool({ spoolDirectory, owner, spoolBytesMax: 1 << 28 });
    second.append(draftsOf(3, 3));
    spool.append(draftsOf(4, 4));
    expect(new Set(eventsOf(spoolDirectory, owner).map(({ source }) => source))).toEqual(
      new Set([spool.source]),
    );
    expect(eventsOf(spoolDirectory, owner).map(({ sequence }) => Number(sequence))).toEqual([
      1, 2, 3, 4,
    ]);
    expect(filesIn(directory)).toEqual([segmentName(1)]);
    expect(second.drops()).toEqual({ ...noDrops, recordFailed: 1 });
    expect(second.ownBytes()).toBe(spool.ownBytes());
  });

  it('gives every producer process its own source', () => {
    const first = openSpool();
    const second = openSpool({ spoolDirectory: first.spoolDirectory, pid: 2 });
    expect(second.spool.source).not.toBe(first.spool.source);
  });
});

describe('what the spool does not take', () => {
  it('drops an event over the limit alone, and counts it', () => {
    const { spool, spoolDirectory, owner } = openSpool();
    expect(spool.append([draftOf(1), draftOf(2, { textChars: eventBytesMax }), draftOf(3)])).toBe(
      true,
    );
    expect(eventsOf(spoolDirectory, owner).map(({ sequence }) => sequence)).toEqual([
      '0000000001',
      '0000000002',
    ]);
    expect(spool.append([draftOf(4, { textChars: eventBytesMax })])).toBe(true);
    expect(spool.drops()).toEqual({ ...noDrops, eventTooLarge: 2 });
  });

  it('measures an event in bytes, not in characters, up to exactly the limit', () => {
    const { spool, directory } = openSpool();
    spool.append([draftOf(1, { textChars: 0 })]);
    const bareBytes = statSync(join(directory, segmentName(1))).size - 1;
    expect(spool.append([draftOf(2, { textChars: eventBytesMax - bareBytes })])).toBe(true);
    expect(spool.drops().eventTooLarge).toBe(0);
    spool.append([draftOf(3, { textChars: eventBytesMax - bareBytes + 1 })]);
    const wide = draftOf(4);
    spool.append([
      { ...wide, data: { ...wide.data, trigger: '€'.repeat(eventBytesMax / 2) } } as typeof wide,
    ]);
    expect(spool.drops().eventTooLarge).toBe(2);
  });

  it('has the limit of the contract', () => {
    expect(eventBytesMax).toBe(limits.eventBytesMax);
  });

  it('counts a draft that JSON cannot represent, and keeps the rest', () => {
    const { spool, spoolDirectory, owner } = openSpool();
    const bad = { ...draftOf(1), data: { durationMs: 1n } } as never;
    expect(spool.append([bad, draftOf(2)])).toBe(true);
    expect(spool.drops()).toEqual({ ...noDrops, recordFailed: 1 });
    expect(eventsOf(spoolDirectory, owner)).toMatchObject([
      { id: draftOf(2).id, sequence: '0000000001' },
    ]);
  });

  it('drops and counts whole batches when full, and accepts events once there is room', () => {
    const { spool, spoolDirectory, owner } = openSpool({ spoolBytesMax: 1000 });
    let taken = 0;
    while (spool.append([draftOf(taken + 1)])) taken += 1;
    expect(taken).toBeGreaterThan(1);
    expect(spool.append(draftsOf(100, 102))).toBe(false);
    expect(spool.drops()).toEqual({ ...noDrops, spoolFull: 4 });
    expect(spool.bytes()).toBeLessThanOrEqual(1000);
    spool.removed(spool.ownBytes(), 'own');
    expect(spool.append(draftsOf(200, 200))).toBe(true);
    const sequences = eventsOf(spoolDirectory, owner).map(({ sequence }) => Number(sequence));
    expect(sequences).toEqual(Array.from({ length: taken + 1 }, (_, index) => index + 1));
  });

  it("counts other processes' segments, adopted and rejected ones, once measured", async () => {
    const { spool, spoolDirectory } = openSpool({ spoolBytesMax: 2000 });
    for (const directory of [
      encodeOwner(ownerOf(2)),
      join('adopted', encodeOwner(ownerOf(3))),
      'rejected',
    ]) {
      mkdirSync(join(spoolDirectory, directory), { recursive: true });
      writeFileSync(join(spoolDirectory, directory, segmentName(1)), 'x'.repeat(600));
    }
    mkdirSync(join(spoolDirectory, 'marks'));
    writeFileSync(join(spoolDirectory, 'marks', 'session-1'), 'x'.repeat(600));
    expect(spool.append(draftsOf(1, 1))).toBe(true);
    await spool.measure(noPause);
    expect(spool.bytes()).toBe(1800 + spool.ownBytes());
    expect(spool.append(draftsOf(2, 2))).toBe(false);
    expect(spool.drops()).toEqual({ ...noDrops, spoolFull: 1 });
    spool.removed(600, 'others');
    expect(spool.append(draftsOf(3, 3))).toBe(true);
  });

  it('knows its own bytes exactly, and recounts when another process took segments', async () => {
    const { spool, directory } = openSpool();
    spool.append(draftsOf(1, 5));
    const firstBytes = statSync(join(directory, segmentName(1))).size;
    expect(spool.ownBytes()).toBe(firstBytes);
    spool.seal();
    spool.append(draftsOf(6, 6));
    rmSync(join(directory, segmentName(1)));
    await spool.measure(noPause);
    expect(spool.ownBytes()).toBe(statSync(join(directory, segmentName(2))).size);
  });

  it('counts what it cannot write, never throws, and continues when it can', () => {
    const home = temporaryDirectory();
    writeFileSync(join(home, 'spool'), 'a file where the directory should be');
    const { spool, spoolDirectory, owner } = openSpool({ spoolDirectory: join(home, 'spool') });
    expect(spool.append(draftsOf(1, 3))).toBe(false);
    expect(spool.drops()).toEqual({ ...noDrops, spoolUnwritable: 3 });
    rmSync(join(home, 'spool'));
    expect(spool.append(draftsOf(4, 4))).toBe(true);
    expect(eventsOf(spoolDirectory, owner)).toMatchObject([{ sequence: '0000000001' }]);
  });

  it.runIf(process.platform === 'linux')('does not hang where no directory can be created', () => {
    const { spool } = openSpool({ spoolDirectory: '/proc/none/spool' });
    expect(spool.append(draftsOf(1, 1))).toBe(false);
    expect(spool.drops().spoolUnwritable).toBe(1);
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'counts what it is not allowed to write (not as root)',
    () => {
      const home = temporaryDirectory();
      chmodSync(home, 0o500);
      const { spool } = openSpool({ spoolDirectory: join(home, 'spool') });
      expect(spool.append(draftsOf(1, 1))).toBe(false);
      expect(spool.drops().spoolUnwritable).toBe(1);
    },
  );
});
