import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { segmentName } from '../../../core/spool/layout.ts';
import { createMarks } from '../../../core/spool/marks.ts';
import { encodeOwner } from '../../../core/spool/owner.ts';
import { appendToSegment } from '../../../core/spool/segment-file.ts';
import { createSpool } from '../../../core/spool/spool.ts';
import { draftOf } from './support/drafts.ts';
import { eventsOf, ownerOf } from './support/places.ts';
import { smallDisk } from './support/small-disk.ts';

function onSmallDisk(kibibytes: number, body: (disk: string, context: TestContext) => void) {
  return (context: TestContext) => {
    const disk = smallDisk(kibibytes);
    if (disk.directory === null) return context.skip(disk.reason);
    body(disk.directory, context);
  };
}

const owner = ownerOf(1);

/** Appends until the disk is full; returns the numbers of the accepted events. */
function fill(spool: ReturnType<typeof createSpool>, first: number, textChars: number): number[] {
  const taken: number[] = [];
  for (let number = first; spool.append([draftOf(number, { textChars })]); number += 1)
    taken.push(number);
  return taken;
}

describe('a full disk', () => {
  for (const textChars of [300, 3_000, 9_000]) {
    it(
      `costs the events that do not fit, counted, and tears no other (${textChars} characters)`,
      onSmallDisk(128, (disk) => {
        writeFileSync(join(disk, 'filler'), 'x'.repeat(40_000));
        const spoolDirectory = join(disk, 'spool');
        const spool = createSpool({ spoolDirectory, owner, spoolBytesMax: 1 << 28 });
        const first = fill(spool, 1, textChars);
        expect(first.length).toBeGreaterThan(2);
        expect(spool.append([draftOf(900, { textChars }), draftOf(901, { textChars })])).toBe(
          false,
        );
        expect(spool.drops()).toEqual({
          spoolFull: 0,
          spoolUnwritable: 3,
          eventTooLarge: 0,
          recordFailed: 0,
        });

        rmSync(join(disk, 'filler'));
        const second = fill(spool, 1_000, textChars);
        expect(second.length).toBeGreaterThan(2);
        const events = eventsOf(spoolDirectory, owner);
        expect(events.map(({ id }) => id)).toEqual(
          [...first, ...second].map((number) => draftOf(number).id),
        );
        expect(events.map(({ sequence }) => Number(sequence))).toEqual(
          events.map((_, index) => index + 1),
        );
        const directory = join(spoolDirectory, encodeOwner(owner));
        for (const name of readdirSync(directory))
          expect(readFileSync(join(directory, name), 'utf8')).toMatch(/\n$/);
        expect(spool.ownBytes()).toBe(
          readdirSync(directory).reduce(
            (sum, name) => sum + statSync(join(directory, name)).size,
            0,
          ),
        );
      }),
    );
  }

  it(
    'leaves a torn line behind where nothing can be cut off again, and goes on in another segment',
    onSmallDisk(128, (disk, context) => {
      const spoolDirectory = join(disk, 'spool');
      const spool = createSpool({ spoolDirectory, owner, spoolBytesMax: 1 << 28 });
      spool.append([draftOf(1)]);
      const first = join(spoolDirectory, encodeOwner(owner), segmentName(1));
      // Append-only: the file can grow but not be truncated.
      if (spawnSync('chattr', ['+a', first]).status !== 0)
        return context.skip('this tmpfs knows no append-only files');
      fillBut(disk, 8_192);
      expect(
        spool.append([draftOf(2, { textChars: 3_000 }), draftOf(3, { textChars: 20_000 })]),
      ).toBe(false);
      expect(readFileSync(first, 'utf8')).toMatch(/x$/);
      rmSync(join(disk, 'filler'));
      expect(spool.append([draftOf(4)])).toBe(true);
      // The second event was complete before the tear: its number is not assigned again.
      expect(
        eventsOf(spoolDirectory, owner).map(({ id, sequence }) => [id, Number(sequence)]),
      ).toEqual([
        [draftOf(1).id, 1],
        [draftOf(2).id, 2],
        [draftOf(4).id, 3],
      ]);
      expect(spool.drops().spoolUnwritable).toBe(2);
      spawnSync('chattr', ['-a', first]);
    }),
  );

  it(
    'refuses an append of which nothing fits',
    onSmallDisk(64, (disk) => {
      mkdirSync(join(disk, 'directory'));
      writeFileSync(join(disk, 'directory', 'segment'), '');
      fillBut(disk, 0);
      expect(appendToSegment(join(disk, 'directory', 'segment'), 'text\n', 5)).toEqual({
        state: 'refused',
      });
    }),
  );

  it(
    'still moves a mark that exists, and says so when it cannot make one',
    onSmallDisk(64, (disk) => {
      const marks = createMarks({ spoolDirectory: disk });
      expect(marks.write('old', { entryId: 'a', timestamp: null })).toBe(true);
      fillBut(disk, 0);
      expect(marks.write('old', { entryId: 'b', timestamp: null })).toBe(true);
      expect(marks.read('old')).toEqual({ entryId: 'b', timestamp: null });
      expect(marks.write('new', { entryId: 'a', timestamp: null })).toBe(false);
      expect(marks.read('new')).toBeNull();
    }),
  );
});

/** Fills the disk except for this many bytes. */
function fillBut(disk: string, freeBytes: number): void {
  const filler = join(disk, 'filler');
  spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4096'], { stdio: 'ignore' });
  if (freeBytes > 0) truncateSync(filler, statSync(filler).size - freeBytes);
}
