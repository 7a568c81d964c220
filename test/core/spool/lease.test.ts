import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  isReaderFresh,
  leaseFreshMs,
  leaseRefreshMs,
  readerUrl,
  removeLease,
  writeLease,
} from '../../../core/spool/lease.ts';
import { readOwner } from '../../../core/spool/owner.ts';
import { temporaryDirectory } from './support/places.ts';

const url = 'http://127.0.0.1:7717';
const nowMs = Date.UTC(2026, 10, 21);
const self = readOwner();

describe("the collector's lease on the spool", () => {
  it('is not fresh without one', () => {
    expect(isReaderFresh(temporaryDirectory(), nowMs, self)).toBe(false);
  });

  it('is fresh for some refreshes after it was written, and not before nor later', async () => {
    const spoolDirectory = join(temporaryDirectory(), 'spool');
    await writeLease(spoolDirectory, { owner: self, url, refreshedAtMs: nowMs });
    expect(leaseFreshMs).toBeGreaterThanOrEqual(3 * leaseRefreshMs);
    for (const [atMs, isFresh] of [
      [nowMs, true],
      [nowMs + leaseFreshMs, true],
      [nowMs + leaseFreshMs + 1, false],
      // The clock has been set back since.
      [nowMs - leaseFreshMs - 1, false],
    ] as const) {
      expect(isReaderFresh(spoolDirectory, atMs, self)).toBe(isFresh);
    }
  });

  it('says where its collector listens, while it is fresh', async () => {
    const spoolDirectory = join(temporaryDirectory(), 'spool');
    expect(readerUrl(spoolDirectory, nowMs)).toBeNull();
    await writeLease(spoolDirectory, { owner: self, url, refreshedAtMs: nowMs });
    expect(readerUrl(spoolDirectory, nowMs)).toBe(url);
    expect(readerUrl(spoolDirectory, nowMs + leaseFreshMs + 1)).toBeNull();
    writeFileSync(
      join(spoolDirectory, 'reader.json'),
      JSON.stringify({ owner: 'x', url: 7, refreshedAtMs: nowMs }),
    );
    expect(readerUrl(spoolDirectory, nowMs)).toBeNull();
  });

  it('is replaced as a whole and leaves nothing beside it', async () => {
    const spoolDirectory = temporaryDirectory();
    await writeLease(spoolDirectory, { owner: self, url, refreshedAtMs: nowMs - 60_000 });
    await writeLease(spoolDirectory, { owner: self, url, refreshedAtMs: nowMs });
    expect(isReaderFresh(spoolDirectory, nowMs, self)).toBe(true);
    expect(readdirSync(spoolDirectory)).toEqual(['reader.json']);
    if (process.platform !== 'win32')
      expect(statSync(join(spoolDirectory, 'reader.json')).mode & 0o777).toBe(0o600);
  });

  it('is gone when its collector removes it, and left alone by another collector', async () => {
    const spoolDirectory = temporaryDirectory();
    await writeLease(spoolDirectory, { owner: self, url, refreshedAtMs: nowMs });
    await removeLease(spoolDirectory, { ...self, pid: self.pid + 1 });
    expect(isReaderFresh(spoolDirectory, nowMs, self)).toBe(true);
    await removeLease(spoolDirectory, self);
    await removeLease(spoolDirectory, self);
    expect(isReaderFresh(spoolDirectory, nowMs, self)).toBe(false);
  });

  it('does not count when its collector was killed', async () => {
    const spoolDirectory = temporaryDirectory();
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    await writeLease(spoolDirectory, { owner: { ...self, pid }, url, refreshedAtMs: nowMs });
    expect(isReaderFresh(spoolDirectory, nowMs, self)).toBe(false);
  });

  it('does not count for a producer in another container or on another machine', async () => {
    const spoolDirectory = temporaryDirectory();
    await writeLease(spoolDirectory, { owner: self, url, refreshedAtMs: nowMs });
    expect(isReaderFresh(spoolDirectory, nowMs, { ...self, pidNamespace: '1' })).toBe(false);
    expect(
      isReaderFresh(spoolDirectory, nowMs, {
        ...self,
        bootId: 'c'.repeat(32),
        machine: 'dddddddddddd',
      }),
    ).toBe(false);
  });

  it('does not count when it cannot be read', () => {
    const spoolDirectory = temporaryDirectory();
    for (const text of [
      '',
      '{',
      'null',
      '{"owner":"x","refreshedAtMs":0}',
      `{"owner":7,"refreshedAtMs":${nowMs}}`,
    ]) {
      writeFileSync(join(spoolDirectory, 'reader.json'), text);
      expect(isReaderFresh(spoolDirectory, nowMs, self)).toBe(false);
    }
  });
});
