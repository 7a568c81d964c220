import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMarks, markBytes } from '../../../core/spool/marks.ts';
import { markAgeMaxMs, marksExaminedMax, pruneMarks } from '../../../core/spool/prune-marks.ts';
import { temporaryDirectory } from './support/places.ts';

const sessionId = '019f8e1a-75b3-71c2-bda0-5a2fd8ddabe8';
const mark = { entryId: 'c15232cc', timestamp: '2026-11-21T10:00:00.000Z' };

describe('the mark of a session', () => {
  it('is not there before it is written', () => {
    expect(createMarks({ spoolDirectory: temporaryDirectory() }).read(sessionId)).toBeNull();
  });

  it('is read by another process as written, also for a session without records', () => {
    const spoolDirectory = temporaryDirectory();
    for (const written of [mark, { entryId: null, timestamp: null }]) {
      expect(createMarks({ spoolDirectory }).write(sessionId, written)).toBe(true);
      expect(createMarks({ spoolDirectory }).read(sessionId)).toEqual(written);
    }
  });

  it.skipIf(process.platform === 'win32')('is hidden from other users', () => {
    const spoolDirectory = temporaryDirectory();
    createMarks({ spoolDirectory }).write(sessionId, mark);
    expect(statSync(join(spoolDirectory, 'marks')).mode & 0o777).toBe(0o700);
    expect(statSync(join(spoolDirectory, 'marks', sessionId)).mode & 0o777).toBe(0o600);
  });

  it('keeps its width, so that overwriting leaves nothing of the old one', () => {
    const spoolDirectory = temporaryDirectory();
    const marks = createMarks({ spoolDirectory });
    const text = fc.option(fc.string({ unit: 'binary', maxLength: 60 }));
    fc.assert(
      fc.property(text, text, (entryId, timestamp) => {
        const before = marks.read(sessionId);
        const isWritten = marks.write(sessionId, { entryId, timestamp });
        expect(marks.read(sessionId)).toEqual(isWritten ? { entryId, timestamp } : before);
        if (isWritten)
          expect(statSync(join(spoolDirectory, 'marks', sessionId)).size).toBe(markBytes);
      }),
    );
  });

  it('has room for any host’s entry ids, and refuses larger ones', () => {
    const marks = createMarks({ spoolDirectory: temporaryDirectory() });
    expect(marks.write(sessionId, { ...mark, entryId: 'x'.repeat(100) })).toBe(true);
    expect(marks.write(sessionId, { ...mark, entryId: 'x'.repeat(300) })).toBe(false);
    expect(marks.read(sessionId)?.entryId).toBe('x'.repeat(100));
  });

  it('stays inside its directory, whatever the session is called', () => {
    const spoolDirectory = temporaryDirectory();
    const marks = createMarks({ spoolDirectory });
    const names = [
      '../escape',
      '/etc/passwd',
      '.',
      '..',
      '',
      'a/b',
      'a\0b',
      'ä',
      'x'.repeat(5_000),
      '.hidden',
    ];
    for (const name of names) {
      expect(marks.write(name, { ...mark, entryId: name.slice(0, 5) })).toBe(true);
      expect(marks.read(name)?.entryId).toBe(name.slice(0, 5));
    }
    expect(readdirSync(spoolDirectory)).toEqual(['marks']);
    expect(readdirSync(join(spoolDirectory, 'marks'))).toHaveLength(names.length);
  });

  it('counts as missing when it is damaged', () => {
    const spoolDirectory = temporaryDirectory();
    mkdirSync(join(spoolDirectory, 'marks'));
    for (const text of [
      '',
      '{"entryId":"a"',
      'null',
      '[]',
      '{"entryId":1,"timestamp":null}',
      '\0'.repeat(markBytes),
    ]) {
      writeFileSync(join(spoolDirectory, 'marks', sessionId), text);
      expect(createMarks({ spoolDirectory }).read(sessionId)).toBeNull();
    }
  });

  it('is not written, without throwing, if nothing can be written', () => {
    const file = join(temporaryDirectory(), 'file');
    writeFileSync(file, '');
    const marks = createMarks({ spoolDirectory: file });
    expect(marks.write(sessionId, mark)).toBe(false);
    expect(marks.read(sessionId)).toBeNull();
  });
});

describe('pruning marks', () => {
  const pause = () => Promise.resolve();
  const nowMs = Date.UTC(2026, 10, 21);

  function markAged(spoolDirectory: string, name: string, ageMs: number): void {
    createMarks({ spoolDirectory }).write(name, mark);
    const at = new Date(nowMs - ageMs);
    utimesSync(join(spoolDirectory, 'marks', name), at, at);
  }

  it('removes those of sessions untouched for half a year, and no other', async () => {
    const spoolDirectory = temporaryDirectory();
    markAged(spoolDirectory, 'old', markAgeMaxMs + 1000);
    markAged(spoolDirectory, 'young', markAgeMaxMs - 1000);
    expect(await pruneMarks({ spoolDirectory, nowMs, random: () => 0.7, pause })).toBe(1);
    expect(readdirSync(join(spoolDirectory, 'marks'))).toEqual(['young']);
  });

  it('looks at a bounded number in one pass, and at others in the next', async () => {
    const spoolDirectory = temporaryDirectory();
    for (let number = 0; number < marksExaminedMax + 20; number += 1)
      markAged(spoolDirectory, `s${number}`, markAgeMaxMs + 1000);
    expect(await pruneMarks({ spoolDirectory, nowMs, random: () => 0.5, pause })).toBe(
      marksExaminedMax,
    );
    expect(await pruneMarks({ spoolDirectory, nowMs, random: () => 0.999, pause })).toBe(20);
  });

  it('has nothing to do without marks', async () => {
    expect(
      await pruneMarks({ spoolDirectory: temporaryDirectory(), nowMs, random: Math.random, pause }),
    ).toBe(0);
  });
});
