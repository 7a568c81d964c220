import { describe, expect, it } from 'vitest';
import { readHeader } from '../../../core/record/entry.ts';
import {
  recordSessionCopied,
  recordSessionStarted,
  sessionIdOfFile,
  sessionIdOfParent,
} from '../../../core/record/session.ts';
import { problemsOf } from '../../extension/support/schemas.ts';

const id = '01a1fff5-4e28-7558-86d4-eb98a647fc02';

describe('sessionIdOfFile', () => {
  it.each([
    [`/a/b/2026-11-21T21-13-48-840Z_${id}.jsonl`, id],
    [`C:\\a\\2026-11-21T21-13-48-840Z_${id}.jsonl`, id],
    ['2026-11-21T21-13-48-840Z_my_own_id.jsonl', 'my_own_id'],
    ['2026-11-21T21-13-48Z_x.jsonl', 'x'],
    ['/a/2026-11-21T21-13-48-840Z_x/SubA.jsonl', null],
    ['/a/12026-11-21T21-13-48-840Z_x.jsonl', null],
    ['/a/2026-11-21T21-13-48-840Z_x.jsonl.bak', null],
    ['/a/2026-11-21T21-13-48-840Z_.jsonl', null],
    ['/a/2026-11-21TZ_x.jsonl', null],
    ['/a/2026-1a-21T21-13-48-840Z_x.jsonl', null],
    ['/a/2026-11-2aT21-13-48-840Z_x.jsonl', null],
    ['/a/2026-11-21T21:13:48Z_x.jsonl', null],
    [`2026-11-21T21-13-48-840Z_${'x'.repeat(600)}.jsonl`, 'x'.repeat(500)],
    ['', null],
  ])('of %s is %s', (path, expected) => {
    expect(sessionIdOfFile(path)).toBe(expected);
  });

  it('takes a parent that is named by its id, as in a fork of omp, for that id', () => {
    expect(sessionIdOfParent(id)).toBe(id);
    expect(sessionIdOfParent(null)).toBeNull();
    expect(sessionIdOfParent('/a/SubA.jsonl')).toBeNull();
    expect(sessionIdOfParent('SubA.jsonl')).toBeNull();
    expect(sessionIdOfParent('a.jsonl.b')).toBe('a.jsonl.b');
    expect(sessionIdOfParent('C:\\a')).toBeNull();
    expect(sessionIdOfParent('')).toBeNull();
  });
});

describe('recordSessionStarted', () => {
  it('says what the header says, at its time and under its id', () => {
    const header = readHeader({
      type: 'session',
      version: 3,
      id,
      timestamp: '2026-11-21T21:13:48.840Z',
      cwd: '/srv/shop',
      parentSession: `/s/2026-11-21T21-13-45-269Z_parent.jsonl`,
    });
    const draft = header && recordSessionStarted(header);
    expect(draft).toMatchObject({
      type: 'pi.session.started.v1',
      time: '2026-11-21T21:13:48.840Z',
      subject: id,
      data: { formatVersion: 3, cwd: '/srv/shop', parentSessionId: 'parent' },
    });
    expect(draft && problemsOf(draft)).toEqual([]);
    expect(draft?.id).toBe(header && recordSessionStarted({ ...header, cwd: '/moved' }).id);
  });

  it.each([
    null,
    {},
    { type: 'session', id: 'x' },
    { type: 'session', id: 'x', timestamp: 'yesterday' },
    { type: 'title', id: 'x', timestamp: '2026-11-21T21:13:48.840Z' },
  ])('takes %j for no header', (value) => {
    expect(readHeader(value)).toBeNull();
  });
});

describe('recordSessionCopied', () => {
  const copy = readHeader({
    type: 'session',
    version: 3,
    id,
    timestamp: '2026-11-21T21:13:48.840Z',
    cwd: '/srv/shop',
  });
  const counts = { entries: 21, spendEntries: 8 };
  const copied = (owner: { sessionId: string; assumed: boolean }, of = counts) =>
    copy && recordSessionCopied(copy, owner, of);

  it('tells the owner where its entries stand as well', () => {
    const draft = copied({ sessionId: 'owner', assumed: false });
    expect(draft).toMatchObject({
      type: 'pi.session.copied.v1',
      time: '2026-11-21T21:13:48.840Z',
      subject: 'owner',
      data: { copySessionId: id, entries: 21, spendEntries: 8, ownerAssumed: false },
    });
    expect(draft && problemsOf(draft)).toEqual([]);
  });

  it('is one event for each owner, and another one once the owner is known for sure', () => {
    const ids = [
      copied({ sessionId: 'a', assumed: false }),
      copied({ sessionId: 'b', assumed: false }),
      copied({ sessionId: 'a', assumed: true }),
    ].map((draft) => draft?.id);
    expect(new Set(ids).size).toBe(3);
    expect(copied({ sessionId: 'a', assumed: false }, { entries: 1, spendEntries: 0 })?.id).toBe(
      ids[0],
    );
  });
});
