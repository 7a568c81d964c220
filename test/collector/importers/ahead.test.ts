/** Entries too far in the future for the log. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAhead, latestTimeAt } from '../../../collector/importers/ahead.ts';
import { pi } from '../../../collector/importers/pi/importer.ts';
import type { EventDraft } from '../../../core/record/draft.ts';
import { answer, append, newSession, userSays } from '../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { writeSession } from './support/files.ts';
import { createImports } from './support/imports.ts';

const root = temporaryDirectory();
const hourMs = 3_600_000;
const nowMs = Date.parse('2026-11-20T09:00:00.000Z');

describe('an entry that is more than a day ahead', () => {
  it('is held back and named, whatever is appended, and taken in when its time comes', async () => {
    const directory = mkdtempSync(join(root, 'sessions-'));
    const imports = createImports(pi, directory);
    const session = newSession('s1', nowMs - hourMs);
    append(session, 'u1', nowMs, userSays());
    append(session, 'a1', nowMs + 36 * hourMs, answer('r1'));
    append(session, 'a2', nowMs + 1, answer('r2'));
    const path = writeSession(directory, session);
    const turns = () => imports.of('pi.turn.completed.v1').map(({ data }) => data.entryId);
    const passAt = (hours: number) => imports.scan({ now: () => nowMs + hours * hourMs });

    const held = { code: 'time_in_future', file: path, line: 3, mayHoldSpend: true };
    expect(await passAt(0)).toMatchObject({
      lostCount: 1,
      issues: [held],
      events: { rejected: 0 },
    });
    expect(turns()).toEqual(['a2']);
    expect(await passAt(1)).toMatchObject({
      files: { unchanged: 1, read: 0 },
      lostCount: 1,
      issues: [held],
    });
    append(session, 'a3', nowMs + 2, answer('r3'));
    writeSession(directory, session);
    expect(await passAt(2)).toMatchObject({ files: { read: 1 }, lostCount: 1, issues: [held] });
    expect(await passAt(12)).toMatchObject({ files: { read: 1 }, issueCount: 0, lostCount: 0 });
    expect(turns().sort()).toEqual(['a1', 'a2', 'a3']);
    expect(await passAt(13)).toMatchObject({ files: { unchanged: 1 }, issueCount: 0 });
  });
});

describe('an event of a time that is too far ahead', () => {
  const at = (time: string) =>
    ({
      id: time,
      type: 'pi.turn.completed.v1',
      time,
      subject: 's',
      data: {},
    }) as never as EventDraft;

  it('is held back until it is a day ahead; the first of them says when to read again', () => {
    const latest = '2026-11-20T09:00:00.000Z';
    const ahead = createAhead(latest);
    const [now, later, latestOf] = [
      at(latest),
      at('2026-11-22T09:00:00.000Z'),
      at('2026-11-21T09:00:00.000Z'),
    ];
    expect(ahead.sort([now])).toEqual({ taken: [now], held: [] });
    expect(ahead.againAtMs).toBeNull();
    expect(ahead.sort([later, now])).toEqual({ taken: [now], held: [later] });
    expect(ahead.againAtMs).toBe(Date.parse(later.time) - 24 * hourMs);
    expect(ahead.sort([latestOf, later])).toEqual({ taken: [], held: [latestOf, later] });
    expect(ahead.againAtMs).toBe(Date.parse(latestOf.time) - 24 * hourMs);
    ahead.sort([later]);
    expect(ahead.againAtMs).toBe(Date.parse(latestOf.time) - 24 * hourMs);
  });

  it('is one of more than a day from now', () => {
    expect(latestTimeAt(Date.parse('2026-11-20T09:00:00.000Z'))).toBe('2026-11-21T09:00:00.000Z');
  });
});
