import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adoptedRoot, segmentName } from '@pi-ledger/core/spool/layout';
import { encodeOwner, readOwner } from '@pi-ledger/core/spool/owner';
import { expect, it } from 'vitest';
import { readSpool } from '../../../../collector/process/own-health/spool.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const directory = temporaryDirectory();
const minuteMs = 60_000;
const nowMs = Date.parse('2026-05-01T12:00:00Z');

function addSegment(spool: string, pid: number, text: string, ageMs: number): void {
  const producer = join(spool, encodeOwner({ ...readOwner(), pid }));
  mkdirSync(producer, { recursive: true });
  const path = join(producer, segmentName(1 + ageMs));
  writeFileSync(path, text);
  utimesSync(path, new Date(nowMs - ageMs), new Date(nowMs - ageMs));
}

it('counts bytes, and producers whose oldest event has waited for five minutes', async () => {
  const spool = join(directory, 'spool');
  addSegment(spool, 11, 'old\n', 6 * minuteMs);
  addSegment(spool, 12, 'old\n', 7 * minuteMs);
  addSegment(spool, 12, 'new\n', minuteMs);
  addSegment(spool, 13, '', 6 * minuteMs);
  addSegment(spool, 14, 'new\n', 4 * minuteMs);
  mkdirSync(join(spool, 'marks'));
  writeFileSync(join(spool, 'marks', segmentName(1)), 'not a spool');
  expect(await readSpool(spool, nowMs)).toEqual({ bytes: 16, oldestMs: 7 * minuteMs, silent: 2 });
});

it('what a producer has adopted waits for that producer, too', async () => {
  const spool = join(directory, 'adopting');
  addSegment(spool, 11, 'old\n', 6 * minuteMs);
  addSegment(adoptedRoot(spool), 11, 'old\n', 8 * minuteMs);
  addSegment(adoptedRoot(spool), 12, 'old\n', 9 * minuteMs);
  expect(await readSpool(spool, nowMs)).toEqual({ bytes: 12, oldestMs: 9 * minuteMs, silent: 2 });
});

it('a machine without a spool has nothing in it', async () => {
  const none = { bytes: 0, oldestMs: 0, silent: 0 };
  expect(await readSpool(join(directory, 'none'), nowMs)).toEqual(none);
});
